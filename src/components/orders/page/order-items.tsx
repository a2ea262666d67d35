'use client';

import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { ListTable } from '../../ui/list/table/list-table';
import { CopyableText } from '../../ui/value/copyable-text';
import { Money } from '../../ui/value/money';
import { Sentences } from '../../ui/value/sentences';
import { variationText } from '../variation-text';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

type Item = Order['items'][number];

/** The items of an order, except blank ones, and how their prices add up to the amount that the buyer paid. */
export function OrderItems({ order }: { order: Order }) {
  const t = useTranslations('order');
  const { currency } = order;
  const negate = (amount: string | null) =>
    amount === null || !isNonZero(amount) ? null : amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
  const amounts: { label: string; amount: string | null; isTotal?: true }[] = [
    { label: t('items.total'), amount: order.items_total },
    { label: t('items.discounts'), amount: negate(order.discounts) },
    { label: t('items.inPersonDiscount'), amount: negate(order.inperson_discount) },
    { label: t('items.value'), amount: order.value, isTotal: true },
    { label: t('items.shipping'), amount: order.order_shipping },
    { label: t('items.shippingDiscount'), amount: negate(order.shipping_discount) },
    { label: t('items.salesTax'), amount: order.order_sales_tax },
    { label: t('items.vat'), amount: order.vat_paid_by_buyer },
    { label: t('items.paid'), amount: order.paid, isTotal: true },
  ];
  const visibleAmounts = amounts.filter(
    ({ amount, isTotal }) => amount !== null && (isTotal || isNonZero(amount)),
  );
  const hasDiscounts = order.items.some(({ discount_amount: discount }) => isNonZero(discount));
  return (
    <>
      <ListTable<Item>
        label={t('items.title')}
        rows={order.items.filter((item) => !item.is_blank)}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'title',
            label: t('items.item'),
            heading: true,
            grow: true,
            render: ({ title, listing_id, choices, coupon_code: coupon, coupon_details: details }) => (
              <>
                <div>{title ?? listing_id ?? '–'}</div>
                {choices?.split('\n').map((line) => (
                  <div key={line} className={styles.quiet}>
                    {variationText(line)}
                  </div>
                ))}
                {coupon && (
                  <div className={styles.quiet}>
                    {t('items.coupon', { coupon: details ? `${coupon} (${details})` : coupon })}
                  </div>
                )}
              </>
            ),
          },
          {
            key: 'sku',
            label: t('items.sku'),
            render: ({ sku }) => (sku ? <CopyableText value={sku} mayBreak /> : '–'),
          },
          {
            key: 'quantity',
            label: t('items.quantity'),
            numeric: true,
            render: (item) => item.quantity ?? '–',
          },
          {
            key: 'price',
            label: t('items.price'),
            numeric: true,
            render: ({ price }) => <Money amount={price} currency={currency} />,
          },
          ...(hasDiscounts
            ? [
                {
                  key: 'discount',
                  label: t('items.discount'),
                  numeric: true,
                  render: ({ discount_amount: discount }: Item) => (
                    <Money amount={discount} currency={currency} />
                  ),
                },
              ]
            : []),
          {
            key: 'total',
            label: t('items.lineTotal'),
            numeric: true,
            render: ({ item_total: total }) => <Money amount={total} currency={currency} />,
          },
        ]}
      />
      {visibleAmounts.length > 0 && (
        <dl className={styles.totals} aria-label={t('items.calculation')}>
          {visibleAmounts.map(({ label, amount, isTotal }) => (
            <Amount key={label} label={label} isTotal={isTotal}>
              <Money amount={amount} currency={currency} />
            </Amount>
          ))}
        </dl>
      )}
      <p className={styles.explanation}>
        <Sentences>
          {t('items.valueMeans')}
          {!order.currency_known && t('items.noCurrency')}
        </Sentences>
      </p>
    </>
  );
}

const isNonZero = (amount: string | null): amount is string => amount !== null && Number(amount) !== 0;

function Amount(props: { label: string; isTotal: true | undefined; children: React.ReactNode }) {
  return (
    <>
      <dt data-sum={props.isTotal}>{props.label}</dt>
      <dd data-sum={props.isTotal}>{props.children}</dd>
    </>
  );
}
