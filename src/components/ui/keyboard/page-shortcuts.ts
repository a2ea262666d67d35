'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { type KeyAction, useShortcuts } from './use-shortcuts';

/** A line in the list of shortcuts: the keys as the user sees them, and what they do. */
export interface ShownShortcut {
  keys: readonly string[];
  label: string;
}

/** A page shortcut. `on` maps each key (the browser's name for it, in lower case) to its action. */
export interface PageShortcut extends ShownShortcut {
  on: Readonly<Record<string, KeyAction | undefined>>;
}

const NO_SHORTCUTS: readonly ShownShortcut[] = [];
let shownShortcuts = NO_SHORTCUTS;
const listeners = new Set<() => void>();

function showShortcuts(shortcuts: readonly ShownShortcut[]): void {
  shownShortcuts = shortcuts;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Registers the shortcuts of a page: they work while the page is shown, and the dialog that `?` opens lists them.
 * @param linkSelector the selector of the links in the page's list, if it has one; on these links, Enter and Space run the page's
 *   actions
 */
export function usePageShortcuts(shortcuts: readonly PageShortcut[], linkSelector?: string): void {
  useShortcuts(Object.assign({}, ...shortcuts.map(({ on }) => on)), linkSelector);
  const shortcutsJson = JSON.stringify(shortcuts.map(({ keys, label }) => ({ keys, label })));
  useEffect(() => {
    showShortcuts(JSON.parse(shortcutsJson) as ShownShortcut[]);
    return () => showShortcuts(NO_SHORTCUTS);
  }, [shortcutsJson]);
}

/** Returns the shortcuts of the current page. */
export const useShownShortcuts = (): readonly ShownShortcut[] =>
  useSyncExternalStore(
    subscribe,
    () => shownShortcuts,
    () => NO_SHORTCUTS,
  );
