import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';

/** How long a list may take until its rows are there, in milliseconds. */
const PATIENCE_MS = 5_000;

const FIELD = 'main :is(input, textarea, select)';

/** The title of the page, made focusable. */
function focusTitle(): HTMLElement | null {
  const title = document.querySelector<HTMLElement>('main h1');
  title?.setAttribute('tabindex', '-1');
  title?.focus({ preventScroll: true });
  return title;
}

/** The link of a list that leads to a page; that of its row's heading before others. */
function linkTo(path: string): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main td[data-heading] a, main a')];
  return links.find((link) => link.pathname === path && link.offsetParent !== null);
}

/** Focuses the link to the page that was left, once it is there; the title as long as it is not. */
function focusLinkTo(path: string): (() => void) | undefined {
  const find = () => {
    const link = linkTo(path);
    link?.focus({ preventScroll: true });
    return link !== undefined;
  };
  if (find()) return;
  const title = focusTitle();
  const observer = new MutationObserver(() => {
    // Somebody who has moved the focus meanwhile keeps it.
    if (document.activeElement !== title && document.activeElement !== document.body) stop();
    else if (find()) stop();
  });
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

/**
 * Moves the focus with the page, as a browser does when it loads one: to the title, or after going back to the row whose page was
 * left. A change of the query alone, such as of a filter, leaves it where it is, and so does a page that focuses a field of its own.
 */
export function useRouteFocus(): void {
  const path = usePathname();
  const shown = useRef(path);
  const wentBack = useRef(false);
  useEffect(() => {
    const note = () => {
      wentBack.current = window.location.pathname !== shown.current;
    };
    window.addEventListener('popstate', note);
    return () => window.removeEventListener('popstate', note);
  }, []);
  useEffect(() => {
    const left = shown.current;
    if (left === path) return;
    const isBack = wentBack.current;
    shown.current = path;
    wentBack.current = false;
    if (document.activeElement?.matches(FIELD)) return;
    if (isBack) return focusLinkTo(left);
    focusTitle();
  }, [path]);
}
