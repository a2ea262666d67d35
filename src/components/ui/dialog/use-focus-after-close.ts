import { type RefObject, useEffect, useRef } from 'react';
import { focusTitle } from '../keyboard/focus';

/** Longer than Mantine takes to return the focus to the element that had it before. */
const RETURN_MS = 50;

/**
 * Focuses the title of the page when a dialog closes and the element that had the focus before is gone, such as the button of an
 * action that can be done only once.
 * @returns a ref for the dialog
 */
export function useFocusAfterClose(opened: boolean): RefObject<HTMLDivElement | null> {
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!opened) return;
    return () => {
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement === document.body || dialog.current?.contains(activeElement)) focusTitle();
      }, RETURN_MS);
    };
  }, [opened]);
  return dialog;
}
