/** The length of the longest order number, SKU or id that a column of a table has room for. */
const MAX_WHOLE_LENGTH = 24;

/** Returns whether an order number, SKU or id is so long that it may be broken. Others stay on one line. */
export const mayBreakIdentifier = (text: string): boolean => text.length > MAX_WHOLE_LENGTH;
