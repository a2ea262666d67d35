import type { UrlState } from '../ui/list/list-url';

/** The procedures' own limit. */
export const MAX_DAYS = 1_096;
export const MAX_NAMED = 50;
/** More lines in one chart are hard to distinguish. */
export const MAX_LINES = 6;

/** The sort order in a URL, if the procedure knows it. */
export function sortOf<Name extends string>(
  { sort }: UrlState,
  known: readonly Name[],
): { sort?: Name; direction?: 'asc' | 'desc' } {
  const by = known.find((name) => name === sort?.by);
  return by ? { sort: by, direction: sort?.descending ? 'desc' : 'asc' } : {};
}
