'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import type { Column } from '../ui/list/list-table';
import { Clipped } from '../ui/value/clipped';
import { CopyId } from '../ui/value/copy-id';
import { useCountryName } from '../ui/value/country-names';
import { Instant } from '../ui/value/instant';
import { Money } from '../ui/value/money';
import { StatusBadge } from '../ui/value/status-badge';
import styles from './orders.module.css';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

/** The columns of the orders list. */
export function useOrderColumns(): Column<ListedOrder>[] {
  const t = useTranslations('orders');
  const { prefix } = useDesk();
  const countryName = useCountryName();
  return [
    {
      key: 'receipt',
      label: t('receipt'),
      heading: true,
      render: ({ id, receipt_id: receipt }) => (
        <Anchor component={Link} href={`${prefix}/orders/${id}`} prefetch={false} className="mono">
          {receipt}
        </Anchor>
      ),
    },
    {
      key: 'sold',
      label: t('sold'),
      sort: 'sold',
      render: ({ sale_date: at }) => <Instant value={at} brief />,
    },
    { key: 'shop', label: t('shop'), render: ({ shop }) => <Clipped narrow text={shop} /> },
    { key: 'buyer', label: t('buyer'), render: ({ buyer, name }) => <Clipped narrow text={name ?? buyer} /> },
    {
      key: 'country',
      label: t('country'),
      hidden: true,
      render: ({ country_code: code, country_name: name }) => (
        <Clipped narrow text={code ? countryName(code, name ?? code) : name} />
      ),
    },
    {
      key: 'items',
      label: t('items'),
      grow: true,
      render: ({ title, items }) => (
        <span className={styles.items}>
          <span className={styles.title} title={title ?? undefined}>
            {title ?? '–'}
          </span>
          {items > 1 && <span className={styles.more}>{t('moreItems', { count: items - 1 })}</span>}
        </span>
      ),
    },
    { key: 'quantity', label: t('quantity'), figures: true, hidden: true, render: (order) => order.quantity },
    {
      key: 'value',
      label: t('value'),
      figures: true,
      render: ({ value, currency }) => <Money amount={value} currency={currency} />,
    },
    { key: 'status', label: t('status'), render: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'tracking',
      label: t('tracking'),
      render: ({ tracking_status: status }) => (status ? <StatusBadge status={status} /> : '–'),
    },
    {
      key: 'number',
      label: t('number'),
      hidden: true,
      render: ({ tracking_numbers: [number, ...others] }) =>
        number ? (
          <>
            <CopyId value={number} />
            {others.length > 0 && (
              <span className={styles.more}> {t('moreItems', { count: others.length })}</span>
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
      render: ({ carrier_code: carrier }) => carrier ?? '–',
    },
  ];
}
