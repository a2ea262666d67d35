import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { ServiceError } from './errors';

/** The rows of a CSV file that are not blank, the header first. */
export interface CsvRows {
  rows: string[][];
  /** For each row the line of the file in which it begins, counted from 1. */
  lines: number[];
}

export const SAVE_AS = 'Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.';

const NEWLINE = 10;
const RETURN = 13;

/** The line, counted from 1, in which the first byte stands that is not UTF-8. */
function firstForeignLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  return line;
}

/** A comma, unless the first line has none but has another delimiter that spreadsheet programs write. */
function delimiterOf(bytes: Uint8Array, newline: number): string {
  let start = 0;
  while (bytes[start] === NEWLINE || bytes[start] === RETURN) start++;
  const end = bytes.indexOf(newline, start);
  const header = Buffer.from(bytes.subarray(start, end === -1 ? undefined : end)).toString('utf8');
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

/**
 * Reads CSV: UTF-8 with or without BOM, LF or CRLF, quoted newlines, rows of any length; divided by commas, or by semicolons
 * or tabs where the header has no comma. Blank rows are left out.
 *
 * @throws ServiceError `validation_failed` with what is wrong with the file, to be said after its name
 */
export function readCsv(file: Uint8Array): CsvRows {
  const hasMark = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf;
  const bytes = hasMark ? file.subarray(3) : file;
  if (bytes.includes(0)) throw new ServiceError('validation_failed', `is no spreadsheet. ${SAVE_AS}`);
  if (!isUtf8(bytes)) {
    const line = firstForeignLine(bytes);
    const message = `has another encoding than UTF-8 (seen first in line ${line}). Save it as CSV UTF-8.`;
    throw new ServiceError('validation_failed', message);
  }
  const newline = bytes.includes(NEWLINE) ? NEWLINE : RETURN;
  const read: CsvRows = { rows: [], lines: [] };
  let position = 0;
  let line = 1;
  const pass = (end: number) => {
    for (; position < end; position++) if (bytes[position] === newline) line++;
  };
  const add = (row: string[], endOfRow: number): null => {
    let start = position;
    while (bytes[start] === NEWLINE || bytes[start] === RETURN) start++;
    pass(start);
    if (row.some((cell) => cell.trim() !== '')) {
      read.rows.push(row);
      read.lines.push(line);
    }
    pass(endOfRow);
    return null;
  };
  try {
    parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      delimiter: delimiterOf(bytes, newline),
      record_delimiter: newline === NEWLINE ? ['\r\n', '\n'] : ['\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (row: string[], { bytes: end }) => add(row, end),
    });
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    // What follows the last good row is the row whose quote never ends.
    add([], position);
    const message = `has a quoted cell that never ends, in the row that begins in line ${line}. Close its quote, or download the export again.`;
    throw new ServiceError('validation_failed', message, { cause: error });
  }
  return read;
}
