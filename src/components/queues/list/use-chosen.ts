'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { ENTRY_PARAMETER } from '../queries';
import type { Entry } from '../use-queue-work';
import { entryLink } from './queue-list';

/** The entry that shows beside the list, kept in the address. */
export interface Chosen {
  entry: Entry | undefined;
  /** Whether the reader chose it: a phone shows it instead of the list. */
  isAsked: boolean;
  hrefOf: (id: string | null) => string;
  /** Shows an entry and moves the focus to it; null for none. */
  choose: (id: string | null) => void;
  /** Shows the entry so many further down, or up. */
  move: (by: number) => void;
  /** Shows the entry after these, which are about to leave the list. */
  leave: (gone: ReadonlySet<string>) => void;
}

/** Unless the address names one of the entries, the first one shows. */
export function useChosen(entries: readonly Entry[]): Chosen {
  const path = usePathname();
  const parameters = useSearchParams();
  // Not read from the address each time, which follows a moment later: the next key must find the entry that this one chose.
  const [asked, setAsked] = useState(parameters.get(ENTRY_PARAMETER));
  useEffect(() => {
    const follow = () => setAsked(new URLSearchParams(window.location.search).get(ENTRY_PARAMETER));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const found = entries.findIndex(({ id }) => id === asked);
  const index = Math.max(found, 0);
  const entry = entries[index];
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null || wanted.current !== entry?.id) return;
    wanted.current = null;
    entryLink(entry.id)?.focus();
  }, [entry]);

  const hrefOf = (id: string | null) => {
    const next = new URLSearchParams(parameters.toString());
    if (id === null) next.delete(ENTRY_PARAMETER);
    else next.set(ENTRY_PARAMETER, id);
    return path + (next.size === 0 ? '' : `?${next}`);
  };
  const choose = (id: string | null) => {
    wanted.current = id;
    setAsked(id);
    if (id === entry?.id) entryLink(id)?.focus();
    // On a phone, Back leads from the first entry to the list.
    if (asked === null && id !== null) window.history.pushState(null, '', hrefOf(id));
    else window.history.replaceState(null, '', hrefOf(id));
  };
  return {
    entry,
    isAsked: found >= 0,
    hrefOf,
    choose,
    move(by) {
      const next = entries[Math.min(Math.max(index + by, 0), entries.length - 1)];
      if (next) choose(next.id);
    },
    leave(gone) {
      const stays = ({ id }: Entry) => !gone.has(id);
      const next = entries.slice(index).find(stays) ?? entries.slice(0, index).findLast(stays);
      choose(next?.id ?? null);
    },
  };
}
