'use client';

import { useEffect, useLayoutEffect, useRef } from 'react';

/** What a key does; returns false to leave the key to the browser. */
export type KeyAction = (event: KeyboardEvent) => unknown;

/** Elements in which shortcuts are off, because they handle keys themselves. */
const KEY_HANDLER_SELECTOR =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=dialog], [role=listbox]';
/** Elements that Enter and Space activate, or that Space scrolls. */
const ACTIVATABLE_SELECTOR = 'button, a[href], input, summary, [data-scrolls]';

/**
 * Calls an action when its key is pressed without Ctrl, Alt or Meta, anywhere on the page except where the key has its own use: in
 * fields, menus and dialogs, and, for Enter and Space, on scrollable parts, buttons and checkboxes, and on links outside the list.
 * @param actions by key in lower case, as the browser names it
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
      const { target, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey) return;
      if (!(target instanceof Element) || target.closest(KEY_HANDLER_SELECTOR)) return;
      const isActivation = event.key === 'Enter' || event.key === ' ';
      if (
        isActivation &&
        target.closest(ACTIVATABLE_SELECTOR) &&
        !(linkSelector && target.closest(linkSelector))
      )
        return;
      const action = latestActions.current[event.key.toLowerCase()];
      if (action && action(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [linkSelector]);
}
