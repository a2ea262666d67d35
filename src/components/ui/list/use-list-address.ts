'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { type ListAddress, readAddress } from './list-address';

/**
 * What the last change asked for, until the page shows it. In between, Next may write an earlier address into the browser's, and a
 * change that started from that one would lose this one.
 */
let pending: { path: string; search: string; at: number } | null = null;
/** A change that is not shown by then, in milliseconds, was overtaken by something else, such as a link. */
const PENDING_MS = 3_000;

const forgetPending = () => {
  pending = null;
};

/** The search part of the address that a change starts from. */
function currentSearch(path: string): string {
  const counts = pending?.path === path && performance.now() - pending.at < PENDING_MS;
  return counts ? pending!.search : window.location.search;
}

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

  const shown = parameters.toString();
  useEffect(() => {
    if (pending?.search === shown) forgetPending();
  }, [shown]);
  useEffect(() => {
    window.addEventListener('popstate', forgetPending);
    return () => window.removeEventListener('popstate', forgetPending);
  }, []);

  const addressWith = (search: string, change: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    return path + (next.size === 0 ? '' : `?${next}`);
  };

  const go = (change: Record<string, string | undefined>, how: 'push' | 'replace') => {
    // Not what was rendered: two changes may come before the first is.
    const address = addressWith(currentSearch(path), change);
    const search = address.slice(path.length + 1);
    pending = search === shown ? null : { path, search, at: performance.now() };
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
