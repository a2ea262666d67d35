'use client';

import { Skeleton, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { LATE_DAYS, NOT_SCANNED_DAYS, QUEUES } from '../../server/queues/queue';
import type { RouterOutputs } from '../api/router-types';
import { useFigureText } from '../ui/chart/figure-text';
import { newYorkDay, plusDays } from '../ui/chart/new-york-days';
import type { ListLinks } from './list-links';
import styles from './overview.module.css';

type OverviewFigures = RouterOutputs['overview']['read'];

const QUEUE_LABELS = messageKeys('overview', {
  to_ship: 'attention.toShip',
  late: 'attention.late',
  exception: 'attention.exceptions',
  delivery_failed: 'attention.failures',
  not_scanned: 'attention.notScanned',
});

interface Row {
  key: string;
  label: string;
  count: number | undefined;
  href: string;
  note?: string | undefined;
}

interface Props {
  attention: OverviewFigures['attention'] | undefined;
  links: ListLinks;
}

/** What needs a person's attention, whenever it was sold. */
export function Attention({ attention, links }: Props) {
  const t = useTranslations('overview');
  const missing = attention?.statistics_missing;
  const rows: Row[] = [
    ...QUEUES.map((queue) => ({
      key: queue,
      label: t(QUEUE_LABELS[queue], { days: queue === 'late' ? LATE_DAYS : NOT_SCANNED_DAYS }),
      count: attention?.queues[queue],
      href: links.queue(queue),
    })),
    {
      key: 'imports',
      label: t('attention.imports'),
      count: attention?.imports_with_warnings,
      href: links.page('/imports', { warnings: 'yes', from: plusDays(newYorkDay(new Date()), -7) }),
    },
    {
      key: 'statistics',
      label: t('attention.statistics'),
      count: missing?.length,
      note: missing?.map(({ name }) => name).join(', '),
      href: links.page('/statistics/missing', { shop: missing?.map(({ shop_id }) => shop_id).join(',') }),
    },
  ];
  return (
    <section aria-labelledby="attention">
      <Title order={2} id="attention">
        {t('attention.title')}
      </Title>
      <p className={styles.scope}>{t('attention.scope')}</p>
      <ul className={styles.rows}>
        {rows.map(({ key, ...row }) => (
          <AttentionRow key={key} {...row} />
        ))}
      </ul>
    </section>
  );
}

function AttentionRow({ label, count, href, note }: Omit<Row, 'key'>) {
  const t = useTranslations('overview');
  const text = useFigureText();
  return (
    <li className={styles.row} data-quiet={count === 0 || undefined}>
      {count ? (
        <IconAlertTriangle size={16} stroke={1.75} className={styles.alarm} aria-hidden />
      ) : (
        <IconCircleCheck size={16} stroke={1.75} aria-hidden />
      )}
      <span>
        {label}
        {note && <small>{note}</small>}
      </span>
      {count === undefined ? (
        <Skeleton width={32} height={16} radius="sm" />
      ) : (
        <Link href={href} prefetch={false} className="figures">
          {text.of('count', count)} <span className="heard">{t('attention.show')}</span>
        </Link>
      )}
    </li>
  );
}
