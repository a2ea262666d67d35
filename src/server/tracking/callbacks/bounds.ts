/** The maximum number of callbacks that one call replays. */
export const MAX_REPLAYED_CALLBACKS = 500;
