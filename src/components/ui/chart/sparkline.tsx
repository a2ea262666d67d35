import styles from './figures.module.css';
import { linePath } from './scale';

/**
 * A small chart of a figure, one value a day. A day without a value is a gap. Empty if there are fewer than two values. Hidden from
 * screen readers.
 */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2) return <span className={styles.spark} />;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const topOf = (value: number) => (high === low ? 50 : (100 * (high - value)) / (high - low));
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${values.length} 100`}
      preserveAspectRatio="none"
      aria-hidden
      focusable={false}
    >
      <path d={linePath(values, topOf)} />
    </svg>
  );
}
