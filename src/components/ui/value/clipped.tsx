import styles from './values.module.css';

/** A cell's text on one line; hovering shows all of it. Lists of many columns clip it earlier. */
export function Clipped({ text, narrow }: { text: string | null; narrow?: boolean }) {
  if (text === null) return '–';
  return (
    // A country's name may differ between the server and the browser, whose lists of names are of different years.
    <span className={styles.clipped} title={text} data-narrow={narrow || undefined} suppressHydrationWarning>
      {text}
    </span>
  );
}
