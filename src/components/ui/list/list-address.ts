'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';

/** What a list shows, as the page's address says it, so that a link to it shows the same. */
export interface ListAddress<F extends string = string> {
  filters: Partial<Record<F, string>>;
  /** Changes filters and begins at the first page; `undefined` or an empty text takes one away. */
  setFilters(change: Partial<Record<F, string | undefined>>): void;
  /** The address with these filters changed, for a link. */
  hrefOf(change: Partial<Record<F, string | undefined>>): string;
  clearFilters(): void;
  hasFilters: boolean;
  sort: { by: string; descending: boolean } | null;
  sortBy(by: string): void;
  /** A column's order as the address has it: `sold`, or `-sold` for the other way round. */
  setSort(sort: string): void;
  /** Where this page begins; undefined for the first. */
  cursor: string | undefined;
  goNext(cursor: string): void;
  goPrevious(): void;
}

/** The values of a filter that takes several: the address has them with commas between. */
export const valuesOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

function readSort(text: string | null): ListAddress['sort'] {
  if (!text) return null;
  return text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false };
}

/**
 * The filters, the order and the place of a list, kept in the address. Pages of a keyset know only their next one; the way back
 * is remembered, and from a link that leads into the middle it goes to the first page.
 */
export function useListAddress<const F extends string>(names: readonly F[]): ListAddress<F> {
  const path = usePathname();
  const parameters = useSearchParams();
  const [previousOf] = useState(() => new Map<string, string | undefined>());
  const cursor = parameters.get('after') ?? undefined;
  const sort = readSort(parameters.get('sort'));

  const addressWith = (search: string, change: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    return path + (next.size === 0 ? '' : `?${next}`);
  };

  const go = (change: Record<string, string | undefined>, how: 'push' | 'replace') => {
    // Not what was rendered: two changes may come before the first has been.
    const address = addressWith(window.location.search, change);
    // Next follows the browser's own history; its router would ask the server for the page again.
    if (how === 'push') window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  };

  const entries = names.flatMap((name) => {
    const value = parameters.get(name);
    return value ? [[name, value] as const] : [];
  });

  return {
    filters: Object.fromEntries(entries) as Partial<Record<F, string>>,
    hasFilters: entries.length > 0,
    setFilters: (change) => go({ ...change, after: undefined }, 'replace'),
    hrefOf: (change) => addressWith(parameters.toString(), { ...change, after: undefined }),
    clearFilters: () =>
      go({ ...Object.fromEntries(names.map((name) => [name, undefined])), after: undefined }, 'replace'),
    sort,
    sortBy: (by) =>
      go({ sort: sort?.by === by && !sort.descending ? `-${by}` : by, after: undefined }, 'replace'),
    setSort: (wanted) => go({ sort: wanted, after: undefined }, 'replace'),
    cursor,
    goNext(next) {
      previousOf.set(next, cursor);
      go({ after: next }, 'push');
      window.scrollTo({ top: 0 });
    },
    goPrevious: () => go({ after: cursor === undefined ? undefined : previousOf.get(cursor) }, 'push'),
  };
}
