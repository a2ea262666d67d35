/** The most numbers per carrier query. */
export const MAX_ASKED = 40;
