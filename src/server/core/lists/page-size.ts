/** How many rows a page of a list may have: the choices of the pages; a call may ask for any number up to the last. */
export const PAGE_SIZES = [25, 50, 100, 200] as const;

/** The rows of a page for readers and callers who have chosen no number. */
export const USUAL_PAGE_SIZE = 50;

export const MAX_ROWS = PAGE_SIZES[PAGE_SIZES.length - 1]!;
