import { isServiceError, ServiceError } from '../errors/errors';
import { createReason, type Reason } from '../errors/reason';
import { readCsv } from '../text/csv-reader';
import type { Encoding } from '../text/encodings';
import { tooLargeReason } from './file-size';
import { readWorkbook, type SpreadsheetCell } from './workbook';

/** The non-blank rows of a file, header first. In an import of orders, they are passed on with `excel_format` true. */
export interface Spreadsheet {
  rows: SpreadsheetCell[][];
  /** Where each row begins in the file: a line of a CSV file or a row of a sheet, counted from 1. */
  lines: number[];
  unit: 'line' | 'row';
  /** The encoding of a CSV file; null for a workbook. */
  encoding: Encoding | null;
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Returns why a file cannot be a spreadsheet: it is blank, or begins like another format. Returns null if it may be one. */
function refusalReasonOf(bytes: Uint8Array, emptyReason: Reason): Reason | null {
  if (bytes.every((byte) => byte <= 32)) return emptyReason;
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    return createReason('file.oldExcel');
  }
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) {
    return createReason('file.pdf');
  }
  const startText = Buffer.from(bytes.subarray(0, 200)).toString('latin1').trimStart().toLowerCase();
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype|html|\?xml|table)/.test(startText))
    return createReason('file.webPage');
  return null;
}

/**
 * Refuses a file that is too large, before reading it.
 *
 * @throws ServiceError `validation_failed`
 */
export function checkSize(name: string, size: number, maxBytes: number): void {
  if (size > maxBytes) throw new ServiceError('validation_failed', tooLargeReason(name, size, maxBytes));
}

/** The reasons for refusing an empty file, by what is imported. */
const EMPTY_REASONS = {
  orders: { empty: createReason('file.empty'), noRows: createReason('file.noRows') },
  products: { empty: createReason('file.emptyCatalog'), noRows: createReason('file.noRowsCatalog') },
  tracking: { empty: createReason('file.noTracking'), noRows: createReason('file.noTracking') },
};

/**
 * Reads the non-blank rows of a .csv or .xlsx file. Its bytes decide the format, not its name; a file named .xlsx that is not
 * a ZIP archive is refused.
 * For CSV see {@link readCsv}. Of a workbook, reads the first sheet that is not empty; numbers stay numbers, and dates become
 * text with the month first, as the reader of sale dates expects.
 *
 * @param options.maxBytes the maximum size of the file, in bytes
 * @param options.contents what the file should contain; orders by default
 * @throws ServiceError `validation_failed` in one line that says what to do, beginning with the file's name
 */
export async function readSpreadsheet(
  file: { name: string; bytes: Uint8Array },
  options: { maxBytes: number; contents?: keyof typeof EMPTY_REASONS },
): Promise<Spreadsheet> {
  const { name, bytes } = file;
  const emptyReasons = EMPTY_REASONS[options.contents ?? 'orders'];
  const namedFileError = (reason: Reason, cause?: unknown) =>
    new ServiceError('validation_failed', createReason('join.named', { name, reason }), { cause });
  checkSize(name, bytes.byteLength, options.maxBytes);
  const reason = refusalReasonOf(bytes, emptyReasons.empty);
  if (reason !== null) throw namedFileError(reason);
  const isZip = startsWith(bytes, 0x50, 0x4b);
  if (/\.xlsx$/i.test(name) && !isZip) throw namedFileError(createReason('file.notWorkbook'));
  let spreadsheet: Spreadsheet;
  try {
    spreadsheet = isZip
      ? { ...(await readWorkbook(bytes)), unit: 'row', encoding: null }
      : { ...readCsv(bytes), unit: 'line' };
  } catch (error) {
    throw isServiceError(error) ? namedFileError(error.reason, error.cause) : error;
  }
  if (spreadsheet.rows.length === 0) throw namedFileError(emptyReasons.noRows);
  return spreadsheet;
}
