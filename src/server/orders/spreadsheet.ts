import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { isServiceError, ServiceError } from '../core/errors';
import { readWorkbook, type SpreadsheetCell } from './workbook';

/** The rows of a file that are not blank, the header first: what prepareImport takes with excel_format true. */
export interface Spreadsheet {
  rows: SpreadsheetCell[][];
  /** For each row where it begins in the file: a line of a CSV file or a row of a sheet, counted from 1. */
  lines: number[];
  unit: 'line' | 'row';
}

const SAVE_AS = 'Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.';

const NEWLINE = 10;
const RETURN = 13;

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Why a file cannot be a spreadsheet of ours, by its first bytes; null where it may be. */
function wrongKind(bytes: Uint8Array): string | null {
  if (bytes.every((byte) => byte <= 32)) return 'is empty. Choose the export that the marketplace made.';
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    return `is an old Excel file (.xls) or has a password. ${SAVE_AS}`;
  }
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) {
    return 'is a PDF. Download the export as CSV instead.';
  }
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    return 'has the encoding UTF-16. Save it as CSV UTF-8.';
  }
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1').trimStart().toLowerCase();
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype|html|\?xml|table)/.test(start))
    return `is a web page. ${SAVE_AS}`;
  return null;
}

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

function readCsv(file: Uint8Array): Spreadsheet {
  const bytes = startsWith(file, 0xef, 0xbb, 0xbf) ? file.subarray(3) : file;
  if (bytes.includes(0)) throw new ServiceError('validation_failed', `is no spreadsheet. ${SAVE_AS}`);
  if (!isUtf8(bytes)) {
    const line = firstForeignLine(bytes);
    const message = `has another encoding than UTF-8 (seen first in line ${line}). Save it as CSV UTF-8.`;
    throw new ServiceError('validation_failed', message);
  }
  const newline = bytes.includes(NEWLINE) ? NEWLINE : RETURN;
  const read: Spreadsheet = { rows: [], lines: [], unit: 'line' };
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

async function readXlsx(bytes: Uint8Array): Promise<Spreadsheet> {
  const read: Spreadsheet = { rows: [], lines: [], unit: 'row' };
  for (const [index, row] of (await readWorkbook(bytes)).entries()) {
    if (row.every((cell) => cell === null || (typeof cell === 'string' && cell.trim() === ''))) continue;
    read.rows.push(row);
    read.lines.push(index + 1);
  }
  return read;
}

/** Bytes as people read them: `64 MiB`. */
function size(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.ceil(bytes / 1024)} KiB`
    : `${Math.ceil(bytes / 1024 / 102.4) / 10} MiB`;
}

/**
 * Refuses a file that is too large, before it is read.
 *
 * @throws ServiceError `validation_failed`
 */
export function checkSize(name: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const message = `${name} has ${size(bytes)}; at most ${size(maxBytes)} are taken. Split it into several files.`;
  throw new ServiceError('validation_failed', message);
}

/**
 * Reads a .csv or .xlsx file into rows of cells, blank rows left out, for an import with excel_format true (decisions.md,
 * "Order import"; exports.md for what real files look like). What the file is its bytes say, not its name.
 *
 * CSV: UTF-8 with or without BOM, LF or CRLF, quoted newlines, rows of any length; divided by commas, or by semicolons or
 * tabs where the header has no comma. XLSX: the first sheet that is not empty; numbers stay numbers, dates become text
 * month first, as the reader of sale dates wants them.
 *
 * @param options.maxBytes largest file, in bytes
 * @throws ServiceError `validation_failed` in one line that says what to do, beginning with the file's name
 */
export async function readSpreadsheet(
  file: { name: string; bytes: Uint8Array },
  options: { maxBytes: number },
): Promise<Spreadsheet> {
  const { name, bytes } = file;
  const refuse = (why: string, cause?: unknown) =>
    new ServiceError('validation_failed', `${name} ${why}`, { cause });
  checkSize(name, bytes.byteLength, options.maxBytes);
  const wrong = wrongKind(bytes);
  if (wrong !== null) throw refuse(wrong);
  let read: Spreadsheet;
  try {
    read = startsWith(bytes, 0x50, 0x4b) ? await readXlsx(bytes) : readCsv(bytes);
  } catch (error) {
    throw isServiceError(error) ? refuse(error.message, error.cause) : error;
  }
  if (read.rows.length === 0) throw refuse('has no rows. Choose the export that the marketplace made.');
  return read;
}
