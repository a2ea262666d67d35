const PAGE_END_ID = 'page-end';

/**
 * Asks the browser not to paint before `PageEnd`. HTML arrives in chunks, and a busy browser may paint each of them: rows that
 * divide their width among their children, such as the figures of a page, would shift as later children arrive.
 */
export function PaintAtPageEnd() {
  return <link rel="expect" href={`#${PAGE_END_ID}`} blocking="render" />;
}

/** The end of a page's body; required with `PaintAtPageEnd`. */
export function PageEnd() {
  return <span id={PAGE_END_ID} hidden />;
}
