import styles from './values.module.css';

/** A text of a cell on one line, whole where it is pointed at. */
export function Clipped({ text }: { text: string | null }) {
  if (text === null) return '–';
  return (
    <span className={styles.clipped} title={text}>
      {text}
    </span>
  );
}
