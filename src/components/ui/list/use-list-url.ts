'use client';

import { useState } from 'react';
import { useUrl } from '../url/use-url';
import { type ListUrl, readUrl } from './list-url';
import { useListPreferences } from './table/list-preferences-context';

/** Scrolls the page to the top, and a list that scrolls on its own. */
function scrollToTop(): void {
  for (const part of [window, ...document.querySelectorAll('[data-list]')]) part.scrollTo({ top: 0 });
}

/**
 * Keeps the filters, the sort order and the cursor of a list in the URL. The service returns only the next cursor, so the previous
 * ones are stored here; after a reload or a link into the middle of the list, Previous leads to the first page.
 * @param defaults parameters, such as the default tab, that each change of the filters or the sort order adds if they are not in
 *   the URL
 * @param ignoredNames filters that the list ignores for now, so that they do not count as set; clearing removes them too
 */
export function useListUrl<const F extends string>(
  names: readonly F[],
  defaults: Readonly<Record<string, string>> = {},
  ignoredNames: readonly string[] = [],
): ListUrl<F> {
  const { parameters, hrefOf, changeParameters, isBehind } = useUrl();
  const [previousCursors] = useState(() => new Map<string, string | undefined>());
  const { rowsPerPage } = useListPreferences();
  const state = readUrl(names, parameters, rowsPerPage);
  const { sort, cursor } = state;
  /** Changes parameters and goes to the first page. */
  const changeList = (changes: Partial<Record<string, string>>) =>
    changeParameters({ ...changes, cursor: undefined }, 'replace', defaults);
  const goToPage = (newCursor: string | undefined) => {
    changeParameters({ cursor: newCursor }, 'push');
    scrollToTop();
  };
  return {
    ...state,
    filterNames: names,
    isBehind,
    setFilters: changeList,
    hrefOf: (changes) => hrefOf({ ...changes, cursor: undefined }, defaults),
    clearFilters: () =>
      changeList(Object.fromEntries([...names, ...ignoredNames].map((name) => [name, undefined]))),
    sortBy: (column) => changeList({ sort: sort?.by === column && !sort.descending ? `-${column}` : column }),
    setSort: (newSort) => changeList({ sort: newSort }),
    goToFirstPage: () => changeList({}),
    goNext(nextCursor) {
      previousCursors.set(nextCursor, cursor);
      goToPage(nextCursor);
    },
    goPrevious: () => goToPage(cursor === undefined ? undefined : previousCursors.get(cursor)),
  };
}
