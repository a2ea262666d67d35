/** The maximum number of orders on a pick list or in one batch of packing slips. */
export const MAX_PRINTED_ORDERS = 200;
