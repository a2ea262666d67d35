'use client';

import { Group, Skeleton, Title } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ORDER_TRACKING_STATUSES } from '../../server/core/statuses';
import type { RouterOutputs } from '../api/router-types';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { StatusBadge, statusColor } from '../ui/value/status-badge';
import type { ListLinks } from './list-links';
import styles from './overview.module.css';

type OverviewFigures = RouterOutputs['overview']['read'];

/** Orders sold in the range, by the status of their shipments; each number links to the orders it counts. */
export function OrdersByTrackingStatus({
  tracking,
  links,
  controls,
}: {
  tracking: OverviewFigures['tracking'] | undefined;
  links: ListLinks;
  /** The controls for choosing another chart. */
  controls: ReactNode;
}) {
  const t = useTranslations('overview');
  const figureFormatter = useFigureFormatter();
  const countByStatus = new Map(tracking?.map(({ status, orders }) => [status, orders]));
  const maxCount = Math.max(1, ...countByStatus.values());
  return (
    <section aria-labelledby="shipments">
      <Group gap="sm" mih={36} justify="space-between">
        <Title order={3} id="shipments">
          {t('charts.shipments')}
        </Title>
        <Group gap="sm">{controls}</Group>
      </Group>
      <ul className={styles.rows}>
        {ORDER_TRACKING_STATUSES.map((status) => {
          const count = countByStatus.get(status) ?? 0;
          const color = status === 'none' ? 'gray' : statusColor(status);
          return (
            <li key={status} className={styles.shipment} data-quiet={(tracking && count === 0) || undefined}>
              <span>{status === 'none' ? t('noShipment') : <StatusBadge status={status} />}</span>
              <span className={styles.track} aria-hidden>
                <span
                  style={{
                    width: `${(100 * count) / maxCount}%`,
                    background: `var(--mantine-color-${color}-filled)`,
                  }}
                />
              </span>
              {tracking ? (
                <Link href={links.soldOrders({ tracking: status })} prefetch={false} className="figures">
                  {figureFormatter.figure('count', count)}{' '}
                  <span className="visually-hidden">{t('attention.show')}</span>
                </Link>
              ) : (
                <Skeleton width={32} height={16} radius="sm" />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
