import type { ReactNode } from 'react';
import styles from './statistics.module.css';

/** What a page of statistics is about: the days, the shops. */
export function RangeToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>;
}
