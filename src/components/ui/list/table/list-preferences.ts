import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../../server/core/lists/page-size';

/** A user's settings for lists, kept in cookies: the server reads them and renders the page as the browser will keep it. */
export interface ListPreferences {
  /** The rows of a page. */
  rows: number;
  /** Whether tables have rows of 30 px. */
  isCompact: boolean;
}

export const ROWS_COOKIE = 'brickdesk.rows';
export const DENSITY_COOKIE = 'brickdesk.density';
export const COMPACT = 'compact';

/** @param cookie returns the value of a cookie; what no preference can be means the usual one */
export function readListPreferences(cookie: (name: string) => string | undefined): ListPreferences {
  const rows = cookie(ROWS_COOKIE);
  return {
    rows: PAGE_SIZES.find((size) => String(size) === rows) ?? DEFAULT_PAGE_SIZE,
    isCompact: cookie(DENSITY_COOKIE) === COMPACT,
  };
}
