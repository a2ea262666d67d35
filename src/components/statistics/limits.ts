import type { AddressState } from '../ui/list/list-address';

/** As the procedures allow. */
export const MOST_DAYS = 1_096;
export const MOST_NAMED = 50;
/** More lines than this in one chart cannot be told apart. */
export const MOST_LINES = 6;

/** The order that an address asks for, where the procedure knows it. */
export function sortOf<Name extends string>(
  { sort }: AddressState,
  known: readonly Name[],
): { sort?: Name; direction?: 'asc' | 'desc' } {
  const by = known.find((name) => name === sort?.by);
  return by ? { sort: by, direction: sort?.descending ? 'desc' : 'asc' } : {};
}
