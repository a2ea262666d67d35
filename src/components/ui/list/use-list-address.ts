'use client';

import { useState } from 'react';
import { useAddress } from '../address/use-address';
import { type ListAddress, readAddress } from './list-address';

/**
 * Keeps the filters, the order and the cursor of a list in the address. A page only knows the next cursor, so the previous ones
 * are remembered; a link into the middle of the list leads back to the first page.
 */
export function useListAddress<const F extends string>(names: readonly F[]): ListAddress<F> {
  const { parameters, hrefOf, change } = useAddress();
  const [previousOf] = useState(() => new Map<string, string | undefined>());
  const state = readAddress(names, parameters);
  const { sort, cursor } = state;
  const toFirstPage = (wanted: Partial<Record<string, string>>) =>
    change({ ...wanted, after: undefined }, 'replace');
  return {
    ...state,
    setFilters: toFirstPage,
    hrefOf: (wanted) => hrefOf({ ...wanted, after: undefined }),
    clearFilters: () => toFirstPage(Object.fromEntries(names.map((name) => [name, undefined]))),
    sortBy: (by) => toFirstPage({ sort: sort?.by === by && !sort.descending ? `-${by}` : by }),
    setSort: (wanted) => toFirstPage({ sort: wanted }),
    goNext(next) {
      previousOf.set(next, cursor);
      change({ after: next }, 'push');
      window.scrollTo({ top: 0 });
    },
    goPrevious: () => change({ after: cursor === undefined ? undefined : previousOf.get(cursor) }, 'push'),
  };
}
