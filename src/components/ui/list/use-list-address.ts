'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { type ListAddress, readAddress } from './list-address';

/**
 * Keeps the filters, the order and the cursor of a list in the address. A page only knows the next cursor, so the previous ones
 * are remembered; a link into the middle of the list leads back to the first page.
 */
export function useListAddress<const F extends string>(names: readonly F[]): ListAddress<F> {
  const path = usePathname();
  const parameters = useSearchParams();
  const [previousOf] = useState(() => new Map<string, string | undefined>());
  const state = readAddress(names, parameters);
  const { sort, cursor } = state;

  const addressWith = (search: string, change: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    return path + (next.size === 0 ? '' : `?${next}`);
  };

  const go = (change: Record<string, string | undefined>, how: 'push' | 'replace') => {
    // Read again: the address may have changed since the last render.
    const address = addressWith(window.location.search, change);
    // Next follows the browser's own history; its router would request the page from the server again.
    if (how === 'push') window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  };

  return {
    ...state,
    setFilters: (change) => go({ ...change, after: undefined }, 'replace'),
    hrefOf: (change) => addressWith(parameters.toString(), { ...change, after: undefined }),
    clearFilters: () =>
      go({ ...Object.fromEntries(names.map((name) => [name, undefined])), after: undefined }, 'replace'),
    sortBy: (by) =>
      go({ sort: sort?.by === by && !sort.descending ? `-${by}` : by, after: undefined }, 'replace'),
    setSort: (wanted) => go({ sort: wanted, after: undefined }, 'replace'),
    goNext(next) {
      previousOf.set(next, cursor);
      go({ after: next }, 'push');
      window.scrollTo({ top: 0 });
    },
    goPrevious: () => go({ after: cursor === undefined ? undefined : previousOf.get(cursor) }, 'push'),
  };
}
