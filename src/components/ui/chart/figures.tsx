'use client';

import { Skeleton } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './figures.module.css';
import { Sparkline } from './sparkline';

export interface Figure {
  label: string;
  /** Undefined while loading: a placeholder is shown. */
  value: ReactNode;
  /** The change since the previous period, for a figure that is compared with it. */
  change?: ReactNode;
  /** The same figure in other currencies. */
  otherCurrencies?: ReactNode;
  /** A small note below the figure, such as its source. */
  note?: ReactNode;
  /** The value on each day, for the small chart. */
  dailyValues?: readonly (number | null)[] | undefined;
  /** The path of the list behind the figure. */
  href?: string;
}

/** The longest part of a figure that must be in one line. */
const lengthStyle = (text: string) =>
  ({ '--figure-length': Math.max(...text.split(' ').map((part) => part.length)) }) as Record<string, number>;

/** Figures side by side, each linked to the list behind it if it has an `href`. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  // Space for notes is reserved in all figures if any of them may have one, so that they align.
  const hasNotes = figures.some((figure) => 'note' in figure);
  const hasSparklines = figures.some((figure) => 'dailyValues' in figure);
  return (
    <dl className={styles.figures} aria-label={label}>
      {figures.map(({ label: name, value, change, otherCurrencies, note, dailyValues, href }) => (
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
          <dd
            className={`figures ${styles.value}`}
            style={typeof value === 'string' ? lengthStyle(value) : undefined}
          >
            {value === undefined ? <Skeleton height={20} width={80} radius="sm" /> : value}
          </dd>
          {change && <dd className="figures">{change}</dd>}
          {otherCurrencies && <dd className={`figures ${styles.note}`}>{otherCurrencies}</dd>}
          {hasNotes && <dd className={`figures ${styles.note}`}>{value === undefined ? null : note}</dd>}
          {hasSparklines && (
            <dd className={styles.trend}>{dailyValues && <Sparkline values={dailyValues} />}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}
