'use client';

import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { useTooltipProps } from '../../ui/floating/tooltip';
import { dateFormat } from '../../ui/value/formats';
import { useReaderZone } from '../../ui/value/time/zones';
import styles from '../orders.module.css';
import { computeDueDay, formatDueDay } from './compute-due-day';

/**
 * The day in New York by which an order should be shipped; red once it is late. When hovered or focused, it shows when the order
 * becomes late, in the reader's time zone.
 */
export function DueDay({ saleDate }: { saleDate: string | null }) {
  const t = useTranslations('orders');
  const tag = LANGUAGE_TAGS[useLocale()];
  const readerZone = useReaderZone();
  const tooltipProps = useTooltipProps();
  if (saleDate === null) return '–';
  const now = Date.now();
  const { dueAt, day, daysAway, isLate } = computeDueDay(saleDate, now);
  const dueTimeText = () =>
    dateFormat(tag, { dateStyle: 'full', timeStyle: 'long', timeZone: readerZone }).format(dueAt);
  return (
    <time
      className={styles.due}
      dateTime={day}
      data-late={isLate || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard
      tabIndex={0}
      suppressHydrationWarning
      {...tooltipProps(() => t('lateFrom', { time: dueTimeText() }))}
    >
      {formatDueDay({ day, daysAway }, tag, now)}
    </time>
  );
}
