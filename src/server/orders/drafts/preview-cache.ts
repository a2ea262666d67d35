/**
 * Caches recent previews, so that turning a page does not run the import again. A process that does not have the preview builds
 * it again. Callers put the fingerprint of the draft's latest preview into the key, so that no process shows an older one.
 */
export class PreviewCache<Preview> {
  readonly #previews = new Map<string, Promise<Preview>>();

  /** @param maxSize the maximum number of previews to cache; the least recently used is evicted first */
  constructor(private readonly maxSize = 8) {}

  /** Returns the cached preview, or builds it. Concurrent callers share one build; a failure is not cached. */
  getOrBuild(key: string, build: () => Promise<Preview>): Promise<Preview> {
    const cachedPreview = this.#previews.get(key);
    const preview = cachedPreview ?? build();
    this.#previews.delete(key);
    this.#previews.set(key, preview);
    if (cachedPreview) return cachedPreview;
    preview.catch(() => this.#forget(key, preview));
    for (const oldestKey of this.#previews.keys()) {
      if (this.#previews.size <= this.maxSize) break;
      this.#previews.delete(oldestKey);
    }
    return preview;
  }

  /** Moves an entry from one key to another. */
  move(fromKey: string, toKey: string): void {
    const preview = this.#previews.get(fromKey);
    if (!preview) return;
    this.#previews.delete(fromKey);
    this.#previews.set(toKey, preview);
  }

  #forget(key: string, preview: Promise<Preview>): void {
    if (this.#previews.get(key) === preview) this.#previews.delete(key);
  }
}
