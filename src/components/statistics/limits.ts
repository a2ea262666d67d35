/** The procedures' limits: the days in a range, and the shops in a filter. */
export const MAX_DAYS = 1_096;
export const MAX_SHOPS = 50;
/** More lines in one chart are hard to distinguish. */
export const MAX_CHART_LINES = 6;
