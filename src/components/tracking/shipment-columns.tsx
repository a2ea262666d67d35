'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { PanelLink, type SidePanel } from '../ui/list/panel/side-panel';
import type { Column } from '../ui/list/table/list-table';
import { ClippedText } from '../ui/value/clipped-text';
import { StatusBadge } from '../ui/value/status-badge';
import { SubStatusName } from '../ui/value/sub-status';
import { Instant } from '../ui/value/time/instant';
import styles from './tracking.module.css';

export type ListedShipment = RouterOutputs['shipments']['list']['shipments'][number];

/** Returns the columns of the list of shipments. */
export function useShipmentColumns(panel: SidePanel): Column<ListedShipment>[] {
  const t = useTranslations('tracking');
  const { prefix } = useBackOffice();
  return [
    {
      key: 'number',
      label: t('shipments.number'),
      heading: true,
      render: ({ tracking_number: number }) => <PanelLink panel={panel} value={number} />,
    },
    {
      key: 'status',
      label: t('shipments.status'),
      card: 'end',
      render: ({ status, sub_status: subStatus }) => (
        <span>
          <StatusBadge status={status} />
          {subStatus && (
            <span className={styles.secondary}>
              <SubStatusName subStatus={subStatus} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'since',
      label: t('shipments.since'),
      card: 'fact',
      render: ({ since }) => <Instant value={since} brief />,
    },
    {
      key: 'order',
      label: t('shipments.order'),
      card: 'fact',
      render: ({ order, order_count: count }) =>
        order === null ? (
          '–'
        ) : (
          <span>
            <Anchor component={Link} href={`${prefix}/orders/${order.id}`} prefetch={false} className="mono">
              {order.receipt_id}
            </Anchor>
            {count > 1 && (
              <span className={styles.secondary}>{t('shipments.moreOrders', { count: count - 1 })}</span>
            )}
          </span>
        ),
    },
    {
      key: 'shop',
      label: t('shipments.shop'),
      render: ({ order }) => <ClippedText text={order?.shop ?? null} />,
    },
    {
      key: 'carrier',
      label: t('shipments.carrier'),
      render: ({ carrier, carrier_code: code }) => carrier ?? code ?? '–',
    },
    {
      key: 'event',
      label: t('shipments.lastEvent'),
      card: 'fact',
      render: ({ last_event: event }) =>
        event === null ? (
          <span className={styles.name}>{t('shipments.noEvent')}</span>
        ) : (
          <ClippedText text={[event.description, event.location].filter(Boolean).join(' · ') || null} />
        ),
    },
    {
      key: 'asked',
      label: t('shipments.asked'),
      hidden: true,
      render: ({ asked_at: at }) => <Instant value={at} />,
    },
  ];
}
