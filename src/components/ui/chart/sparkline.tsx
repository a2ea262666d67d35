import styles from './figures.module.css';
import { linePath } from './scale';

/** A small chart of a figure over the days; a day without a value is a gap. Hidden from screen readers. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <span className={styles.spark} />;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const at = (value: number) => (high === low ? 50 : (100 * (high - value)) / (high - low));
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${values.length} 100`}
      preserveAspectRatio="none"
      aria-hidden
      focusable={false}
    >
      <path d={linePath(values, at)} />
    </svg>
  );
}
