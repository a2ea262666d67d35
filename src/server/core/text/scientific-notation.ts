/** Matches a long number as a spreadsheet program writes it after rounding it, such as `4.2E+21`. */
export const SCIENTIFIC_NOTATION = /^\d(?:[.,]\d+)?E\+?\d+$/i;
