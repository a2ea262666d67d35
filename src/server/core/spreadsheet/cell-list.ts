import { createReason, type Reason } from '../errors/reason';

const MAX_LISTED_CELLS = 5;

/** The addresses of the first few cells of a kind, and how many there are. */
export class CellList {
  readonly #firstAddresses: string[] = [];
  count = 0;

  add(address: string): void {
    if (++this.count <= MAX_LISTED_CELLS) this.#firstAddresses.push(address);
  }

  /** Returns the reason to refuse a sheet that has such cells, naming the first ones. */
  reason(
    fullListKey: 'file.errors' | 'file.formulas',
    truncatedListKey: 'file.manyErrors' | 'file.manyFormulas',
  ): Reason {
    const addressList = this.#firstAddresses.join(', ');
    const unlistedCount = this.count - this.#firstAddresses.length;
    return unlistedCount > 0
      ? createReason(truncatedListKey, { cells: addressList, count: unlistedCount })
      : createReason(fullListKey, { cells: addressList });
  }
}
