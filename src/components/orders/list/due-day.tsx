'use client';

import { useLocale } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import styles from '../orders.module.css';
import { computeDueDay, formatDueDay } from './compute-due-day';

/** The day in New York by which an order should be shipped; red once it is late. */
export function DueDay({ saleDate }: { saleDate: string | null }) {
  const tag = LANGUAGE_TAGS[useLocale()];
  if (saleDate === null) return '–';
  const now = Date.now();
  const { day, daysAway, isLate } = computeDueDay(saleDate, now);
  return (
    <time className={styles.due} dateTime={day} data-late={isLate || undefined} suppressHydrationWarning>
      {formatDueDay({ day, daysAway }, tag, now)}
    </time>
  );
}
