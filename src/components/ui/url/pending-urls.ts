/** How long a URL stays pending. One that is still not shown by then was superseded, for example by a link. */
const PENDING_TIMEOUT_MS = 3_000;

/**
 * The URLs that a page's controls have written and that Next does not show yet. Until it shows them, Next may set the browser's URL
 * back to an earlier one, and a change based on that one would lose the later changes.
 */
export class PendingUrls {
  #entries: { url: string; addedAt: number }[] = [];
  #shownUrl = '';

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(url: string): void {
    this.#entries.push({ url, addedAt: this.now() });
  }

  /**
   * Records that the page shows a URL. That URL and those written before it are no longer pending; later ones still are. A URL
   * that is not pending, such as that of a link, clears all pending ones.
   */
  markShown(url: string): void {
    // Several components of a page report the same URL.
    if (url === this.#shownUrl) return;
    this.#shownUrl = url;
    const index = this.#entries.findIndex((entry) => entry.url === url);
    this.#entries = index === -1 ? [] : this.#entries.slice(index + 1);
  }

  clear(): void {
    this.#entries = [];
  }

  /** Returns the pending URL on which the next change has to be based, if there is one for this page. */
  latestUrl(path: string): string | undefined {
    const lastEntry = this.#entries.at(-1);
    if (!lastEntry || this.now() - lastEntry.addedAt >= PENDING_TIMEOUT_MS) return undefined;
    return lastEntry.url.split('?')[0] === path ? lastEntry.url : undefined;
  }

  /** Returns whether the page still shows an earlier URL than the last one that its controls have written. */
  isBehind(path: string, shownUrl: string): boolean {
    const pendingUrl = this.latestUrl(path);
    return pendingUrl !== undefined && pendingUrl !== shownUrl;
  }
}
