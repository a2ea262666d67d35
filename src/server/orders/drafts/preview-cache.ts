/**
 * Recent previews, so that turning a page does not run the import again. A process without the preview makes it again. The key
 * covers everything a preview is made from, so all processes show the same.
 */
export class PreviewCache<Preview> {
  readonly #kept = new Map<string, Promise<Preview>>();

  /** @param size how many previews are kept; the least recently used is dropped first */
  constructor(private readonly size = 8) {}

  /** Returns the preview under `key`, made once even if several callers ask at the same time. A failure is not cached. */
  through(key: string, make: () => Promise<Preview>): Promise<Preview> {
    const kept = this.#kept.get(key);
    const preview = kept ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, preview);
    if (kept) return kept;
    preview.catch(() => this.#forget(key, preview));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.size) break;
      this.#kept.delete(oldest);
    }
    return preview;
  }

  /** Moves an entry from one key to another. */
  move(from: string, to: string): void {
    const kept = this.#kept.get(from);
    if (!kept) return;
    this.#kept.delete(from);
    this.#kept.set(to, kept);
  }

  #forget(key: string, preview: Promise<Preview>): void {
    if (this.#kept.get(key) === preview) this.#kept.delete(key);
  }
}
