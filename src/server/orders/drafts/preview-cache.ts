/**
 * Caches recent previews, so that turning a page does not run the import again. A process that does not have the preview builds
 * it again. The key covers everything that a preview depends on, so all processes show the same preview.
 */
export class PreviewCache<Preview> {
  readonly #previews = new Map<string, Promise<Preview>>();

  /** @param size the maximum number of previews to cache; the least recently used is evicted first */
  constructor(private readonly size = 8) {}

  /** Returns the cached preview, or builds it. Concurrent callers share one build; a failure is not cached. */
  getOrBuild(key: string, build: () => Promise<Preview>): Promise<Preview> {
    const cached = this.#previews.get(key);
    const preview = cached ?? build();
    this.#previews.delete(key);
    this.#previews.set(key, preview);
    if (cached) return cached;
    preview.catch(() => this.#forget(key, preview));
    for (const oldest of this.#previews.keys()) {
      if (this.#previews.size <= this.size) break;
      this.#previews.delete(oldest);
    }
    return preview;
  }

  /** Moves an entry from one key to another. */
  move(from: string, to: string): void {
    const preview = this.#previews.get(from);
    if (!preview) return;
    this.#previews.delete(from);
    this.#previews.set(to, preview);
  }

  #forget(key: string, preview: Promise<Preview>): void {
    if (this.#previews.get(key) === preview) this.#previews.delete(key);
  }
}
