/**
 * Previews that were just made, so that turning a page does not run the import again. Another process, or one that has
 * forgotten, makes its own: a preview is known by what it was made from, so all of them show the same.
 */
export class PreviewCache<Preview> {
  readonly #kept = new Map<string, Promise<Preview>>();

  /** @param size how many are kept; the one that was used longest ago goes first */
  constructor(private readonly size = 8) {}

  /** The preview under `key`, made once however many ask for it at the same time; a failure is not kept. */
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

  /** Makes what is kept under one key found under another. */
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
