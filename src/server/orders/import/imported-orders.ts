import { createReason } from '../../core/errors/reason';
import { truncate } from '../../core/text/text';
import { foldCountryName } from '../../countries/match';
import { mayHaveLostZeros } from './damaged-identifier';
import { createExtraFullReason, MAX_EXTRA_BYTES, sizeOfExtra, sizeOfMember } from './extra';
import {
  type CellValue,
  type ImportedItem,
  type ImportedOrder,
  type ImportedShipment,
  ITEM_FIELDS,
  ORDER_AMOUNT_FIELDS,
  ORDER_DETAIL_FIELDS,
  type OtherField,
} from './order-fields';
import type { OrderRow, RowReport } from './row';

/** A SKU that may have lost leading zeros; only the database knows what the shop has sold. */
export interface SuspectSku {
  row: number;
  sku: string;
}

/** Sets all members up front, because objects that gain them one by one are slow. JSON omits undefined ones. */
const createBlankFields = (names: readonly OtherField[]): Partial<Record<OtherField, CellValue>> =>
  Object.fromEntries(names.map((name) => [name, undefined]));
const BLANK_ORDER_FIELDS = createBlankFields([...ORDER_DETAIL_FIELDS, ...ORDER_AMOUNT_FIELDS]);
const BLANK_ITEM_FIELDS = createBlankFields(ITEM_FIELDS);

interface GroupedOrder extends ImportedOrder {
  /** The order number as written in the order's first row. */
  receiptText: string;
  /** The same without decimals that a spreadsheet added. Not computed for each row, because it can be megabytes long. */
  receiptTextWithoutDecimals: string;
  currencies: CellValue[];
  itemByTransactionId: Map<string, ImportedItem>;
  /** The size of `extra` of the items to which a second row has added. */
  extraSizeByItem: Map<ImportedItem, number>;
  shipmentByNumber: Map<string, ImportedShipment>;
}

/** The maximum number of currencies stored per order. */
const MAX_CURRENCIES = 5;

/**
 * Adds a row's currency to the order, with a warning if it differs from the earlier ones; a sixth is ignored without a warning.
 * Several are stored joined by slashes: such a text is not a currency code, so the order's amounts are left out of all sums.
 */
function addCurrency({ order, currencies }: GroupedOrder, row: OrderRow, report: RowReport): void {
  const currency = row.values.currency;
  if (currency === undefined || currencies.includes(currency)) return;
  if (currencies.length === MAX_CURRENCIES) return;
  currencies.push(currency);
  order.currency = currencies.join(' / ');
  if (currencies.length === 1) return;
  const shorten = (text: unknown) => truncate(String(text), 60);
  const reason = createReason('cell.currencies', { value: shorten(currency), other: shorten(currencies[0]) });
  report.addWarning(row.index, 'currency', reason);
}

function addOrderFields(group: GroupedOrder, row: OrderRow, report: RowReport): void {
  const { order } = group;
  addCurrency(group, row, report);
  for (const name of ORDER_DETAIL_FIELDS) {
    const value = row.values[name];
    if (name === 'currency' || value === undefined || order[name] !== undefined) continue;
    order[name] = value;
    if (name === 'country_name') {
      order.country_row = row.index;
      order.country_key = foldCountryName(String(value));
    }
  }
  for (const name of ORDER_AMOUNT_FIELDS) {
    const value = row.values[name];
    if (value !== undefined && (order[name] === undefined || order[name] === '0')) order[name] = value;
  }
  if (order.status !== 'shipped') {
    if (order.shipped_indicator !== undefined || row.values.tracking_number !== undefined)
      order.status = 'shipped';
    else if (order.sale_date !== undefined) order.status = 'paid';
  }
}

/** Decimals added by a spreadsheet, which have a warning of their own. */
const ADDED_DECIMALS = /\.0+\s*$/;

function warnAboutSpelling(group: GroupedOrder, row: OrderRow, report: RowReport): void {
  const { receiptText, receiptTextWithoutDecimals, order } = group;
  if (row.receiptText === receiptTextWithoutDecimals || ADDED_DECIMALS.test(row.receiptText)) return;
  const value = truncate(row.receiptText, 60);
  const reason = createReason('cell.spelling', {
    value,
    receipt: order.receipt_id,
    other: truncate(receiptText, 60),
  });
  report.addWarning(row.index, 'receipt_id', reason);
}

/** Thrown if the rows of an order are not next to each other. */
export class ScatteredRowsError extends Error {
  override readonly name = 'ScatteredRowsError';
}

interface GroupOptions {
  /** Whether to rely on the rows of an order being next to each other, so that only one order is in memory at a time. */
  areRowsAdjacent: boolean;
  /** Receives the SKUs to look up. */
  suspectSkus: SuspectSku[];
}

/**
 * Groups rows into orders with their items and shipments. Rows with the same order number become one order, with a warning if
 * their spaces or `#` differ. A transaction_id that repeats within an order is one item: its last row wins, but a blank cell
 * erases nothing. Rows without a transaction_id are never merged.
 *
 * @returns the orders, in the order of their first rows, each with the data of all its rows
 * @throws ScatteredRowsError if `areRowsAdjacent` but the rows of an order are not next to each other
 */
export function* groupByOrder(
  rows: Iterable<OrderRow>,
  report: RowReport,
  { areRowsAdjacent, suspectSkus }: GroupOptions,
): Generator<ImportedOrder> {
  const groupByReceiptId = new Map<string, GroupedOrder>();
  const yieldedReceiptIds = new Set<string>();
  const nextOrd = { item: 0, shipment: 0 };
  for (const row of rows) {
    const { receiptId } = row;
    let group = groupByReceiptId.get(receiptId);
    if (!group) {
      if (areRowsAdjacent) {
        yield* groupByReceiptId.values();
        groupByReceiptId.clear();
        if (yieldedReceiptIds.has(receiptId)) throw new ScatteredRowsError();
        yieldedReceiptIds.add(receiptId);
      }
      group = {
        order: { receipt_id: receiptId, status: 'pending', row: row.index, ...BLANK_ORDER_FIELDS },
        items: [],
        shipments: [],
        receiptText: row.receiptText,
        receiptTextWithoutDecimals: row.receiptText.replace(ADDED_DECIMALS, ''),
        currencies: [],
        itemByTransactionId: new Map(),
        extraSizeByItem: new Map(),
        shipmentByNumber: new Map(),
      };
      groupByReceiptId.set(receiptId, group);
    } else warnAboutSpelling(group, row, report);
    addOrderFields(group, row, report);
    addItem(group, row, report, nextOrd);
    addShipment(group, row, nextOrd);
    const { sku } = row.values;
    if (typeof sku === 'string' && mayHaveLostZeros(sku)) suspectSkus.push({ row: row.index, sku });
  }
  yield* groupByReceiptId.values();
}

/**
 * Returns a text without leading zeros, which spreadsheets drop, or null for any other value. A SKU without its zeros does not
 * replace the original.
 */
function withoutLeadingZeros(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/^0+(?=.)/, '') : null;
}

/**
 * Adds the unknown fields of a row to those of earlier rows of the same item, or leaves them out with a warning if they exceed the
 * limit together. It does not copy or measure the earlier ones again, because that would take quadratic time with many rows of one
 * item, nor assign fields, because that would not store one named `__proto__`.
 */
function addExtra(group: GroupedOrder, item: ImportedItem, row: OrderRow, report: RowReport): void {
  if (!row.extra) return;
  const { extra } = item;
  if (extra === undefined) item.extra = row.extra;
  else {
    const members = Object.entries(row.extra);
    const earlierSize = group.extraSizeByItem.get(item) ?? sizeOfExtra(extra);
    let size = earlierSize;
    for (const [name, value] of members) {
      size += sizeOfMember(name, value);
      if (Object.hasOwn(extra, name)) size -= sizeOfMember(name, extra[name]!);
    }
    const isFull = size > MAX_EXTRA_BYTES;
    group.extraSizeByItem.set(item, isFull ? earlierSize : size);
    if (isFull) {
      report.addWarning(row.index, 'extra', createExtraFullReason());
      return;
    }
    for (const [name, value] of members)
      Object.defineProperty(extra, name, { value, writable: true, enumerable: true, configurable: true });
  }
  item.extra_row = row.index;
}

function addItem(group: GroupedOrder, row: OrderRow, report: RowReport, nextOrd: { item: number }): void {
  const transactionId = row.values.transaction_id;
  let item = typeof transactionId === 'string' ? group.itemByTransactionId.get(transactionId) : undefined;
  if (!item) {
    item = { ord: nextOrd.item++, receipt_id: group.order.receipt_id, ...BLANK_ITEM_FIELDS };
    group.items.push(item);
    if (typeof transactionId === 'string') group.itemByTransactionId.set(transactionId, item);
  }
  for (const name of ITEM_FIELDS) {
    const value = row.values[name];
    if (value === undefined || (name === 'sku' && value === withoutLeadingZeros(item.sku))) continue;
    item[name] = value;
  }
  addExtra(group, item, row, report);
}

function addShipment(group: GroupedOrder, row: OrderRow, nextOrd: { shipment: number }): void {
  const trackingNumber = row.values.tracking_number;
  if (typeof trackingNumber !== 'string') return;
  const carrierCode = row.values.carrier_code;
  let shipment = group.shipmentByNumber.get(trackingNumber);
  if (!shipment) {
    shipment = {
      ord: nextOrd.shipment++,
      receipt_id: group.order.receipt_id,
      tracking_number: trackingNumber,
    };
    group.shipmentByNumber.set(trackingNumber, shipment);
    group.shipments.push(shipment);
  }
  if (shipment.carrier_code === undefined && carrierCode !== undefined)
    shipment.carrier_code = String(carrierCode);
}
