/** The CSS selector of the links to the entries in the list. */
export const ENTRY_LINK_SELECTOR = '[data-entry]';

/** Returns the link to an entry; null if the entry is not in the list. */
export const findEntryLink = (id: string) =>
  document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`);

/** Returns the link to the entry that is open beside the list; null if the list is empty. */
export const findCurrentEntryLink = () =>
  document.querySelector<HTMLElement>(`${ENTRY_LINK_SELECTOR}[aria-current]`);
