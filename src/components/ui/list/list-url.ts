/** The list parameters of a page's URL. */
export interface UrlState<F extends string = string> {
  filters: Partial<Record<F, string>>;
  hasFilters: boolean;
  sort: { by: string; descending: boolean } | null;
  /** The cursor of this page; undefined for the first page. */
  cursor: string | undefined;
  /** The number of rows per page: the reader's preference, not part of the URL (list-preferences.ts). */
  rowsPerPage: number;
}

/** The state of a list in the page's URL, so that a link shows the same list. */
export interface ListUrl<F extends string = string> extends UrlState<F> {
  /** The names of the list's filters. */
  filterNames: readonly string[];
  /** Returns whether the page does not yet show the last change to the URL. */
  isBehind(): boolean;
  /** Changes filters and goes to the first page; `undefined` or an empty string removes a filter. */
  setFilters(changes: Partial<Record<F, string | undefined>>): void;
  /** Returns the URL of the first page with these filters changed, for a link. */
  hrefOf(changes: Partial<Record<F, string | undefined>>): string;
  clearFilters(): void;
  /** Sorts by a column: ascending, or descending if the list is already sorted by it in ascending order. */
  sortBy(column: string): void;
  /** Sorts by a column, named as in the URL: `sold`, or `-sold` for descending. */
  setSort(sort: string): void;
  goToFirstPage(): void;
  goNext(cursor: string): void;
  goPrevious(): void;
}

/** The names of search filters, which phones show above the list rather than in the sheet. */
export const SEARCH_FILTERS: readonly string[] = ['q', 'search'];

/** Returns the names of the filters that phones show in a sheet; a range of days counts as one. */
export const sheetFilterNames = (
  names: readonly string[],
  filtersShownElsewhere: readonly string[] = [],
): string[] =>
  names.filter(
    (name) =>
      !SEARCH_FILTERS.includes(name) &&
      !filtersShownElsewhere.includes(name) &&
      !(name === 'to' && names.includes('from')),
  );

/** Counts the filters in `names` that are set. The filter `from` stands for a range of days: it also counts if only `to` is set. */
export const countFilters = ({ filters }: Pick<UrlState, 'filters'>, names: readonly string[]): number =>
  names.filter((name) => filters[name] !== undefined || (name === 'from' && filters.to !== undefined)).length;

/** Returns the values of a filter that allows several; the URL separates them with commas. */
export const valuesOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

/** Reads a filter that allows several values; undefined if it is missing or one of its values is invalid. */
export function readList<Value>(
  text: string | undefined,
  areValid: (values: string[]) => boolean,
  parse: (value: string) => Value,
): Value[] | undefined {
  if (text === undefined) return undefined;
  const values = valuesOf(text);
  return areValid(values) ? values.map(parse) : undefined;
}

/** Returns whether each of the values is one of `knownValues`. */
export const areAllKnown = (values: readonly string[], knownValues: readonly string[]) =>
  values.every((value) => knownValues.includes(value));

function readSort(text: string | null): UrlState['sort'] {
  if (!text) return null;
  return text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false };
}

/**
 * Reads the filters with these names, the sort order and the cursor. If a parameter is repeated, its first value is used.
 * @param rowsPerPage the reader's preference, copied into the result
 */
export function readUrl<const F extends string>(
  names: readonly F[],
  search: Pick<URLSearchParams, 'get'>,
  rowsPerPage: number,
): UrlState<F> {
  const entries = names.flatMap((name) => {
    const value = search.get(name);
    return value ? [[name, value] as const] : [];
  });
  return {
    filters: Object.fromEntries(entries) as Partial<Record<F, string>>,
    hasFilters: entries.length > 0,
    sort: readSort(search.get('sort')),
    cursor: search.get('cursor') ?? undefined,
    rowsPerPage,
  };
}

/** Returns the value that equals `text`; undefined if none does. */
export const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);
