'use client';

import { useTranslations } from 'next-intl';
import { Instant } from '../../ui/value/time/instant';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';

/** An entry's shop and times, its assignee, and whether it is snoozed or handled. */
export function EntryFacts({ entry, saleDate = null }: { entry: Entry; saleDate?: string | null }) {
  const t = useTranslations('queues');
  const { shop, assigned_to: assignee, snoozed_until: snoozedUntil, handled_at: handledAt } = entry;
  const renderInstant = (value: string) => () => <Instant value={value} brief />;
  return (
    <p className={styles.facts}>
      {shop === null ? (
        <span>{t.rich('entry.reported', { when: renderInstant(entry.since) })}</span>
      ) : (
        <span>{shop}</span>
      )}
      {saleDate && (
        <span>{t.rich('entry.sold', { when: () => <Instant value={saleDate} brief isSale /> })}</span>
      )}
      {assignee && <span>{t('entry.assigned', { name: assignee.name })}</span>}
      {snoozedUntil && <span>{t.rich('entry.snoozed', { when: renderInstant(snoozedUntil) })}</span>}
      {handledAt && <span>{t.rich('entry.handled', { when: renderInstant(handledAt) })}</span>}
    </p>
  );
}
