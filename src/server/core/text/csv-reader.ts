import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse as createParser, type Options } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { ServiceError } from '../errors/errors';
import { createReason } from '../errors/reason';
import { withoutGuard } from './csv';
import { decodeFile } from './encoding';
import type { Encoding } from './encodings';

/** The non-blank rows of a CSV file, header first. */
export interface CsvRows {
  rows: string[][];
  /** The line of the file where each row begins, counted from 1. */
  lines: number[];
  /** How the file was encoded. */
  encoding: Encoding;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;

/** Returns the delimiter: a comma, unless the header contains none but does contain a semicolon or a tab. */
function delimiterOf(bytes: Uint8Array, newline: number): string {
  let headerStart = 0;
  while (bytes[headerStart] === NEWLINE || bytes[headerStart] === CARRIAGE_RETURN) headerStart++;
  const headerEnd = bytes.indexOf(newline, headerStart);
  const header = Buffer.from(bytes.subarray(headerStart, headerEnd === -1 ? undefined : headerEnd)).toString(
    'utf8',
  );
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

/** The bytes after which a quotation mark opens a quoted cell: delimiters and line ends. */
const CELL_BOUNDARIES = new Set<number | undefined>([
  undefined,
  NEWLINE,
  CARRIAGE_RETURN,
  ...Buffer.from(',;\t'),
]);

/** Returns the last byte of the file's line ends: that of the first line break outside quotes, because cells may have others. */
function newlineOf(bytes: Uint8Array): number {
  let isQuoted = false;
  let closedAt = -2;
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position];
    if (byte === QUOTE) {
      if (isQuoted) closedAt = position;
      // Two quotation marks inside quotes are one that is part of the cell.
      isQuoted = !isQuoted && (closedAt === position - 1 || CELL_BOUNDARIES.has(bytes[position - 1]));
    } else if (!isQuoted && byte === NEWLINE) return NEWLINE;
    else if (!isQuoted && byte === CARRIAGE_RETURN)
      return bytes[position + 1] === NEWLINE ? NEWLINE : CARRIAGE_RETURN;
  }
  return NEWLINE;
}

/** Prepares the reading of a CSV file: the parser's options, the rows that it fills, and the error for what it refuses. */
function prepareReading(file: Uint8Array) {
  const { bytes, encoding } = decodeFile(file);
  const newline = newlineOf(bytes);
  const csv: CsvRows = { rows: [], lines: [], encoding };
  let position = 0;
  let line = 1;
  const skipTo = (end: number) => {
    for (; position < end; position++) if (bytes[position] === newline) line++;
  };
  const addRow = (row: string[], rowEnd: number): null => {
    let start = position;
    while (bytes[start] === NEWLINE || bytes[start] === CARRIAGE_RETURN) start++;
    skipTo(start);
    if (row.some((cell) => cell.trim() !== '')) {
      csv.rows.push(row.map(withoutGuard));
      csv.lines.push(line);
    }
    skipTo(rowEnd);
    return null;
  };
  const options: Options<string[]> = {
    delimiter: delimiterOf(bytes, newline),
    record_delimiter: newline === NEWLINE ? ['\r\n', '\n'] : ['\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    on_record: (row: string[], { bytes: end }) => addRow(row, end),
  };
  const toRefusal = (error: unknown): unknown => {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') return error;
    // The rest of the file is one row whose quote never closes.
    addRow([], position);
    const reason = createReason('file.quote', { line });
    return new ServiceError('validation_failed', reason, { cause: error });
  };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { buffer, options, csv, toRefusal };
}

/**
 * Reads CSV in any encoding of {@link decodeFile}: LF, CRLF or CR, quoted newlines, rows of any length; cells separated by commas,
 * or by semicolons or tabs if the header has no comma. Skips blank rows. Removes the formula guard that our own exports put before
 * a cell.
 *
 * @throws ServiceError `validation_failed`, worded to follow the file's name
 */
export function readCsv(file: Uint8Array): CsvRows {
  const { buffer, options, csv, toRefusal } = prepareReading(file);
  try {
    parse(buffer, options);
  } catch (error) {
    throw toRefusal(error);
  }
  return csv;
}

/** How much is parsed at a time: a few milliseconds of work. */
const SLICE_BYTES = 8 * 1024;

async function* splitIntoSlices(buffer: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < buffer.length; start += SLICE_BYTES) {
    if (start > 0) await nextTurn();
    yield buffer.subarray(start, start + SLICE_BYTES);
  }
}

/** Like {@link readCsv}, but in slices between which the event loop handles other requests. */
export async function readCsvInSlices(file: Uint8Array): Promise<CsvRows> {
  const { buffer, options, csv, toRefusal } = prepareReading(file);
  try {
    await pipeline(splitIntoSlices(buffer), createParser(options));
  } catch (error) {
    throw toRefusal(error);
  }
  return csv;
}
