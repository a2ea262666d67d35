import styles from './values.module.css';

/** A cell's text on one line; hovering shows all of it. */
export function Clipped({ text }: { text: string | null }) {
  if (text === null) return '–';
  return (
    // A country's name may differ between the server and the browser, whose lists of names are of different years.
    <span className={styles.clipped} title={text} suppressHydrationWarning>
      {text}
    </span>
  );
}
