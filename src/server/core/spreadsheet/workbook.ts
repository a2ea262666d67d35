import { type Unzipped, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { ServiceError } from '../errors';

export type SpreadsheetCell = string | number | boolean | null;

/** Most that the parts of a workbook may unpack to: some two million cells, well above any import. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Most cells of the rectangle that a sheet spans: the reader fills its gaps, so one stray cell can cost gigabytes. */
const MAX_SPAN = 40_000_000;
const MAX_ROW = 1_048_576;
const MAX_COLUMN = 16_384;
const LISTED_CELLS = 5;

const NOT_A_WORKBOOK =
  'is no Excel workbook. Open it in a spreadsheet program and save it as .xlsx or as CSV UTF-8.';

function refuse(message: string, cause?: unknown): ServiceError {
  return new ServiceError('validation_failed', message, { cause });
}

/** Unpacks the workbook's XML. The sizes that the archive declares are added up first, and no part unpacks to more. */
function unpack(bytes: Uint8Array): Unzipped {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/^xl\/.+\.(?:xml|rels)$/.test(name)) return false;
        total += originalSize;
        if (total > MAX_UNPACKED_BYTES) {
          throw refuse(
            `unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB. Split it into several files, or save it as CSV UTF-8.`,
          );
        }
        return true;
      },
    });
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw refuse('is damaged or incomplete. Save or download it again.', error);
  }
}

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

function attribute(tag: string, pattern: RegExp): string | undefined {
  return pattern.exec(tag)?.[1];
}

/** Attributes by their name, whatever the prefix of their namespace. */
const ID = /(?:^|[\s:])[Ii]d\s*=\s*["']([^"']*)/;
const TARGET = /(?:^|\s)Target\s*=\s*["']([^"']*)/;
const ADDRESS = /(?:^|\s)r\s*=\s*["']([^"']*)/;
const ERROR_TYPE = /(?:^|\s)t\s*=\s*["'](e)["']/;

/** The sheets in the workbook's order: the part that holds each, null for one that is no table (a chart). */
function sheetParts(parts: Unzipped): (string | null)[] {
  const relationships = text(parts['xl/_rels/workbook.xml.rels']).matchAll(
    /<(?:\w+:)?Relationship\s([^>]*)>/g,
  );
  const targets = new Map<string | undefined, string>();
  for (const [, tag = ''] of relationships) {
    const target = attribute(tag, TARGET) ?? '';
    targets.set(attribute(tag, ID), target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  }
  const sheets = text(parts['xl/workbook.xml']).matchAll(/<(?:\w+:)?sheet\s([^>]*)>/g);
  return [...sheets].map(([, tag = '']) => {
    const part = targets.get(attribute(tag, ID)) ?? '';
    return part.includes('worksheets/') && parts[part] ? part : null;
  });
}

/** What a look at the sheet's cells shows, before anything is made of them. */
interface Survey {
  filled: number;
  rows: number;
  columns: number;
  /** Addresses of cells that hold an error such as #REF!; the reader takes them for blank. */
  errors: string[];
  /** Addresses of formulas whose results are not stored; the reader takes them for blank. */
  pending: string[];
}

/** A row's start, or a cell's with its formula and the start of its value, where it has them. */
const ROW_OR_CELL =
  /<(?:\w+:)?(?:(row)|c)\b([^>]*?)(?:\/>|>(<(?:\w+:)?f\b[^>]*?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?(?:\s*<(?:\w+:)?(v|is)\b)?)/g;

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function survey(part: Uint8Array): Survey {
  const seen: Survey = { filled: 0, rows: 0, columns: 0, errors: [], pending: [] };
  const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1');
  for (const [, isRow, tag = '', formula, value] of xml.matchAll(ROW_OR_CELL)) {
    const address = attribute(tag, ADDRESS);
    if (address === undefined) continue;
    const [, letters = '', digits = ''] = /^([A-Z]{0,3})(\d{1,7})$/.exec(address) ?? [];
    const row = Number(digits);
    const column = columnNumber(letters);
    if (row < 1 || row > MAX_ROW || column > MAX_COLUMN) throw refuse(NOT_A_WORKBOOK);
    seen.rows = Math.max(seen.rows, row);
    if (isRow || (value === undefined && formula === undefined)) continue;
    seen.filled++;
    seen.columns = Math.max(seen.columns, column);
    if (value === undefined) seen.pending.push(address);
    else if (ERROR_TYPE.test(tag)) seen.errors.push(address);
  }
  return seen;
}

function listed(cells: readonly string[]): string {
  const more = cells.length - LISTED_CELLS;
  return cells.slice(0, LISTED_CELLS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function checkSheet({ rows, columns, errors, pending }: Survey): void {
  if (rows * columns > MAX_SPAN) {
    const span = `spans ${rows} rows and ${columns} columns`;
    throw refuse(`${span}. Delete the stray cells beside or below the table, or save it as CSV UTF-8.`);
  }
  if (errors.length > 0) {
    throw refuse(
      `holds an error such as #REF! in ${listed(errors)}. Mend or clear it and save the file again.`,
    );
  }
  if (pending.length > 0) {
    throw refuse(
      `holds formulas without their results in ${listed(pending)}. Open it in a spreadsheet program and save it again.`,
    );
  }
}

/** The first sheet that holds anything, alone in a plain archive: what has been checked is what is read. */
function firstSheet(parts: Unzipped): { archive: Uint8Array; number: number } {
  const sheets = sheetParts(parts);
  for (const [index, part] of sheets.entries()) {
    if (part === null) continue;
    const seen = survey(parts[part]!);
    if (seen.filled === 0) continue;
    checkSheet(seen);
    const others = new Set(sheets.filter((name) => name !== part));
    const kept = Object.fromEntries(Object.entries(parts).filter(([name]) => !others.has(name)));
    return { archive: zipSync(kept, { level: 0 }), number: index + 1 };
  }
  throw refuse('has no rows. Save the export in the first sheet of the workbook.');
}

/** A date cell is a wall clock's reading without a zone; written month first it is read in New York (docs/orders.md). */
function dateText(date: Date): string {
  const rounded = new Date(Math.round(date.getTime() / 1000) * 1000);
  const day = `${rounded.getUTCMonth() + 1}/${rounded.getUTCDate()}/${rounded.getUTCFullYear()}`;
  const time = rounded.toISOString().slice(11, 19);
  return time === '00:00:00' ? day : `${day} ${time}`;
}

function plainCell(cell: unknown): SpreadsheetCell {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : dateText(cell);
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? cell : null;
}

/**
 * Reads the first sheet of an .xlsx workbook that is not empty: its rows from the sheet's row 1 on, blank ones included,
 * formulas by their stored value, dates as text that {@link readSaleDate} reads.
 *
 * Guarantee: unpacks at most 256 MiB, whatever the archive claims.
 *
 * @throws ServiceError `validation_failed` whose message begins with a verb, for the file's name to stand before it
 */
export async function readWorkbook(bytes: Uint8Array): Promise<SpreadsheetCell[][]> {
  const parts = unpack(bytes);
  if (!parts['xl/workbook.xml']) throw refuse(NOT_A_WORKBOOK);
  const { archive, number } = firstSheet(parts);
  try {
    const rows = await readSheet(archive.buffer as ArrayBuffer, number);
    return rows.map((row) => row.map(plainCell));
  } catch (error) {
    throw refuse(
      'cannot be read as a workbook. Open it in a spreadsheet program and save it again as .xlsx or as CSV UTF-8.',
      error,
    );
  }
}
