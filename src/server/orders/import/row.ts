import { createReason, type Reason } from '../../core/errors/reason';
import { hasLostDigits, LOST_DIGITS } from '../../core/exact-integer';
import { decodeEntities, displayText, isLongerThan, unstorableReason } from '../../core/text/text';
import { FIELD_NAMES, ORDER_FIELDS, type OrderField } from '../column-map';
import { type Cell, parseCellCached } from './cell';
import { findDamage } from './damaged-identifier';
import { type Extra, exceedsExtraLimit, MAX_EXTRA_BYTES } from './extra';
import type { RawRow } from './layout';

/** A row whose cells have all been read: storable values by field, without blank cells. */
export interface OrderRow {
  index: number;
  receiptId: string;
  /** The order number as written, with its spaces and `#`. */
  receiptText: string;
  values: Partial<Record<OrderField, string | number>>;
  extra: Extra | null;
}

/**
 * Receives problems and warnings. A problem means that the import is refused or, on the import page, that the row is held back
 * with all rows of its order; warnings go to the import history.
 */
export interface RowReport {
  readonly problemCount: number;
  addProblem(row: number, name: string, reason: Reason): void;
  addWarning(row: number, name: string, reason: Reason): void;
}

const MAX_EXTRA_NAME_LENGTH = 200;
const MAX_EXTRA_TEXT_LENGTH = 10_000;

/** Returns a cell's value, or undefined if the cell is blank or cannot be read. Cells that cannot be read are reported. */
function readCell(row: RawRow, name: string, rawCell: unknown, report: RowReport): Cell | undefined {
  if (rawCell === null || rawCell === undefined) return undefined;
  if (typeof rawCell === 'string') {
    const text = (row.hasEntities ? decodeEntities(rawCell) : rawCell).trim();
    if (text === '') return undefined;
    const problem = unstorableReason(text);
    if (problem === null) return text;
    report.addProblem(row.index, name, problem);
    return undefined;
  }
  if (hasLostDigits(rawCell)) {
    report.addProblem(row.index, name, LOST_DIGITS);
    return undefined;
  }
  if (typeof rawCell === 'boolean' || (typeof rawCell === 'number' && Number.isFinite(rawCell)))
    return rawCell;
  report.addProblem(row.index, name, createReason('cell.plain'));
  return undefined;
}

function readExtra(row: RawRow, report: RowReport): OrderRow['extra'] {
  if (row.extra.length === 0) return null;
  const cells: [string, Cell][] = [];
  for (const [name, rawCell] of row.extra) {
    const shownName = row.problemNames.get(name) ?? displayText(name);
    if (name.length > MAX_EXTRA_NAME_LENGTH || unstorableReason(name) !== null) {
      report.addProblem(
        row.index,
        shownName,
        createReason('cell.extraName', { count: MAX_EXTRA_NAME_LENGTH }),
      );
      continue;
    }
    const cell = readCell(row, shownName, rawCell, report);
    if (cell === undefined) continue;
    if (typeof cell === 'string' && cell.length > MAX_EXTRA_TEXT_LENGTH) {
      report.addProblem(row.index, shownName, createReason('text.long', { count: MAX_EXTRA_TEXT_LENGTH }));
      continue;
    }
    cells.push([name, cell]);
  }
  if (exceedsExtraLimit(cells)) {
    report.addProblem(row.index, 'extra', createReason('cell.extraSize', { count: MAX_EXTRA_BYTES }));
    return null;
  }
  return cells.length > 0 ? Object.fromEntries(cells) : null;
}

function countryOf(row: RawRow): string | undefined {
  const country = row.cells.country_name;
  if (typeof country !== 'string') return undefined;
  return (row.hasEntities ? decodeEntities(country) : country).trim();
}

/** Returns at most one warning about a cell: that a spreadsheet has damaged it or, otherwise, the warning from reading it. */
function findWarning(
  row: RawRow,
  name: OrderField,
  cell: Cell,
  parsedCell: { warning?: Reason },
): Reason | undefined {
  if (typeof cell === 'boolean') return parsedCell.warning;
  return findDamage(name, cell, name === 'zip' ? countryOf(row) : undefined) ?? parsedCell.warning;
}

/** Reads one field. Returns undefined if its cell holds no value to store; invalid cells are reported. */
function readField(row: RawRow, name: OrderField, report: RowReport): string | number | undefined {
  const cell = readCell(row, name, row.cells[name], report);
  if (cell === undefined) return undefined;
  const { maxLength } = ORDER_FIELDS[name];
  // Checked first, so that no field's reader and no cache gets an oversized string.
  if (typeof cell === 'string' && isLongerThan(cell, maxLength)) {
    report.addProblem(row.index, name, createReason('text.long', { count: maxLength }));
    return undefined;
  }
  const parsedCell = parseCellCached(name, cell);
  if ('problem' in parsedCell) {
    report.addProblem(row.index, name, parsedCell.problem);
    return undefined;
  }
  const warning = findWarning(row, name, cell, parsedCell);
  if (warning !== undefined) report.addWarning(row.index, name, warning);
  return parsedCell.value;
}

/** Sets all fields up front, because objects that gain them one by one are slow. */
const NO_VALUES: OrderRow['values'] = Object.fromEntries(FIELD_NAMES.map((name) => [name, undefined]));

/**
 * Reads every cell of a row and reports all of its problems, not just the first.
 *
 * @returns the row, or null if it has no valid order number
 */
export function readRow(row: RawRow, report: RowReport): OrderRow | null {
  const problemCountBefore = report.problemCount;
  const receiptId = readField(row, 'receipt_id', report);
  if (receiptId === undefined && report.problemCount === problemCountBefore) {
    report.addProblem(row.index, 'receipt_id', createReason('cell.noReceipt'));
  }
  const values: OrderRow['values'] = { ...NO_VALUES };
  for (const name of FIELD_NAMES) {
    if (name === 'receipt_id' || row.cells[name] === undefined) continue;
    const value = readField(row, name, report);
    if (value !== undefined) values[name] = value;
  }
  const extra = readExtra(row, report);
  if (receiptId === undefined) return null;
  const cellText = String(row.cells.receipt_id);
  const receiptText = row.hasEntities ? decodeEntities(cellText) : cellText;
  return { index: row.index, receiptId: String(receiptId), receiptText, values, extra };
}
