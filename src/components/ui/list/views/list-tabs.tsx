'use client';

import { useFormatter, useTranslations } from 'next-intl';
import type { MouseEvent, ReactNode } from 'react';
import { useUrl } from '../../url/use-url';
import styles from './list-tabs.module.css';

/** A count that stops at a limit; `more` says whether there are more. */
export interface LimitedCount {
  count: number;
  more: boolean;
}

export interface ListTab {
  key: string;
  label: string;
  /** The query string of the tab's URL. */
  search: string;
  count?: LimitedCount | undefined;
}

/** Tabs above a list: links that show another part of it. `children` are shown after them. */
export function ListTabs({
  label,
  tabs,
  currentKey,
  children,
}: {
  label: string;
  tabs: readonly ListTab[];
  currentKey: string | undefined;
  children?: ReactNode;
}) {
  const { goTo } = useUrl();
  return (
    <div className={styles.bar}>
      <nav className={styles.tabs} aria-label={label}>
        {tabs.map(({ key, label: name, search, count }) => {
          const openTab = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            goTo(search);
          };
          return (
            <a
              key={key}
              href={`?${search}`}
              aria-current={key === currentKey ? 'page' : undefined}
              onClick={openTab}
            >
              {name} {count && <CountText {...count} />}
            </a>
          );
        })}
      </nav>
      {children}
    </div>
  );
}

function CountText({ count, more }: LimitedCount) {
  const t = useTranslations('common');
  const format = useFormatter();
  return (
    <span className={`figures ${styles.count}`}>
      {more ? t('list.countMore', { count }) : format.number(count)}
    </span>
  );
}
