'use client';

import { Skeleton } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './figures.module.css';

export interface Figure {
  label: string;
  /** Undefined until it is known: its place is held. */
  value: ReactNode;
  /** What else there is to say of it, in small. */
  note?: ReactNode;
  /** The list behind it. */
  href?: string;
}

/** Figures beside each other, each with the list that it was counted from. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  // Where none has a note there is no room for one; where one may have, all stand alike.
  const noted = figures.some((figure) => 'note' in figure);
  return (
    <dl className={styles.figures} aria-label={label}>
      {figures.map(({ label: name, value, note, href }) => (
        <div key={name} className={styles.figure}>
          <dt>{href ? <Link href={href}>{name}</Link> : name}</dt>
          <dd className={`figures ${styles.value}`}>
            {value === undefined ? <Skeleton height={20} width={80} radius="sm" /> : value}
          </dd>
          {noted && <dd className={`figures ${styles.note}`}>{value === undefined ? null : note}</dd>}
        </div>
      ))}
    </dl>
  );
}
