import styles from './values.module.css';

/** A cell's text on one line; hovering shows all of it. */
export function Clipped({ text }: { text: string | null }) {
  if (text === null) return '–';
  return (
    <span className={styles.clipped} title={text}>
      {text}
    </span>
  );
}
