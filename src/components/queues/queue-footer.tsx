'use client';

import { useTranslations } from 'next-intl';
import styles from './queue.module.css';

/** The keys of a queue, and how much the reader has done today. */
export function QueueFooter({ handled, mayWrite }: { handled: number | undefined; mayWrite: boolean }) {
  const t = useTranslations('queues');
  const keys: [string[], string][] = [
    [['J', 'K'], t('keys.move')],
    [['Enter'], t('keys.open')],
    ...((mayWrite
      ? [
          [['X'], t('keys.select')],
          [['H'], t('keys.handled')],
          [['S'], t('keys.snooze')],
          [['A'], t('keys.assign')],
          [['N'], t('keys.note')],
          [['U'], t('keys.undo')],
        ]
      : []) as [string[], string][]),
  ];
  return (
    <footer className={styles.footer}>
      <ul className={styles.keys} aria-label={t('keys.label')}>
        {keys.map(([names, does]) => (
          <li key={does}>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}{' '}
            {does}
          </li>
        ))}
      </ul>
      {mayWrite && handled !== undefined && (
        <span className="figures" title={t('handledMeans')}>
          {t('handledToday', { count: handled })}
        </span>
      )}
    </footer>
  );
}
