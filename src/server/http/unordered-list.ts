interface Entry<Value> {
  value: Value;
  index: number;
}

/**
 * Values without an order, for those that come and go all the time, such as the requests that are being handled.
 *
 * A Set would slow them down. Each table that it outgrows refers to the next one. Once such a table is in V8's old generation, it
 * keeps alive what was in the later tables, until the next full collection: under load, refusing a request took 40 % longer.
 */
export class UnorderedList<Value> implements Iterable<Value> {
  readonly #entries: Entry<Value>[] = [];

  /** Adds a value. Returns a function that removes it, which must be called only once. */
  add(value: Value): () => void {
    const entry = { value, index: this.#entries.length };
    this.#entries.push(entry);
    return () => {
      const last = this.#entries.pop()!;
      if (last === entry) return;
      this.#entries[entry.index] = last;
      last.index = entry.index;
    };
  }

  /** Iterates over the values. None may be added or removed meanwhile. */
  *[Symbol.iterator](): Iterator<Value> {
    for (const { value } of this.#entries) yield value;
  }
}
