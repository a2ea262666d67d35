import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { focusTitle } from '../../ui/keyboard/focus';

/** How long to wait for the rows of a list. */
const MAX_WAIT_MS = 5_000;

const FIELD_SELECTOR = 'main :is(input, textarea, select)';

/** Finds the visible link to a page in the content; prefers the heading of a row. */
export function findLinkTo(
  path: string,
  root: Pick<ParentNode, 'querySelectorAll'>,
): HTMLElement | undefined {
  // Two queries, because a single query for both selectors would return the links in the order of the page.
  const links = ['main td[data-heading] a', 'main a'].flatMap((selector) => [
    ...root.querySelectorAll<HTMLAnchorElement>(selector),
  ]);
  return links.find((link) => link.pathname === path && link.offsetParent !== null);
}

/**
 * Focuses the link to the page that was left. If the link is not rendered yet, focuses the title until it is.
 * @returns a function that stops waiting for the link; undefined if it was there already
 */
function focusLinkTo(path: string): (() => void) | undefined {
  const focusLink = () => {
    const link = findLinkTo(path, document);
    link?.focus({ preventScroll: true });
    return link !== undefined;
  };
  if (focusLink()) return;
  const title = focusTitle();
  const observer = new MutationObserver(() => {
    // If the user has moved the focus in the meantime, it stays where it is.
    if (document.activeElement !== title && document.activeElement !== document.body) stopWaiting();
    else if (focusLink()) stopWaiting();
  });
  const timer = setTimeout(() => stopWaiting(), MAX_WAIT_MS);
  const stopWaiting = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stopWaiting;
}

/**
 * Moves the focus when the page changes: to the title or, after Back or Forward, to the link to the page that was left, if there
 * is one. The focus stays where it is if only the query changes, such as a filter, or if the new page focuses one of its fields.
 */
export function useRouteFocus(): void {
  const path = usePathname();
  const shownPath = useRef(path);
  const isHistoryNavigation = useRef(false);
  useEffect(() => {
    const recordHistoryNavigation = () => {
      isHistoryNavigation.current = window.location.pathname !== shownPath.current;
    };
    window.addEventListener('popstate', recordHistoryNavigation);
    return () => window.removeEventListener('popstate', recordHistoryNavigation);
  }, []);
  useEffect(() => {
    const previousPath = shownPath.current;
    if (previousPath === path) return;
    const isFromHistory = isHistoryNavigation.current;
    shownPath.current = path;
    isHistoryNavigation.current = false;
    if (document.activeElement?.matches(FIELD_SELECTOR)) return;
    if (isFromHistory) return focusLinkTo(previousPath);
    focusTitle();
  }, [path]);
}
