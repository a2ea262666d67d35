'use client';

import type { ReactNode } from 'react';
import styles from './list.module.css';

interface Props {
  /** Whether the content is still that of the previous query. */
  isStale: boolean;
  /** Whether the content is being loaded, for the first time or again. */
  isBusy: boolean;
  className?: string;
  children: ReactNode;
}

/** Content that, like the rows of a list, is dimmed and inert while that of a new query is loading. */
export function StaleContent({ isStale, isBusy, className = '', children }: Props) {
  return (
    <div
      className={`${className} ${isStale ? styles.stale : ''}`}
      aria-busy={isBusy}
      inert={isStale}
      data-stale={isStale || undefined}
    >
      {children}
    </div>
  );
}
