'use client';

import { useTranslations } from 'next-intl';
import type { ShownShortcut } from '../ui/keyboard/page-shortcuts';
import styles from './queue.module.css';

/** The shortcuts of a queue, and how many entries the user has handled today. */
export function QueueFooter({
  shortcuts,
  handledTodayCount,
}: {
  shortcuts: readonly ShownShortcut[];
  /** Not shown if undefined. */
  handledTodayCount: number | undefined;
}) {
  const t = useTranslations('queues');
  return (
    <footer className={styles.footer}>
      <ul className={styles.keys} aria-label={t('keys.label')}>
        {shortcuts.map(({ keys, label }) => (
          <li key={label}>
            {keys.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}{' '}
            {label}
          </li>
        ))}
      </ul>
      {handledTodayCount !== undefined && (
        <span className="figures">{t('handledToday', { count: handledTodayCount })}</span>
      )}
    </footer>
  );
}
