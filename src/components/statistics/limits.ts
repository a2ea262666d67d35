import type { UrlState } from '../ui/list/list-url';

/** The procedures' limits: the days in a range, and the shops in a filter. */
export const MAX_DAYS = 1_096;
export const MAX_SHOPS = 50;
/** More lines in one chart are hard to distinguish. */
export const MAX_LINES = 6;

/** Returns the sort order in a URL, if the procedure supports it. */
export function sortOf<Name extends string>(
  { sort }: UrlState,
  names: readonly Name[],
): { sort?: Name; direction?: 'asc' | 'desc' } {
  const by = names.find((name) => name === sort?.by);
  return by ? { sort: by, direction: sort?.descending ? 'desc' : 'asc' } : {};
}
