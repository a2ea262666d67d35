/** The page sizes that lists offer; API callers may request any number of rows up to the largest. */
export const PAGE_SIZES = [25, 50, 100, 200] as const;

/** The page size for readers and callers who have not chosen one. */
export const DEFAULT_PAGE_SIZE = 50;

export const MAX_PAGE_SIZE = PAGE_SIZES[PAGE_SIZES.length - 1]!;
