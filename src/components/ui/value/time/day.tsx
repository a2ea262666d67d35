'use client';

import { useFigureFormatter } from '../../chart/figure-formatter';
import styles from '../values.module.css';

/** A date with its weekday, on one line. */
export function Day({ day }: { day: string }) {
  const figureFormatter = useFigureFormatter();
  return (
    <time className={`figures ${styles.day}`} dateTime={day}>
      {figureFormatter.day(day, 'full')}
    </time>
  );
}
