interface Entry<Value> {
  value: Value;
  index: number;
}

/**
 * A collection without an order, for values that come and go all the time, such as the requests that are being handled.
 *
 * A Set would be slower. When a Set grows, its old hash table keeps a reference to the new one. Once an old table is in V8's old
 * generation, it keeps the values of all later tables alive until the next full collection: under load, refusing a request took
 * 40% longer.
 */
export class UnorderedCollection<Value> implements Iterable<Value> {
  readonly #entries: Entry<Value>[] = [];

  /** Adds a value. Returns a function that removes it, which must be called only once. */
  add(value: Value): () => void {
    const entry = { value, index: this.#entries.length };
    this.#entries.push(entry);
    return () => {
      const lastEntry = this.#entries.pop()!;
      if (lastEntry === entry) return;
      this.#entries[entry.index] = lastEntry;
      lastEntry.index = entry.index;
    };
  }

  /** Iterates over the values. None may be added or removed meanwhile. */
  *[Symbol.iterator](): Iterator<Value> {
    for (const { value } of this.#entries) yield value;
  }
}
