/** The maximum size of an uploaded CSV file and of its text, in bytes. Not for files of orders. */
export const MAX_CSV_BYTES = 1_048_576;
