/**
 * Limits of order filters and bulk actions, for schemas and for pages. They are separate from the schemas so that browsers do not
 * have to load zod for them.
 */

export const MAX_IDS = 1_000;
/** The maximum number of orders whose status or tracking numbers a user may set in one action. */
export const MAX_BULK_SIZE = 5_000;
export const MAX_SHOPS = 200;
export const MAX_COUNTRIES = 300;
/** A two-letter code, or `--` for orders whose country name matches no country. */
export const COUNTRY_FILTER = /^([A-Z]{2}|--)$/;
/** Enough for about a hundred tracking numbers. */
export const MAX_SEARCH_LENGTH = 2_000;
export const MAX_UNSHIPPED_DAYS = 3_650;
