'use client';

import { Skeleton } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './figures.module.css';

export interface Figure {
  label: string;
  /** Undefined until loaded: a placeholder keeps its space. */
  value: ReactNode;
  /** A small note below it. */
  note?: ReactNode;
  /** The list behind it. */
  href?: string;
}

/** Figures side by side, each with a link to the list behind it. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  // If none has a note, there is no space for one; if one may have, all align.
  const noted = figures.some((figure) => 'note' in figure);
  return (
    <dl className={styles.figures} aria-label={label}>
      {figures.map(({ label: name, value, note, href }) => (
        <div key={name} className={styles.figure}>
          <dt>
            {href ? (
              <Link href={href} prefetch={false}>
                {name}
              </Link>
            ) : (
              name
            )}
          </dt>
          <dd className={`figures ${styles.value}`}>
            {value === undefined ? <Skeleton height={20} width={80} radius="sm" /> : value}
          </dd>
          {noted && <dd className={`figures ${styles.note}`}>{value === undefined ? null : note}</dd>}
        </div>
      ))}
    </dl>
  );
}
