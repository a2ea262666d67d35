/** The maximum number of records that one call replays. */
export const MAX_REPLAYED = 500;
