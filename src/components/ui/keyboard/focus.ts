/** Makes the title of the page focusable and focuses it. */
export function focusTitle(): HTMLElement | null {
  const title = document.querySelector<HTMLElement>('main h1');
  title?.setAttribute('tabindex', '-1');
  title?.focus({ preventScroll: true });
  return title;
}

/** A ref: focuses an element when it appears in place of the one that had the focus. */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}
