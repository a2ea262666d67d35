/** A URL that is not shown by then, in milliseconds, was overtaken by something else, such as a link. */
const PENDING_MS = 3_000;

/**
 * The URLs that a page's controls have written and Next does not show yet. In between, Next may write an earlier URL
 * into the browser's, and a change that started from that one would lose the later ones.
 */
export class PendingAddresses {
  #waiting: { url: string; at: number }[] = [];
  #shown = '';

  constructor(private readonly now: () => number = () => performance.now()) {}

  wrote(url: string): void {
    this.#waiting.push({ url, at: this.now() });
  }

  /** The page shows this URL: those written before it will not be shown any more, and those after it are still pending. */
  shows(url: string): void {
    // Several components of a page report the same URL.
    if (url === this.#shown) return;
    this.#shown = url;
    const at = this.#waiting.findIndex((pending) => pending.url === url);
    this.#waiting = at === -1 ? [] : this.#waiting.slice(at + 1);
  }

  forget(): void {
    this.#waiting = [];
  }

  /** The URL of this page that the next change starts from, if one is pending. */
  latest(path: string): string | undefined {
    const last = this.#waiting.at(-1);
    if (!last || this.now() - last.at >= PENDING_MS) return undefined;
    return last.url.split('?')[0] === path ? last.url : undefined;
  }

  /** Whether the page still shows an earlier URL than the last one that a control of it has written. */
  isBehind(path: string, shown: string): boolean {
    const latest = this.latest(path);
    return latest !== undefined && latest !== shown;
  }
}
