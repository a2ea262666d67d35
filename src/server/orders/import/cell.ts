import { createReason, type Reason } from '../../core/errors/reason';
import { MAX_INTEGER } from '../../core/exact-integer';
import { findCurrencyCode } from '../../core/money/currency';
import { readMoney } from '../../core/money/money';
import { normaliseOrderNumber } from '../../core/text/order-number';
import { normaliseTrackingNumber, truncate } from '../../core/text/text';
import { trackingNumberProblem } from '../../core/text/tracking-number';
import { ORDER_FIELDS, type OrderField } from '../column-map';
import { INVALID_SALE_DATE_REASON, readSaleDate } from './sale-date';

/** A cell that is not blank. */
export type Cell = string | number | boolean;

const NOT_SHIPPED_WORDS = new Set(['0', 'false', 'no', 'n']);

/** What a cell means: the value to store, undefined if there is none, or the reason why the cell is refused. */
type ParsedCell = { value: string | number | undefined; warning?: Reason } | { problem: Reason };

/** Reads an id. Numeric ids are read like order numbers; other transaction and listing ids keep their inner spaces. */
function readId(name: OrderField, cell: Cell): ParsedCell {
  if (typeof cell === 'boolean') return { problem: createReason('cell.id') };
  if (typeof cell === 'number') {
    if (!Number.isInteger(cell) || cell < 0) return { problem: createReason('cell.id') };
    return { value: String(cell) };
  }
  const text = cell.replace(/^#/, '').trim();
  const number = normaliseOrderNumber(cell);
  if (number === '') return { value: undefined };
  if (!/^\d+$/.test(number)) return { value: name === 'receipt_id' ? number : text };
  if (!text.includes('.')) return { value: number };
  return { value: number, warning: createReason('cell.decimalsAdded', { value: text, digits: number }) };
}

function readCurrency(cell: Cell): ParsedCell {
  const text = String(cell);
  const code = findCurrencyCode(text);
  if (code !== null) return { value: code };
  const warning = createReason('cell.noCurrency', { value: truncate(text, 60) });
  return { value: text, warning };
}

function readTrackingNumber(cell: Cell): ParsedCell {
  const text = String(cell);
  const problem = trackingNumberProblem(text);
  if (problem === null) return { value: normaliseTrackingNumber(text) };
  return {
    value: undefined,
    warning: createReason('cell.noShipment', { value: truncate(text, 60), reason: problem }),
  };
}

function readQuantity(cell: Cell): ParsedCell {
  const text = String(cell);
  if (typeof cell === 'boolean' || !/^\d+(?:\.0+)?$/.test(text) || Number(text) > MAX_INTEGER) {
    return { problem: createReason('cell.wholeRange', { minimum: 0, maximum: MAX_INTEGER }) };
  }
  const value = Number(text);
  return value === 0 ? { value, warning: createReason('cell.noQuantity') } : { value };
}

function readDay(cell: Cell): ParsedCell {
  const date = typeof cell === 'boolean' ? null : readSaleDate(cell);
  if (date) return { value: date.day };
  return { value: String(cell), warning: createReason('cell.noDate', { value: truncate(String(cell), 60) }) };
}

function readShippedIndicator(cell: Cell): ParsedCell {
  const word = String(cell).toLowerCase();
  return NOT_SHIPPED_WORDS.has(word) ? { value: undefined } : readDay(cell);
}

function parseCell(name: OrderField, cell: Cell): ParsedCell {
  switch (ORDER_FIELDS[name].kind) {
    case 'id':
      return readId(name, cell);
    case 'tracking_number':
      return readTrackingNumber(cell);
    case 'currency':
      return readCurrency(cell);
    case 'money': {
      if (typeof cell === 'boolean') return { problem: createReason('cell.amount') };
      const parsedMoney = readMoney(cell);
      return 'problem' in parsedMoney ? parsedMoney : { value: parsedMoney.amount };
    }
    case 'quantity':
      return readQuantity(cell);
    case 'instant': {
      const date = typeof cell === 'boolean' ? null : readSaleDate(cell);
      return date ? { value: new Date(date.instantMs).toISOString() } : { problem: INVALID_SALE_DATE_REASON };
    }
    case 'day':
      return readDay(cell);
    case 'shipped':
      return readShippedIndicator(cell);
    case 'text':
      return { value: String(cell) };
  }
}

/** Parsed cells by their spelling. Amounts and dates repeat across rows, so caching them halves the time of a large import. */
const parsedCellCaches = {
  money: new Map<Cell, ParsedCell>(),
  instant: new Map<Cell, ParsedCell>(),
  day: new Map<Cell, ParsedCell>(),
};
const MAX_CACHED_CELLS = 4_096;

/** Returns what a cell of a field means. */
export function parseCellCached(name: OrderField, cell: Cell): ParsedCell {
  const { kind } = ORDER_FIELDS[name];
  if (!(kind === 'money' || kind === 'instant' || kind === 'day')) return parseCell(name, cell);
  const cache = parsedCellCaches[kind];
  let parsedCell = cache.get(cell);
  if (!parsedCell) {
    parsedCell = parseCell(name, cell);
    if (cache.size >= MAX_CACHED_CELLS) cache.clear();
    cache.set(cell, parsedCell);
  }
  return parsedCell;
}
