'use client';

import { Skeleton } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './figures.module.css';
import { Sparkline } from './sparkline';

export interface Figure {
  label: string;
  /** Undefined while it is loaded: a placeholder is shown. */
  value: ReactNode;
  /** The change since the period before; without it, the figure is not compared. */
  change?: ReactNode;
  /** The same in other currencies. */
  others?: ReactNode;
  /** A small note below it, such as where it comes from. */
  note?: ReactNode;
  /** Its value on each day, for the small chart. */
  values?: readonly (number | null)[] | undefined;
  /** The list behind it. */
  href?: string;
}

/** Figures side by side, each with a link to the list behind it. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  // If none has a note, there is no space for one; if one may have, all align.
  const noted = figures.some((figure) => 'note' in figure);
  const drawn = figures.some((figure) => 'values' in figure);
  return (
    <dl className={styles.figures} aria-label={label}>
      {figures.map(({ label: name, value, change, others, note, values, href }) => (
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
          {change && <dd className="figures">{change}</dd>}
          {others && <dd className={`figures ${styles.note}`}>{others}</dd>}
          {noted && <dd className={`figures ${styles.note}`}>{value === undefined ? null : note}</dd>}
          {drawn && <dd className={styles.course}>{values && <Sparkline values={values} />}</dd>}
        </div>
      ))}
    </dl>
  );
}
