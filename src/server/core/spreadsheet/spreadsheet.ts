import { readCsv } from '../csv-reader';
import { type Encoding, SAVE_AS } from '../encoding';
import { isServiceError, ServiceError } from '../errors';
import { readWorkbook, type SpreadsheetCell } from './workbook';

/** The rows of a file that are not blank, the header first: what prepareImport takes with excel_format true. */
export interface Spreadsheet {
  rows: SpreadsheetCell[][];
  /** For each row where it begins in the file: a line of a CSV file or a row of a sheet, counted from 1. */
  lines: number[];
  unit: 'line' | 'row';
  /** How a CSV file was encoded; null for a workbook. */
  encoding: Encoding | null;
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Why a file cannot be a spreadsheet of ours, by its first bytes; null where it may be. */
function wrongKind(bytes: Uint8Array, right: string): string | null {
  if (bytes.every((byte) => byte <= 32)) return `is empty. ${right}`;
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    return `is an old Excel file (.xls) or has a password. ${SAVE_AS}`;
  }
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) {
    return 'is a PDF. Download the export as CSV instead.';
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

/** Which file to choose instead of one that holds nothing, by what is imported. */
const RIGHT_FILE = {
  orders: 'Choose the export that the marketplace made.',
  products: 'Choose a file with the columns category, code and name.',
};

/**
 * Reads a .csv or .xlsx file into rows of cells, blank rows left out. What the file is its bytes say, not its name.
 *
 * CSV: see {@link readCsv}. XLSX: the first sheet that is not empty; numbers stay numbers, dates become text month first, as the
 * reader of sale dates wants them.
 *
 * @param options.maxBytes largest file, in bytes
 * @param options.of what the file should hold
 * @throws ServiceError `validation_failed` in one line that says what to do, beginning with the file's name
 */
export async function readSpreadsheet(
  file: { name: string; bytes: Uint8Array },
  options: { maxBytes: number; of?: keyof typeof RIGHT_FILE },
): Promise<Spreadsheet> {
  const { name, bytes } = file;
  const right = RIGHT_FILE[options.of ?? 'orders'];
  const refuse = (why: string, cause?: unknown) =>
    new ServiceError('validation_failed', `${name} ${why}`, { cause });
  checkSize(name, bytes.byteLength, options.maxBytes);
  const wrong = wrongKind(bytes, right);
  if (wrong !== null) throw refuse(wrong);
  const isZip = startsWith(bytes, 0x50, 0x4b);
  if (/\.xlsx$/i.test(name) && !isZip)
    throw refuse('is called .xlsx and is no workbook. Save it as .xlsx or .csv in a spreadsheet program.');
  let read: Spreadsheet;
  try {
    read = isZip
      ? { ...(await readWorkbook(bytes)), unit: 'row', encoding: null }
      : { ...readCsv(bytes), unit: 'line' };
  } catch (error) {
    throw isServiceError(error) ? refuse(error.message, error.cause) : error;
  }
  if (read.rows.length === 0) throw refuse(`has no rows. ${right}`);
  return read;
}
