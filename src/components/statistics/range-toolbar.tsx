import type { ReactNode } from 'react';
import styles from './statistics.module.css';

/** The choice of days and shops on a statistics page. */
export function RangeToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>;
}
