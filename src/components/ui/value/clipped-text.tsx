import styles from './values.module.css';

/** A cell's text, clipped to one line; hovering shows all of it. `narrow` clips it earlier. */
export function ClippedText({ text, narrow }: { text: string | null; narrow?: boolean }) {
  if (text === null) return '–';
  return (
    // The server and the browser may name a country differently.
    <span className={styles.clipped} title={text} data-narrow={narrow || undefined} suppressHydrationWarning>
      {text}
    </span>
  );
}
