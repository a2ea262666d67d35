const END = 'page-end';

/**
 * Lets the browser paint nothing before `PageEnd`. HTML arrives in parts, and a browser with much to do paints each: rows that
 * share their width among their children, such as the figures of a page, would move as the later ones arrive.
 */
export function PaintAtPageEnd() {
  return <link rel="expect" href={`#${END}`} blocking="render" />;
}

/** The end of a page's body; required with `PaintAtPageEnd`. */
export function PageEnd() {
  return <span id={END} hidden />;
}
