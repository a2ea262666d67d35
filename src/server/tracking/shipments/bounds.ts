/** The maximum number of shipments per carrier query. */
export const MAX_SHIPMENTS_PER_QUERY = 40;
