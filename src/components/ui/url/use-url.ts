'use client';

import { type ReadonlyURLSearchParams, usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { PendingAddresses } from './pending-urls';

type Change = Readonly<Record<string, string | null | undefined>>;

interface Address {
  parameters: ReadonlyURLSearchParams;
  /**
   * The page's URL with these parameters changed, for a link; an empty value removes one.
   *
   * @param defaults parameters to add if the URL does not have them
   */
  hrefOf(change: Change, defaults?: Change): string;
  /** Changes parameters, from the URL that the last change asked for even if it is not shown yet. */
  change(change: Change, how: 'push' | 'replace', defaults?: Change): void;
  /**
   * Whether `parameters` are older than what a control has written. A control that runs ahead of the URL must not follow it
   * then: its next change would be made from an earlier state.
   */
  isBehind(): boolean;
  /** Goes to the page with this search, whatever its parameters are now. */
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
  // Next follows the browser's own history; its router would request the page from the server again.
  if (how === 'push') window.history.pushState(null, '', url);
  else window.history.replaceState(null, '', url);
}

/** The parameters of the page's URL. Everything that writes them does it here, so that no change overwrites another. */
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
      // Not what was rendered: two changes may come before the first is.
      const current = new URL(pending.latest(path) ?? window.location.href, window.location.origin);
      write(addressWith(path, current.search, change, defaults), how);
    },
    isBehind: () => pending.isBehind(path, addressOf(path, search)),
    goTo: (wanted) => write(addressOf(path, wanted), 'push'),
  };
}
