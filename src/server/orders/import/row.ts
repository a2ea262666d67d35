import { readMoney } from '../../core/money';
import { abridge, decodeEntities, normaliseTrackingNumber, showable, unstorable } from '../../core/text';
import { FIELD_NAMES, ORDER_FIELDS, type OrderField } from './column-map';
import { looksRounded } from './damaged-identifier';
import type { RawRow } from './layout';
import { readSaleDate, SALE_DATE_PROBLEM } from './sale-date';

/** A row whose cells have all been read: storable text by field, blank cells left out. */
export interface OrderRow {
  index: number;
  receiptId: string;
  values: Partial<Record<OrderField, string | number>>;
  extra: Record<string, string | number | boolean> | null;
}

/** Receives what is wrong (the import is refused) and what is doubtful (the import's history says so). */
export interface RowReport {
  readonly problemCount: number;
  problem(row: number, name: string, message: string): void;
  warning(row: number, name: string, message: string): void;
}

type Cell = string | number | boolean;

const MAX_QUANTITY = 2_147_483_647;
const MAX_EXTRA_NAME = 200;
const MAX_EXTRA_TEXT = 10_000;
const NOT_SHIPPED = new Set(['0', 'false', 'no', 'n']);
const SHIPPED = new Set(['1', 'true', 'yes', 'y']);

/** A blank cell is undefined; a cell that is no text, number or boolean is reported. */
function readCell(row: RawRow, name: string, raw: unknown, report: RowReport): Cell | undefined {
  if (raw === null || raw === undefined) return undefined;
  if (typeof raw === 'string') {
    const text = (row.decode ? decodeEntities(raw) : raw).trim();
    if (text === '') return undefined;
    const problem = unstorable(text);
    if (problem === null) return text;
    report.problem(row.index, name, problem);
    return undefined;
  }
  if (typeof raw === 'boolean' || (typeof raw === 'number' && Number.isFinite(raw))) return raw;
  report.problem(row.index, name, 'must be text, a number, true, false or null');
  return undefined;
}

type Reading = { value: string | number | undefined; warning?: string } | { problem: string };

function readId(cell: Cell): Reading {
  if (typeof cell === 'boolean') return { problem: 'must be text or a whole number' };
  if (typeof cell === 'number') {
    if (!Number.isInteger(cell) || cell < 0) return { problem: 'must be text or a whole number' };
    if (!Number.isSafeInteger(cell)) {
      return { problem: 'is a number beyond 2^53-1, whose last digits are lost; send it as text' };
    }
    return { value: String(cell) };
  }
  const value = cell.replace(/^#/, '').trim();
  if (value === '') return { value: undefined };
  const warning = looksRounded(value)
    ? `"${value}" looks like an id that a spreadsheet has rounded`
    : undefined;
  return warning ? { value, warning } : { value };
}

function readText(cell: Cell): Reading {
  if (typeof cell === 'number' && Number.isInteger(cell) && !Number.isSafeInteger(cell)) {
    return { problem: 'is a number beyond 2^53-1, whose last digits are lost; send it as text' };
  }
  return { value: String(cell) };
}

function readQuantity(cell: Cell): Reading {
  const text = String(cell);
  if (typeof cell === 'boolean' || !/^\d+(?:\.0+)?$/.test(text) || Number(text) > MAX_QUANTITY) {
    return { problem: `must be a whole number from 0 to ${MAX_QUANTITY}` };
  }
  return { value: Number(text) };
}

function readDay(cell: Cell): Reading {
  const date = typeof cell === 'boolean' ? null : readSaleDate(cell);
  if (date) return { value: date.day };
  return { value: String(cell), warning: `"${abridge(String(cell), 60)}" is no date; it is kept as text` };
}

function readShipped(cell: Cell): Reading {
  const word = String(cell).toLowerCase();
  if (NOT_SHIPPED.has(word)) return { value: undefined };
  return SHIPPED.has(word) ? { value: word } : readDay(cell);
}

function read(name: OrderField, cell: Cell): Reading {
  switch (ORDER_FIELDS[name].kind) {
    case 'id':
      return readId(cell);
    case 'waybill': {
      const reading = readText(cell);
      if ('problem' in reading || reading.value === undefined) return reading;
      return { value: normaliseTrackingNumber(String(reading.value)) };
    }
    case 'money': {
      if (typeof cell === 'boolean') return { problem: 'must be an amount' };
      const reading = readMoney(cell);
      return 'problem' in reading ? reading : { value: reading.amount };
    }
    case 'quantity':
      return readQuantity(cell);
    case 'instant': {
      const date = typeof cell === 'boolean' ? null : readSaleDate(cell);
      return date ? { value: new Date(date.instant).toISOString() } : { problem: SALE_DATE_PROBLEM };
    }
    case 'day':
      return readDay(cell);
    case 'shipped':
      return readShipped(cell);
    case 'text':
      return readText(cell);
  }
}

/** Amounts and dates repeat from row to row; reading each spelling once halves the time of a large import. */
const readings = {
  money: new Map<Cell, Reading>(),
  instant: new Map<Cell, Reading>(),
  day: new Map<Cell, Reading>(),
};
const REMEMBERED = 4_096;

function readOnce(name: OrderField, cell: Cell): Reading {
  const { kind } = ORDER_FIELDS[name];
  if (!(kind === 'money' || kind === 'instant' || kind === 'day')) return read(name, cell);
  const known = readings[kind];
  let reading = known.get(cell);
  if (!reading) {
    reading = read(name, cell);
    if (known.size >= REMEMBERED) known.clear();
    known.set(cell, reading);
  }
  return reading;
}

function readExtra(row: RawRow, report: RowReport): OrderRow['extra'] {
  if (row.extra.length === 0) return null;
  const kept: [string, Cell][] = [];
  for (const [name, raw] of row.extra) {
    const shown = showable(name);
    if (name.length > MAX_EXTRA_NAME || unstorable(name) !== null) {
      report.problem(
        row.index,
        shown,
        `is a name that cannot be kept; use at most ${MAX_EXTRA_NAME} characters`,
      );
      continue;
    }
    const cell = readCell(row, shown, raw, report);
    if (cell === undefined) continue;
    if (typeof cell === 'string' && cell.length > MAX_EXTRA_TEXT) {
      report.problem(row.index, shown, `must have at most ${MAX_EXTRA_TEXT} characters`);
      continue;
    }
    kept.push([name, cell]);
  }
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** Reads one field; undefined where its cell is blank or wrong, which is reported. */
function readField(row: RawRow, name: OrderField, report: RowReport): string | number | undefined {
  const cell = readCell(row, name, row.cells[name], report);
  if (cell === undefined) return undefined;
  const { maxLength } = ORDER_FIELDS[name];
  // Before it is read: no reader is given, and no memory of readings keeps, a text of any length.
  if (typeof cell === 'string' && cell.length > maxLength) {
    report.problem(row.index, name, `must have at most ${maxLength} characters`);
    return undefined;
  }
  const reading = readOnce(name, cell);
  if ('problem' in reading) {
    report.problem(row.index, name, reading.problem);
    return undefined;
  }
  if (reading.warning) report.warning(row.index, name, reading.warning);
  return reading.value;
}

/** Every field from the start: an object that gains them one by one becomes a slow one. */
const NO_VALUES: OrderRow['values'] = Object.fromEntries(FIELD_NAMES.map((name) => [name, undefined]));

/**
 * Reads every cell of a row (docs/orders.md). All that is wrong with the row is reported, not just the first.
 *
 * @returns the row, or null where it has no receipt_id to belong to
 */
export function readRow(row: RawRow, report: RowReport): OrderRow | null {
  const problemsBefore = report.problemCount;
  const receiptId = readField(row, 'receipt_id', report);
  if (receiptId === undefined && report.problemCount === problemsBefore) {
    report.problem(row.index, 'receipt_id', 'is required: without it the row belongs to no order');
  }
  const values: OrderRow['values'] = { ...NO_VALUES };
  for (const name of FIELD_NAMES) {
    if (name === 'receipt_id' || row.cells[name] === undefined) continue;
    const value = readField(row, name, report);
    if (value !== undefined) values[name] = value;
  }
  const extra = readExtra(row, report);
  return receiptId === undefined ? null : { index: row.index, receiptId: String(receiptId), values, extra };
}
