'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { type KeyAction, useShortcuts } from './use-shortcuts';

/** One line of a page's shortcuts: the keys as the reader sees them, and what they do. */
export interface ShownShortcut {
  keys: readonly string[];
  does: string;
}

/** A shortcut of a page: what it does by key, in lower case as the browser names it. */
export interface PageShortcut extends ShownShortcut {
  on: Readonly<Record<string, KeyAction | undefined>>;
}

const NONE: readonly ShownShortcut[] = [];
let shown = NONE;
const listeners = new Set<() => void>();

function show(shortcuts: readonly ShownShortcut[]): void {
  shown = shortcuts;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Declares the shortcuts of a page: they work while it shows, and the dialog behind `?` lists them.
 *
 * @param list the selector of the list's own links, if the page has one, where Enter and Space are the page's
 */
export function usePageShortcuts(shortcuts: readonly PageShortcut[], list?: string): void {
  useShortcuts(Object.assign({}, ...shortcuts.map(({ on }) => on)), list);
  const texts = JSON.stringify(shortcuts.map(({ keys, does }) => ({ keys, does })));
  useEffect(() => {
    show(JSON.parse(texts) as ShownShortcut[]);
    return () => show(NONE);
  }, [texts]);
}

/** The shortcuts of the page that shows now. */
export const useShownShortcuts = (): readonly ShownShortcut[] =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => NONE,
  );
