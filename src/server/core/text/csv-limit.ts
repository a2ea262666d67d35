/** The maximum size of a file that a page sends to a procedure, and of a CSV file's text, in bytes. Files of orders may be larger. */
export const MAX_CSV_BYTES = 1_048_576;
