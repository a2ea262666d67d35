/** The list parameters of a page's address. */
export interface AddressState<F extends string = string> {
  filters: Partial<Record<F, string>>;
  hasFilters: boolean;
  sort: { by: string; descending: boolean } | null;
  /** The cursor of this page; undefined for the first. */
  cursor: string | undefined;
}

/** The state of a list, kept in the page's address, so that a link shows the same list. */
export interface ListAddress<F extends string = string> extends AddressState<F> {
  /** Changes filters and goes to the first page; `undefined` or an empty text removes one. */
  setFilters(change: Partial<Record<F, string | undefined>>): void;
  /** The address with these filters changed, for a link. */
  hrefOf(change: Partial<Record<F, string | undefined>>): string;
  clearFilters(): void;
  sortBy(by: string): void;
  /** A column's order as the address has it: `sold`, or `-sold` for descending. */
  setSort(sort: string): void;
  goNext(cursor: string): void;
  goPrevious(): void;
}

/** The values of a filter that allows several; the address separates them with commas. */
export const valuesOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

function readSort(text: string | null): AddressState['sort'] {
  if (!text) return null;
  return text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false };
}

/** Reads the filters with these names, the order and the cursor; of a repeated parameter, the first counts. */
export function readAddress<const F extends string>(
  names: readonly F[],
  search: Pick<URLSearchParams, 'get'>,
): AddressState<F> {
  const entries = names.flatMap((name) => {
    const value = search.get(name);
    return value ? [[name, value] as const] : [];
  });
  return {
    filters: Object.fromEntries(entries) as Partial<Record<F, string>>,
    hasFilters: entries.length > 0,
    sort: readSort(search.get('sort')),
    cursor: search.get('after') ?? undefined,
  };
}
