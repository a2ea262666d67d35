/** An address that is not shown by then, in milliseconds, was overtaken by something else, such as a link. */
const PENDING_MS = 3_000;

/**
 * The addresses that a page's controls have written and Next does not show yet. In between, Next may write an earlier address
 * into the browser's, and a change that started from that one would lose the later ones.
 */
export class PendingAddresses {
  #waiting: { address: string; at: number }[] = [];
  #shown = '';

  constructor(private readonly now: () => number = () => performance.now()) {}

  wrote(address: string): void {
    this.#waiting.push({ address, at: this.now() });
  }

  /** The page shows this address: those written before it will not be shown any more, and those after it are still pending. */
  shows(address: string): void {
    // Several components of a page report the same address.
    if (address === this.#shown) return;
    this.#shown = address;
    const at = this.#waiting.findIndex((pending) => pending.address === address);
    this.#waiting = at === -1 ? [] : this.#waiting.slice(at + 1);
  }

  forget(): void {
    this.#waiting = [];
  }

  /** The address of this page that the next change starts from, if one is pending. */
  latest(path: string): string | undefined {
    const last = this.#waiting.at(-1);
    if (!last || this.now() - last.at >= PENDING_MS) return undefined;
    return last.address.split('?')[0] === path ? last.address : undefined;
  }

  /** Whether the page still shows an earlier address than the last one that a control of it has written. */
  isBehind(path: string, shown: string): boolean {
    const latest = this.latest(path);
    return latest !== undefined && latest !== shown;
  }
}
