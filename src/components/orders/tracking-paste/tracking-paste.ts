import type { Reason } from '../../../server/core/errors/reason';
import { reasonOf } from '../../../server/core/errors/validation';
import { normaliseOrderNumber } from '../../../server/core/text/order-number';
import { SCIENTIFIC_NOTATION } from '../../../server/core/text/scientific-notation';
import { pastedTrackingRow } from '../../../server/orders/tracking/paste/schema';
import { LINE_BREAK, linesOfText } from './line-numbers';
import { fieldNamed, type PastedField } from './pasted-columns';

/** What is wrong with a pasted row, found without asking the service. */
type PasteProblem =
  | 'no_receipt'
  | 'no_number'
  | 'no_tab'
  | 'no_comma'
  | 'no_semicolon'
  | 'damaged'
  | 'refused_receipt'
  | 'refused_number'
  | 'refused_carrier'
  | 'long';

export interface PastedRow {
  /** The number of the row's first line in the text, from 1. */
  line: number;
  /** Normalised, except in a row whose cells are not separated: then it is the whole line as it was typed. */
  receipt_id: string;
  tracking_number: string;
  carrier_code: string;
  problem: PasteProblem | null;
  /** Why the service would refuse the row; null unless the problem is that a cell is refused. */
  reason: Reason | null;
}

export interface PastedTable {
  /** The meaning of each column; null for an ignored one. */
  columns: (PastedField | null)[];
  /** Whether the first line is a header. */
  hasHeader: boolean;
  rows: PastedRow[];
}

/** The columns of pasted rows without a header. */
const DEFAULT_COLUMNS: readonly PastedField[] = ['receipt_id', 'tracking_number', 'carrier_code'];

/**
 * Returns the delimiter of the cells: a tab, as in cells copied from a spreadsheet; otherwise the more frequent of semicolon and
 * comma; otherwise spaces.
 */
function delimiterOf(text: string): string | RegExp {
  if (text.includes('\t')) return '\t';
  const cellCount = (delimiter: string) => text.split(delimiter).length;
  if (cellCount(';') > cellCount(',')) return ';';
  return text.includes(',') ? ',' : /[ \u3000]+/;
}

interface Line {
  /** The number, from 1, of the line of the text where the cells begin. */
  lineNumber: number;
  cells: string[];
}

/**
 * Splits a text into lines of cells. A cell that starts with a quote may contain delimiters and line breaks: `"a, ""b"""` is
 * the cell `a, "b"`. Other quotes stay as they are: those inside a cell, as in `5" sticker`, and unclosed ones.
 */
function quotedLinesOf(text: string, delimiter: string): Line[] {
  const cellEndPattern = `${delimiter}|\\r\\n?|\\n|$`;
  const cellPattern = new RegExp(
    `(?: *"([^"]*(?:""[^"]*)*)" *(?=${cellEndPattern})|([^${delimiter}\\r\\n]*))(${cellEndPattern})`,
    'gy',
  );
  const lines: Line[] = [];
  let lineNumber = 1;
  let isNewLine = true;
  for (const [matchedText, quotedCell, plainCell, cellEnd] of text.matchAll(cellPattern)) {
    if (isNewLine) lines.push({ lineNumber, cells: [] });
    lines.at(-1)!.cells.push((quotedCell?.replaceAll('""', '"') ?? plainCell!).trim());
    isNewLine = cellEnd !== delimiter;
    lineNumber += matchedText.match(LINE_BREAK)?.length ?? 0;
  }
  return lines;
}

function linesOf(text: string, delimiter: string | RegExp): Line[] {
  if (typeof delimiter === 'string') return quotedLinesOf(text, delimiter);
  return linesOfText(text).map((line, index) => ({
    lineNumber: index + 1,
    cells: line.trim().split(delimiter),
  }));
}

const SEPARATOR_PROBLEMS = new Map<string | RegExp, PasteProblem>([
  ['\t', 'no_tab'],
  [',', 'no_comma'],
  [';', 'no_semicolon'],
]);

/** Separates the order number from the tracking number in a line without the text's delimiter. */
const OTHER_SEPARATOR = /[\s,;]+/;

/** Returns whether a cell contains more than an order number: after a separator, a part with a letter or eight characters. */
const containsSeveralCells = (cell: string) =>
  cell
    .split(OTHER_SEPARATOR)
    .slice(1)
    .some((part) => /\p{Letter}/u.test(part) || part.length >= 8);

const REFUSAL_PROBLEMS = {
  receipt_id: 'refused_receipt',
  tracking_number: 'refused_number',
  carrier_code: 'refused_carrier',
} as const satisfies Record<PastedField, PasteProblem>;

/**
 * Matches a number of fifteen digits and then only zeros, as most spreadsheet programs write a longer number. With fewer than four
 * zeros, it may well be a number that ends like this.
 */
const ROUNDED_NUMBER = /^\d{15}0{4,}$/;

const looksRounded = (cell: string) => SCIENTIFIC_NOTATION.test(cell) || ROUNDED_NUMBER.test(cell);

function problemOf(
  fields: Omit<PastedRow, 'line' | 'problem' | 'reason'>,
): Pick<PastedRow, 'problem' | 'reason'> {
  const { receipt_id: receiptId, tracking_number: number } = fields;
  const withoutReason = (problem: PasteProblem | null) => ({ problem, reason: null });
  if (receiptId === '') return withoutReason('no_receipt');
  if (number === '') return withoutReason('no_number');
  if (looksRounded(receiptId) || looksRounded(number)) return withoutReason('damaged');
  const issues = pastedTrackingRow.safeParse(fields).error?.issues ?? [];
  if (issues.some(({ code }) => code === 'too_big')) return withoutReason('long');
  const [issue] = issues;
  if (!issue) return withoutReason(null);
  return { problem: REFUSAL_PROBLEMS[issue.path[0] as PastedField], reason: reasonOf(issue) };
}

/** Parses rows pasted from a spreadsheet or a CSV file: one shipment per line. Skips empty lines. */
export function readTrackingPaste(text: string): PastedTable {
  const plainText = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(plainText);
  const lines = linesOf(plainText, delimiter).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const header = (lines[0]?.cells ?? []).map(fieldNamed);
  const hasHeader = header.includes('receipt_id') || header.includes('tracking_number');
  const columnCount = lines.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  // If two columns have the same meaning, the first one is used.
  const columns = hasHeader
    ? header.map((field, index) => (field !== null && header.indexOf(field) === index ? field : null))
    : Array.from({ length: columnCount }, (_, index) => DEFAULT_COLUMNS[index] ?? null);
  const rows = lines.slice(hasHeader ? 1 : 0).map(({ lineNumber, cells }) => {
    const [onlyCell, ...otherCells] = cells.filter((cell) => cell !== '');
    const separatorProblem = SEPARATOR_PROBLEMS.get(delimiter);
    if (
      separatorProblem &&
      otherCells.length === 0 &&
      cells[0] === onlyCell &&
      containsSeveralCells(onlyCell!)
    )
      return {
        line: lineNumber,
        receipt_id: onlyCell!,
        tracking_number: '',
        carrier_code: '',
        problem: separatorProblem,
        reason: null,
      };
    const cellOf = (field: PastedField) => cells[columns.indexOf(field)] ?? '';
    const fields = {
      receipt_id: normaliseOrderNumber(cellOf('receipt_id')),
      tracking_number: cellOf('tracking_number'),
      carrier_code: cellOf('carrier_code'),
    };
    return { line: lineNumber, ...fields, ...problemOf(fields) };
  });
  return { columns, hasHeader, rows };
}

/** Joins cells into a line, separated by tabs. Tabs, line breaks and quotes in a cell become spaces. */
const lineOf = (cells: readonly string[]) =>
  cells.map((cell) => cell.replace(/[\t\r\n"]+/g, ' ').trim()).join('\t');

/** Returns the rows of a file as text to paste. */
export const textOfTable = (rows: readonly (readonly string[])[]) => rows.map(lineOf).join('\n');

/** Returns rows as text that {@link readTrackingPaste} reads again; their line numbers may change. */
export const textOfRows = (rows: readonly PastedRow[]) =>
  textOfTable(
    rows.map(({ receipt_id, tracking_number, carrier_code }) => [receipt_id, tracking_number, carrier_code]),
  );

/** Returns the rows of a text except the saved ones. Keeps rows that were typed during the submission. */
export function remainingRowsOf(text: string, savedRows: readonly PastedRow[]): PastedRow[] {
  const savedTexts = new Set(savedRows.map((row) => textOfRows([row])));
  return readTrackingPaste(text).rows.filter((row) => !savedTexts.has(textOfRows([row])));
}

/** Returns the key under which the refusal and the chosen shop of a row are stored. */
export const rowKeyOf = ({ receipt_id, tracking_number }: PastedRow) => `${receipt_id}\t${tracking_number}`;
