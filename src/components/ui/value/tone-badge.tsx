'use client';

import type { ReactNode } from 'react';
import styles from './values.module.css';

/**
 * The colour of each tone. `waiting`: somebody else has to act, or nothing more will happen; `due`: we have to act; `labelled`:
 * the shipment has a label; `moving`: something is under way; `done`; `urgent`: something has gone wrong, or will unless somebody
 * acts.
 */
export const TONES = {
  waiting: 'gray',
  due: 'yellow',
  labelled: 'violet',
  moving: 'blue',
  done: 'green',
  urgent: 'red',
} as const;

export type Tone = keyof typeof TONES;

/**
 * A word or a number in the colour of one of the six tones. Plain HTML that looks like Mantine's Badge, because a list has
 * hundreds, and rendering one of Mantine's takes as long as the rest of its row.
 */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`figures ${styles.badge}`} data-tone={tone}>
      {children}
    </span>
  );
}
