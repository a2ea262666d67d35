/** Most orders on a pick list or in one print of packing slips. */
export const MOST_PRINTED = 200;
