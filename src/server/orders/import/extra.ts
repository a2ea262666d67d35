import { createReason } from '../../core/errors/reason';

/** Cells without a field of their own, by name. */
export type Extra = Record<string, string | number | boolean>;

type Cell = Extra[string];

/**
 * The maximum size of an item's `extra` as PostgreSQL writes it, in bytes. Statistics have the same limit. Each change of `extra` is
 * stored twice in the history, before and after.
 */
export const MAX_EXTRA_BYTES = 64 * 1024;

/** The maximum number of bytes that JSON takes for a UTF-16 unit, such as `\u0001`. */
const MAX_BYTES_PER_UNIT = 6;
/** The maximum length of a number or boolean: the smallest numbers have more than 300 digits. */
const MAX_PLAIN_LENGTH = 350;

/** Returns the size of a cell. PostgreSQL writes numbers without an exponent. */
function sizeOfCell(cell: Cell): number {
  const json = JSON.stringify(cell);
  if (typeof cell !== 'number') return Buffer.byteLength(json);
  const [digits = '', exponent = '0'] = json.split('e');
  return digits.length + Math.abs(Number(exponent)) + 1;
}

/** Returns the size of a member with its punctuation, as in `"name": 1, `. */
export function sizeOfMember(name: string, cell: Cell): number {
  return Buffer.byteLength(JSON.stringify(name)) + sizeOfCell(cell) + 4;
}

/** Returns the size of an item's `extra`. */
export function sizeOfExtra(extra: Extra): number {
  return Object.entries(extra).reduce((size, [name, cell]) => size + sizeOfMember(name, cell), 0);
}

/** Returns whether these members exceed the limit. Only measures them if they can. */
export function exceedsExtraLimit(members: readonly [string, Cell][]): boolean {
  let maxSize = 0;
  for (const [name, cell] of members) {
    const textLength = name.length + (typeof cell === 'string' ? cell.length : 0);
    maxSize += MAX_BYTES_PER_UNIT * textLength + (typeof cell === 'string' ? 8 : MAX_PLAIN_LENGTH + 6);
  }
  if (maxSize <= MAX_EXTRA_BYTES) return false;
  let size = 0;
  return members.some(([name, cell]) => {
    size += sizeOfMember(name, cell);
    return size > MAX_EXTRA_BYTES;
  });
}

/** Creates the reason of the warning about unknown fields that are left out because the item already has too many. */
export const createExtraFullReason = () => createReason('cell.extraFull', { count: MAX_EXTRA_BYTES });
