'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { endNavigation } from '../../shell/navigation/navigation-target';
import { focusTitle } from '../../ui/keyboard/focus';
import { ENTRY_PARAMETER } from '../queries';
import type { Entry } from '../use-queue-work';
import { findEntryLink } from './entry-links';

/** The entry shown beside the list, and how to choose another one. */
export interface ChosenEntry {
  entry: Entry | undefined;
  /** Whether the entry was chosen, not just shown because it is the first one. Phones show a chosen entry instead of the list. */
  isExplicit: boolean;
  hrefOf: (id: string | null) => string;
  /** Shows an entry and moves the focus to it; null clears the choice. */
  choose: (id: string | null) => void;
  /** Chooses the entry `steps` places further down the list, or further up if `steps` is negative. Stops at either end. */
  move: (steps: number) => void;
  /**
   * Chooses the shown entry if it is not in `removedIds`, or else the next entry that is not, or else the previous one. If none
   * remains, clears the choice, and the focus moves to the title of the page. Call it before the entries in `removedIds` leave the
   * list.
   */
  chooseRemainingEntry: (removedIds: ReadonlySet<string>) => void;
}

/** Returns the entry that the URL names, otherwise the first one, and functions that choose another. */
export function useChosenEntry(entries: readonly Entry[]): ChosenEntry {
  const path = usePathname();
  const parameters = useSearchParams();
  // Stored here because the URL changes with a delay: if keys are pressed quickly, each key must start from the entry that the
  // previous key chose.
  const [chosenId, setChosenId] = useState(parameters.get(ENTRY_PARAMETER));
  useEffect(() => {
    const followUrl = () => setChosenId(new URLSearchParams(window.location.search).get(ENTRY_PARAMETER));
    window.addEventListener('popstate', followUrl);
    return () => window.removeEventListener('popstate', followUrl);
  }, []);
  const chosenIndex = entries.findIndex(({ id }) => id === chosenId);
  const index = Math.max(chosenIndex, 0);
  const entry = entries[index];
  const idToFocus = useRef<string | null>(null);
  const isLastRemoved = useRef(false);
  useEffect(() => {
    if (!entry && isLastRemoved.current) {
      isLastRemoved.current = false;
      if (document.activeElement === document.body) focusTitle();
    }
    if (idToFocus.current === null || idToFocus.current !== entry?.id) return;
    idToFocus.current = null;
    findEntryLink(entry.id)?.focus();
  }, [entry]);

  const hrefOf = (id: string | null) => {
    const newParameters = new URLSearchParams(parameters.toString());
    if (id === null) newParameters.delete(ENTRY_PARAMETER);
    else newParameters.set(ENTRY_PARAMETER, id);
    return path + (newParameters.size === 0 ? '' : `?${newParameters}`);
  };
  const choose = (id: string | null) => {
    idToFocus.current = id;
    setChosenId(id);
    if (id === entry?.id) findEntryLink(id)?.focus();
    // Changing the history cancels a page that is being opened.
    endNavigation();
    // Later choices replace the first one in the history, so that Back on a phone leads from any entry to the list.
    if (chosenId === null && id !== null) window.history.pushState(null, '', hrefOf(id));
    else window.history.replaceState(null, '', hrefOf(id));
  };
  return {
    entry,
    isExplicit: chosenIndex >= 0,
    hrefOf,
    choose,
    move(steps) {
      const newEntry = entries[Math.min(Math.max(index + steps, 0), entries.length - 1)];
      if (newEntry) choose(newEntry.id);
    },
    chooseRemainingEntry(removedIds) {
      const isRemaining = ({ id }: Entry) => !removedIds.has(id);
      const newEntry =
        entries.slice(index).find(isRemaining) ?? entries.slice(0, index).findLast(isRemaining);
      isLastRemoved.current = !newEntry;
      choose(newEntry?.id ?? null);
    },
  };
}
