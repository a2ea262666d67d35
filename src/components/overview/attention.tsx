'use client';

import { Skeleton, Title } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { LATE_DAYS, NOT_SCANNED_DAYS, type QueueName } from '../../server/queues/queue';
import type { RouterOutputs } from '../api/router-types';
import { QUEUE_NAMES } from '../queues/queue-names';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { newYorkDay } from '../ui/value/time/new-york-days';
import styles from './attention.module.css';
import type { ListLinks } from './list-links';

type OverviewFigures = RouterOutputs['overview']['read'];

/** The queues that are shown even if they are empty, most urgent first. */
const ALWAYS_SHOWN_QUEUES = [
  'exception',
  'delivery_failed',
  'late',
  'to_ship',
  'not_scanned',
  'to_review',
] as const satisfies QueueName[];
/** The queues shown in red unless they are empty, because something has gone wrong for a waiting buyer. */
const URGENT_QUEUES: readonly QueueName[] = ['exception', 'delivery_failed', 'late'];

const QUEUE_NOTES = messageKeys('overview', {
  late: 'attention.lateNote',
  exception: 'attention.exceptionsNote',
  delivery_failed: 'attention.failuresNote',
  not_scanned: 'attention.notScannedNote',
});

interface Tile {
  key: string;
  label: string;
  note: string;
  count: number | undefined;
  href: string;
  urgent?: boolean;
}

/** What needs attention, regardless of the sale date. */
export function Attention({ overview, links }: { overview: OverviewFigures | undefined; links: ListLinks }) {
  const t = useTranslations('overview');
  const common = useTranslations('common');
  const format = useFormatter();
  const figureFormatter = useFigureFormatter();
  const attention = overview?.attention;
  const shopsMissingDays = attention?.statistics_missing ?? [];
  const shopsMissingDaysCount = attention?.statistics_missing_count ?? 0;
  const unlistedShopCount = shopsMissingDaysCount - shopsMissingDays.length;
  const oldestSaleDate = overview?.oldest_to_ship;
  const newEntryCounts = overview?.new_entries;
  const noteOf = (queue: (typeof ALWAYS_SHOWN_QUEUES)[number]): string => {
    if (queue === 'to_review') return t('attention.toReviewNote', { count: newEntryCounts?.to_review ?? 0 });
    if (queue === 'to_ship')
      return oldestSaleDate
        ? t('attention.oldest', { day: figureFormatter.day(newYorkDay(new Date(oldestSaleDate)), 'short') })
        : t('attention.toShipNote');
    const count = queue === 'exception' || queue === 'delivery_failed' ? (newEntryCounts?.[queue] ?? 0) : 0;
    if (count > 0) return t('attention.new', { count });
    return t(QUEUE_NOTES[queue], { days: queue === 'late' ? LATE_DAYS : NOT_SCANNED_DAYS });
  };
  const tiles: Tile[] = ALWAYS_SHOWN_QUEUES.map((queue) => ({
    key: queue,
    label: common(QUEUE_NAMES[queue]),
    note: noteOf(queue),
    count: attention?.queues[queue],
    href: links.queue(queue),
    urgent: URGENT_QUEUES.includes(queue),
  }));
  if (attention && attention.queues.unmatched > 0)
    tiles.push({
      key: 'unmatched',
      label: common(QUEUE_NAMES.unmatched),
      note: t('attention.unmatchedNote'),
      count: attention.queues.unmatched,
      href: links.page('/queues/unmatched'),
    });
  if (attention && attention.imports_with_warnings > 0)
    tiles.push({
      key: 'imports',
      label: t('attention.imports'),
      note: t('attention.importsNote'),
      count: attention.imports_with_warnings,
      href: links.imports({
        outcome: 'succeeded',
        warnings: 'yes',
        from: attention.imports_from,
      }),
    });
  if (shopsMissingDaysCount > 0)
    tiles.push({
      key: 'statistics',
      label: t('attention.statistics'),
      note: format.list(
        [
          ...shopsMissingDays.map(({ name }) => name),
          ...(unlistedShopCount > 0 ? [t('attention.moreShops', { count: unlistedShopCount })] : []),
        ],
        { style: 'narrow' },
      ),
      count: shopsMissingDaysCount,
      // If not all are listed, the page shows all shops.
      href: links.page('/statistics/missing', {
        shop: unlistedShopCount > 0 ? '' : shopsMissingDays.map(({ shop_id }) => shop_id).join(','),
      }),
    });
  return (
    <section aria-labelledby="attention">
      <Title order={2} id="attention" className="visually-hidden">
        {t('attention.title')}
      </Title>
      <ul className={styles.tiles}>
        {tiles.map(({ key, ...tile }) => (
          <AttentionTile key={key} {...tile} />
        ))}
      </ul>
      <p className={styles.scope}>{t('attention.scope')}</p>
    </section>
  );
}

function AttentionTile({ label, note, count, href, urgent }: Omit<Tile, 'key'>) {
  const figureFormatter = useFigureFormatter();
  return (
    <li className={styles.tile} data-urgent={(urgent && count !== 0) || undefined}>
      <Link href={href} prefetch={false}>
        {label}
      </Link>
      <small>{note}</small>
      {count === undefined ? (
        <Skeleton width={32} height={24} radius="sm" />
      ) : (
        <span className={`figures ${styles.count}`}>{figureFormatter.figure('count', count)}</span>
      )}
    </li>
  );
}
