import { readCsv, SAVE_AS } from '../csv-reader';
import { isServiceError, ServiceError } from '../errors';
import { readWorkbook, type SpreadsheetCell } from './workbook';

/** The rows of a file that are not blank, the header first: what prepareImport takes with excel_format true. */
export interface Spreadsheet {
  rows: SpreadsheetCell[][];
  /** For each row where it begins in the file: a line of a CSV file or a row of a sheet, counted from 1. */
  lines: number[];
  unit: 'line' | 'row';
}

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
 * Reads a .csv or .xlsx file into rows of cells, blank rows left out, for an import with excel_format true (docs/orders.md). What the file is its bytes say, not its name.
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
  const isZip = startsWith(bytes, 0x50, 0x4b);
  if (/\.xlsx$/i.test(name) && !isZip)
    throw refuse('is called .xlsx and is no workbook. Save it as .xlsx or .csv in a spreadsheet program.');
  let read: Spreadsheet;
  try {
    read = isZip ? { ...(await readWorkbook(bytes)), unit: 'row' } : { ...readCsv(bytes), unit: 'line' };
  } catch (error) {
    throw isServiceError(error) ? refuse(error.message, error.cause) : error;
  }
  if (read.rows.length === 0) throw refuse('has no rows. Choose the export that the marketplace made.');
  return read;
}
