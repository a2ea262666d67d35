/** The formats in which people download orders and tables. */
export const SHEET_FORMATS = ['csv', 'xlsx'] as const;

export type SheetFormat = (typeof SHEET_FORMATS)[number];
