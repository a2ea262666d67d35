'use client';

import { useEffect, useLayoutEffect, useRef } from 'react';

/** What a key does; returns false to leave the key to the browser. */
export type KeyAction = (event: KeyboardEvent) => unknown;

/** Elements in which shortcuts are off, because they handle keys themselves. */
const KEY_HANDLER_SELECTOR =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=dialog], [role=listbox]';
/** Elements that Enter and Space activate, or that Space scrolls. */
const ACTIVATABLE_SELECTOR = 'button, a[href], input, summary, [data-scrolls]';

/** Returns whether pressing the key alone does something on this element. */
const hasOwnUse = (key: string, element: Element, linkSelector: string | undefined) =>
  element.closest(KEY_HANDLER_SELECTOR) ||
  ((key === 'Enter' || key === ' ') &&
    element.closest(ACTIVATABLE_SELECTOR) &&
    !(linkSelector && element.closest(linkSelector)));

/**
 * Calls an action when its key is pressed alone, anywhere on the page except where the key has its own use: in fields, menus and
 * dialogs, and, for Enter and Space, on scrollable parts, buttons and checkboxes, and on links outside the list. An action of a key
 * with Ctrl or Command is called everywhere.
 * @param actions by key in lower case, as the browser names it, with `mod+` before it for Ctrl or Command
 * @param linkSelector the selector of the links in the page's list, if it has one
 */
export function useShortcuts(
  actions: Readonly<Record<string, KeyAction | undefined>>,
  linkSelector?: string,
): void {
  const latestActions = useRef(actions);
  // A layout effect, so that it runs before the browser can deliver the next key.
  useLayoutEffect(() => {
    latestActions.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.defaultPrevented || event.isComposing || event.altKey || !(target instanceof Element)) return;
      const hasModifier = event.ctrlKey || event.metaKey;
      if (hasModifier ? event.shiftKey : hasOwnUse(key, target, linkSelector)) return;
      const action = latestActions.current[(hasModifier ? 'mod+' : '') + key.toLowerCase()];
      if (action && action(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [linkSelector]);
}
