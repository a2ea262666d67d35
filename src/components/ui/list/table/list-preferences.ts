import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../../server/core/lists/page-size';

/** A user's preferences for lists. They are stored in cookies, so that the server renders the page as the browser will show it. */
export interface ListPreferences {
  /** The number of rows per page. */
  rowsPerPage: number;
  /** Whether rows are compact (30 px, unless text wraps), except on phones. */
  isCompact: boolean;
}

export const ROWS_PER_PAGE_COOKIE = 'brickdesk.rows';
export const DENSITY_COOKIE = 'brickdesk.density';
export const COMPACT_DENSITY = 'compact';

/**
 * Reads the preferences from cookies; an invalid value means the default.
 * @param readCookie returns the value of a cookie
 */
export function readListPreferences(readCookie: (name: string) => string | undefined): ListPreferences {
  const rowsCookie = readCookie(ROWS_PER_PAGE_COOKIE);
  return {
    rowsPerPage: PAGE_SIZES.find((size) => String(size) === rowsCookie) ?? DEFAULT_PAGE_SIZE,
    isCompact: readCookie(DENSITY_COOKIE) === COMPACT_DENSITY,
  };
}
