'use client';

import { useTranslations } from 'next-intl';
import { ListTable } from '../ui/list/list-table';
import { CopyId } from '../ui/value/copy-id';
import { Money } from '../ui/value/money';
import type { Order } from './order-page';
import styles from './order-page.module.css';

type Item = Order['items'][number];

/** What was bought, and the amounts of the whole order as the marketplace reports them. */
export function OrderItems({ order }: { order: Order }) {
  const t = useTranslations('order');
  const { currency } = order;
  const amounts = [
    { label: t('items.total'), amount: order.total },
    { label: t('items.shipping'), amount: order.order_shipping },
    { label: t('items.shippingDiscount'), amount: order.shipping_discount },
    { label: t('items.salesTax'), amount: order.order_sales_tax },
    { label: t('items.vat'), amount: order.vat_paid_by_buyer },
    { label: t('items.inPersonDiscount'), amount: order.inperson_discount },
  ].filter(({ amount }) => amount !== null && Number(amount) !== 0);
  const discounted = order.items.some(({ discount_amount: discount }) => discount && Number(discount) !== 0);
  return (
    <>
      <ListTable<Item>
        label={t('items.title')}
        rows={order.items}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'title',
            label: t('items.item'),
            heading: true,
            render: ({ title, variations, coupon_code: coupon, coupon_details: details }) => (
              <>
                <div>{title ?? '–'}</div>
                {variations && <div className={styles.quiet}>{variations}</div>}
                {coupon && (
                  <div className={styles.quiet}>
                    {t('items.coupon', { coupon: details ? `${coupon} (${details})` : coupon })}
                  </div>
                )}
              </>
            ),
          },
          { key: 'sku', label: t('items.sku'), render: ({ sku }) => (sku ? <CopyId value={sku} /> : '–') },
          {
            key: 'quantity',
            label: t('items.quantity'),
            figures: true,
            render: (item) => item.quantity ?? '–',
          },
          {
            key: 'price',
            label: t('items.price'),
            figures: true,
            render: ({ price }) => <Money amount={price} currency={currency} />,
          },
          ...(discounted
            ? [
                {
                  key: 'discount',
                  label: t('items.discount'),
                  figures: true,
                  render: ({ discount_amount: discount }: Item) => (
                    <Money amount={discount} currency={currency} />
                  ),
                },
              ]
            : []),
          {
            key: 'total',
            label: t('items.lineTotal'),
            figures: true,
            render: ({ item_total: total }) => <Money amount={total} currency={currency} />,
          },
        ]}
      />
      {amounts.length > 0 && (
        <dl className={styles.totals}>
          {amounts.map(({ label, amount }) => (
            <Amount key={label} label={label}>
              <Money amount={amount} currency={currency} />
            </Amount>
          ))}
        </dl>
      )}
    </>
  );
}

function Amount({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
