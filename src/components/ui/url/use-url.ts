'use client';

import { type ReadonlyURLSearchParams, usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { endNavigation } from '../../shell/navigation/navigation-target';
import { PendingUrls } from './pending-urls';

type ParameterChanges = Readonly<Record<string, string | null | undefined>>;

interface PageUrl {
  parameters: ReadonlyURLSearchParams;
  /**
   * Returns the page's URL with these parameters changed, for a link; an empty value, null or undefined removes one.
   * @param defaults parameters to add if they are not in the URL
   */
  hrefOf(changes: ParameterChanges, defaults?: ParameterChanges): string;
  /** Changes parameters. Starts from the URL of the last change, even if that is not shown yet. */
  changeParameters(
    changes: ParameterChanges,
    historyMode: 'push' | 'replace',
    defaults?: ParameterChanges,
  ): void;
  /**
   * Returns whether `parameters` are older than the last URL that a control has written. A control with its own state must then
   * ignore the URL, because its next change would be based on an old state.
   */
  isBehind(): boolean;
  /** Goes to the same page with this query, regardless of the current parameters. */
  goTo(query: string): void;
}

const pendingUrls = new PendingUrls();

const urlOf = (path: string, search: string) => path + (search === '' ? '' : `?${search}`);

function urlWith(
  path: string,
  search: string,
  changes: ParameterChanges,
  defaults: ParameterChanges = {},
): string {
  const newParameters = new URLSearchParams(search);
  const absentDefaults = Object.entries(defaults).filter(([name]) => !newParameters.has(name));
  for (const [name, value] of [...absentDefaults, ...Object.entries(changes)]) {
    if (value) newParameters.set(name, value);
    else newParameters.delete(name);
  }
  return urlOf(path, newParameters.toString());
}

function writeUrl(url: string, historyMode: 'push' | 'replace'): void {
  pendingUrls.add(url);
  // Changing the history cancels a page that is being opened.
  endNavigation();
  // Next follows the browser's history; its own router would request the page from the server again.
  if (historyMode === 'push') window.history.pushState(null, '', url);
  else window.history.replaceState(null, '', url);
}

/**
 * Returns the parameters of the page's URL, and functions that change them. All changes must use these functions, so that none
 * overwrites another.
 */
export function useUrl(): PageUrl {
  const path = usePathname();
  const parameters = useSearchParams();
  const search = parameters.toString();
  useEffect(() => pendingUrls.markShown(urlOf(path, search)), [path, search]);
  useEffect(() => {
    const clearPendingUrls = () => pendingUrls.clear();
    window.addEventListener('popstate', clearPendingUrls);
    return () => window.removeEventListener('popstate', clearPendingUrls);
  }, []);
  return {
    parameters,
    hrefOf: (changes, defaults) => urlWith(path, search, changes, defaults),
    changeParameters(changes, historyMode, defaults) {
      // Not the rendered parameters: a second change may come before the first is rendered.
      const currentUrl = new URL(pendingUrls.latestUrl(path) ?? window.location.href, window.location.origin);
      writeUrl(urlWith(path, currentUrl.search, changes, defaults), historyMode);
    },
    isBehind: () => pendingUrls.isBehind(path, urlOf(path, search)),
    goTo: (query) => writeUrl(urlOf(path, query), 'push'),
  };
}
