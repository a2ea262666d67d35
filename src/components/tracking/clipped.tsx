import styles from './tracking.module.css';

/** One line, whole where it is pointed at. */
export function Clipped({ text }: { text: string }) {
  return (
    <span className={styles.clipped} title={text}>
      {text}
    </span>
  );
}
