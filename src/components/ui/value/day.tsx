'use client';

import { useFigureText } from '../chart/figure-text';
import styles from './values.module.css';

/** A date with its weekday, on one line. */
export function Day({ day }: { day: string }) {
  const text = useFigureText();
  return (
    <time className={`figures ${styles.day}`} dateTime={day}>
      {text.day(day, 'full')}
    </time>
  );
}
