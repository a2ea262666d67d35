/** The most records that one call replays. */
export const MAX_REPLAYED = 500;
