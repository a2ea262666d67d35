/** What the address of a page says about its list. */
export interface AddressState<F extends string = string> {
  filters: Partial<Record<F, string>>;
  hasFilters: boolean;
  sort: { by: string; descending: boolean } | null;
  /** Where this page of the list begins; undefined for the first. */
  cursor: string | undefined;
}

/** What a list shows, as the page's address says it, so that a link to it shows the same. */
export interface ListAddress<F extends string = string> extends AddressState<F> {
  /** Changes filters and goes to the first page; `undefined` or an empty text removes one. */
  setFilters(change: Partial<Record<F, string | undefined>>): void;
  /** The address with these filters changed, for a link. */
  hrefOf(change: Partial<Record<F, string | undefined>>): string;
  clearFilters(): void;
  sortBy(by: string): void;
  /** A column's order as the address has it: `sold`, or `-sold` for the other way round. */
  setSort(sort: string): void;
  goNext(cursor: string): void;
  goPrevious(): void;
}

/** The values of a filter that takes several: the address has them with commas between. */
export const valuesOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

function readSort(text: string | null): AddressState['sort'] {
  if (!text) return null;
  return text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false };
}

/** Reads the filters with these names, the order and the cursor; what is given twice counts once, the first. */
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
