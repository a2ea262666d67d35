'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { TRACKING_STATUSES } from '../../server/core/statuses';
import type { RouterOutputs } from '../api/router-types';
import type { ListUrl } from '../ui/list/list-url';
import { useStatusName } from '../ui/value/status-badge';
import styles from './tracking.module.css';

interface Props {
  url: ListUrl<'status' | 'shop' | 'carrier' | 'idle'>;
  counts: RouterOutputs['shipments']['counts'] | undefined;
}

/** How many shipments have each status; each count links to those shipments. */
export function ShipmentCounts({ url, counts }: Props) {
  const t = useTranslations('tracking');
  const statusName = useStatusName();
  const format = useFormatter();
  const { status: chosenStatus } = url.filters;
  const countByStatus = new Map(counts?.statuses.map(({ status, count }) => [status, count]));
  const links = [
    { status: undefined, name: t('shipments.all'), count: counts?.total },
    ...TRACKING_STATUSES.map((status) => ({
      status,
      name: statusName(status),
      count: countByStatus.get(status),
    })),
  ];
  return (
    <nav aria-label={t('shipments.counts')}>
      <ul className={styles.counts}>
        {links.map(({ status, name, count }) => (
          <li key={name}>
            <a
              href={url.hrefOf({ status })}
              aria-current={chosenStatus === status ? 'true' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                url.setFilters({ status });
              }}
            >
              <span className={`figures ${styles.count}`}>
                {count === undefined ? '\u00a0' : format.number(count)}
              </span>
              <span className={styles.name}>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
