'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type MouseEvent, memo } from 'react';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import table from '../../ui/list/table/table.module.css';
import { ToneBadge } from '../../ui/value/tone-badge';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';
import { ageText } from './age-text';
import { CAUSE_NAMES, CAUSE_TONES } from './cause-names';

interface Props {
  label: string;
  entries: readonly Entry[];
  /** The id of the chosen entry. */
  chosenId: string | undefined;
  selectedIds: ReadonlySet<string>;
  hrefOf: (id: string) => string;
  onChoose: (id: string) => void;
  /** Undefined for users who may not change orders. */
  onToggle: ((id: string) => void) | undefined;
}

/** The entries of a queue. */
export function QueueList({ label, entries, chosenId, selectedIds, hrefOf, onChoose, onToggle }: Props) {
  const common = useTranslations('common');
  return (
    <ul className={styles.entries} aria-label={label}>
      {entries.map((entry) => {
        const { id, number } = entry;
        const chooseEntry = (event: MouseEvent) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          onChoose(id);
        };
        return (
          <li key={id} className={styles.entry} data-chosen={id === chosenId || undefined}>
            {onToggle && (
              // A native checkbox, as in the rows of every list.
              <label className={styles.check}>
                <input
                  type="checkbox"
                  className={table.box}
                  aria-label={common('list.select', { name: number })}
                  checked={selectedIds.has(id)}
                  onChange={() => onToggle(id)}
                />
              </label>
            )}
            <a
              href={hrefOf(id)}
              data-entry={id}
              aria-current={id === chosenId ? 'true' : undefined}
              onClick={chooseEntry}
            >
              <EntryLines entry={entry} />
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Memoized, so that choosing another entry does not render every entry again. */
const EntryLines = memo(function EntryLines({ entry }: { entry: Entry }) {
  const t = useTranslations('queues');
  const tag = LANGUAGE_TAGS[useLocale()];
  const { cause, since, assigned_to: assignee, items, reply } = entry;
  const itemsText = [entry.title, items > 1 && t('moreItems', { count: items - 1 })]
    .filter(Boolean)
    .join(' ');
  return (
    <>
      <span className={styles.line}>
        <span className="mono">{entry.number}</span>
        {cause && <CauseBadge cause={cause} />}
        {reply && reply.warnings > 0 && (
          <ToneBadge tone="due">{t('review.warnings', { count: reply.warnings })}</ToneBadge>
        )}
        <time className={styles.age} dateTime={since} suppressHydrationWarning>
          {ageText(Date.now() - Date.parse(since), tag) ?? t('justNow')}
        </time>
      </span>
      <span className={styles.line}>
        <span className={styles.words}>
          {[entry.name ?? entry.buyer, itemsText].filter(Boolean).join(' · ') || '–'}
        </span>
        {assignee && <span className={styles.age}>{assignee.name}</span>}
      </span>
    </>
  );
});

/** Why a shipment is stuck. */
export function CauseBadge({ cause }: { cause: NonNullable<Entry['cause']> }) {
  const t = useTranslations('queues');
  return <ToneBadge tone={CAUSE_TONES[cause]}>{t(CAUSE_NAMES[cause])}</ToneBadge>;
}
