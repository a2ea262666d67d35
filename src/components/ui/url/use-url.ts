'use client';

import { type ReadonlyURLSearchParams, usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { PendingAddresses } from './pending-urls';

type Change = Readonly<Record<string, string | null | undefined>>;

interface Address {
  parameters: ReadonlyURLSearchParams;
  /**
   * Returns the page's URL with these parameters changed, for a link; an empty value removes a parameter.
   * @param defaults parameters to add if they are not in the URL
   */
  hrefOf(change: Change, defaults?: Change): string;
  /** Changes parameters. Based on the URL of the last change, even if that is not shown yet. */
  change(change: Change, how: 'push' | 'replace', defaults?: Change): void;
  /**
   * Returns whether `parameters` are older than the last URL that a control has written. A control with its own state must then
   * ignore the URL, because its next change would be based on an old state.
   */
  isBehind(): boolean;
  /** Goes to the same page with this query, regardless of the current parameters. */
  goTo(search: string): void;
}

const pending = new PendingAddresses();

const addressOf = (path: string, search: string) => path + (search === '' ? '' : `?${search}`);

function addressWith(path: string, search: string, change: Change, defaults: Change = {}): string {
  const next = new URLSearchParams(search);
  const absent = Object.entries(defaults).filter(([name]) => !next.has(name));
  for (const [name, value] of [...absent, ...Object.entries(change)]) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return addressOf(path, next.toString());
}

function write(url: string, how: 'push' | 'replace'): void {
  pending.wrote(url);
  // Next follows the browser's history; its own router would request the page from the server again.
  if (how === 'push') window.history.pushState(null, '', url);
  else window.history.replaceState(null, '', url);
}

/**
 * Returns the parameters of the page's URL, and functions that change them. All changes must use these, so that none overwrites
 * another.
 */
export function useUrl(): Address {
  const path = usePathname();
  const parameters = useSearchParams();
  const search = parameters.toString();
  useEffect(() => pending.shows(addressOf(path, search)), [path, search]);
  useEffect(() => {
    const forget = () => pending.forget();
    window.addEventListener('popstate', forget);
    return () => window.removeEventListener('popstate', forget);
  }, []);
  return {
    parameters,
    hrefOf: (change, defaults) => addressWith(path, search, change, defaults),
    change(change, how, defaults) {
      // Not the rendered parameters: a second change may come before the first is rendered.
      const current = new URL(pending.latest(path) ?? window.location.href, window.location.origin);
      write(addressWith(path, current.search, change, defaults), how);
    },
    isBehind: () => pending.isBehind(path, addressOf(path, search)),
    goTo: (wanted) => write(addressOf(path, wanted), 'push'),
  };
}
