'use client';

import type { ReactNode } from 'react';
import styles from './values.module.css';

/**
 * The meanings of the colours: `waiting` for somebody else, or over; `due` for us to act; `labelled`: has a label; `moving`: on its
 * way; `done`; `urgent`: something goes wrong unless somebody acts.
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
 * A short text or a number whose colour has one of the six meanings. Plain HTML that looks like Mantine's Badge, because a list has
 * hundreds, and rendering one of Mantine's takes as long as the rest of its row.
 */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`figures ${styles.badge}`} data-tone={tone}>
      {children}
    </span>
  );
}
