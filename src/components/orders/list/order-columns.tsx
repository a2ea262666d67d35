'use client';

import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { OLDEST_FIRST_TABS, type OrderTab } from '../../../server/orders/filter/order-tabs';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import type { Column } from '../../ui/list/table/list-table';
import { RowLink } from '../../ui/list/table/row-link';
import { ClippedText } from '../../ui/value/clipped-text';
import { CopyableText } from '../../ui/value/copyable-text';
import { useCountryName } from '../../ui/value/country-names';
import { Money } from '../../ui/value/money';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { NEW_YORK, useReaderZone, useZoneName } from '../../ui/value/time/zones';
import styles from '../orders.module.css';
import { variationText } from '../variation-text';
import { DueDay } from './due-day';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

/** Returns the columns of the orders list. Tabs of orders to ship show the ship-by date, and by default hide the date of sale. */
export function useOrderColumns(tab: OrderTab): Column<ListedOrder>[] {
  const t = useTranslations('orders');
  const { prefix } = useBackOffice();
  const countryName = useCountryName();
  const readerZone = useReaderZone();
  const zoneName = useZoneName();
  return useMemo(
    (): Column<ListedOrder>[] => [
      {
        key: 'receipt',
        label: t('receipt'),
        heading: true,
        render: ({ id, receipt_id: receiptId }) => (
          <RowLink href={`${prefix}/orders/${id}`}>{receiptId}</RowLink>
        ),
      },
      ...(OLDEST_FIRST_TABS.includes(tab)
        ? [
            {
              key: 'due',
              label: readerZone === NEW_YORK ? t('dueBy') : t('dueByInZone', { zone: zoneName(NEW_YORK) }),
              sort: 'sold',
              card: 'labelled' as const,
              render: ({ sale_date: soldAt }: ListedOrder) => <DueDay saleDate={soldAt} />,
            },
          ]
        : []),
      {
        key: 'sold',
        label: t('sold'),
        ...(OLDEST_FIRST_TABS.includes(tab) ? { hidden: true } : { sort: 'sold', card: 'fact' as const }),
        render: ({ sale_date: soldAt }) => <Instant value={soldAt} brief isSale />,
      },
      { key: 'shop', label: t('shop'), render: ({ shop }) => <ClippedText narrow text={shop} /> },
      {
        key: 'buyer',
        label: t('buyer'),
        card: 'fact',
        render: ({ buyer, name }) => <ClippedText narrow text={name ?? buyer} />,
      },
      {
        key: 'country',
        label: t('country'),
        hidden: true,
        render: ({ country_code: code, country_name: name }) => (
          <ClippedText narrow text={code ? countryName(code, name ?? code) : name} />
        ),
      },
      {
        key: 'items',
        label: t('items'),
        grow: true,
        card: 'fact',
        render: ({ title, items, variations }) => (
          <span className={styles.itemCell}>
            <span className={styles.items}>
              <span className={styles.title} title={title ?? undefined}>
                {title ?? '–'}
              </span>
              {items > 1 && <span className={styles.more}>{t('moreItems', { count: items - 1 })}</span>}
            </span>
            {variations && (
              <span className={styles.variations} title={variations}>
                {variationText(variations)}
              </span>
            )}
          </span>
        ),
      },
      {
        key: 'quantity',
        label: t('quantity'),
        numeric: true,
        hidden: true,
        render: (order) => order.quantity,
      },
      {
        key: 'value',
        label: t('value'),
        numeric: true,
        card: 'end',
        render: ({ value, currency }) => <Money amount={value} currency={currency} />,
      },
      {
        key: 'status',
        label: t('status'),
        card: 'beside',
        render: ({ status }) => <StatusBadge status={status} />,
      },
      {
        key: 'tracking',
        label: t('tracking'),
        render: ({ tracking_status: status }) => (status ? <StatusBadge status={status} /> : '–'),
      },
      {
        key: 'number',
        label: t('number'),
        hidden: true,
        render: ({ tracking_numbers: [number, ...otherNumbers] }) =>
          number ? (
            <>
              <CopyableText value={number} />
              {otherNumbers.length > 0 && (
                <span className={styles.more}> {t('moreItems', { count: otherNumbers.length })}</span>
              )}
            </>
          ) : (
            '–'
          ),
      },
      {
        key: 'carrier',
        label: t('carrier'),
        hidden: true,
        render: ({ carrier_code: carrierCode }) => carrierCode ?? '–',
      },
    ],
    [tab, t, prefix, countryName, readerZone, zoneName],
  );
}
