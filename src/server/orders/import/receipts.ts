import { foldCountryName } from '../../countries/match';
import { FIELD_NAMES, ORDER_FIELDS, type OrderField } from './column-map';
import type { OrderRow } from './row';

type Value = string | number;
type OtherField = Exclude<OrderField, 'receipt_id'>;

/** An order as the request describes it, by the names of its columns in the database. */
export interface ReceiptOrder extends Partial<Record<OtherField, Value>> {
  receipt_id: string;
  status: 'pending' | 'paid' | 'shipped';
  /** Index of the first row, for messages about the order. */
  row: number;
  country_row?: number;
  country_key?: string;
}

/** An item of a receipt; `ord` is its place in the request. */
export interface ReceiptItem {
  ord: number;
  receipt_id: string;
  extra?: Record<string, string | number | boolean>;
  [field: string]: unknown;
}

export interface ReceiptShipment {
  ord: number;
  receipt_id: string;
  tracking_number: string;
  carrier_code?: string;
}

export interface Receipts {
  orders: ReceiptOrder[];
  items: ReceiptItem[];
  shipments: ReceiptShipment[];
}

const fieldsOf = (choose: (description: (typeof ORDER_FIELDS)[OtherField]) => boolean): OtherField[] =>
  FIELD_NAMES.filter((name): name is OtherField => name !== 'receipt_id').filter((name) =>
    choose(ORDER_FIELDS[name]),
  );

/** Amounts that stand on the order's first row and are 0 on the rows after it. */
export const ORDER_AMOUNTS = fieldsOf((field) => field.scope === 'order' && field.kind === 'money');

/** The order's fields that are no amounts: its first row that has one gives it. The waybill number is a shipment's. */
export const ORDER_TEXTS = fieldsOf(
  (field) => field.scope === 'order' && field.kind !== 'money' && field.kind !== 'waybill',
);

export const ITEM_FIELDS = fieldsOf((field) => field.scope === 'item');

/** All members from the start: an object that gains them one by one becomes a slow one. JSON leaves out what stays blank. */
const blank = (names: readonly OtherField[]): Partial<Record<OtherField, Value>> =>
  Object.fromEntries(names.map((name) => [name, undefined]));
const NO_ORDER = blank([...ORDER_TEXTS, ...ORDER_AMOUNTS]);
const NO_ITEM = blank(ITEM_FIELDS);

interface Gathered {
  order: ReceiptOrder;
  byTransaction: Map<string, ReceiptItem>;
  byWaybill: Map<string, ReceiptShipment>;
}

function gatherOrder(order: ReceiptOrder, row: OrderRow): void {
  for (const name of ORDER_TEXTS) {
    const value = row.values[name];
    if (value === undefined || order[name] !== undefined) continue;
    order[name] = value;
    if (name === 'country_name') {
      order.country_row = row.index;
      order.country_key = foldCountryName(String(value));
    }
  }
  for (const name of ORDER_AMOUNTS) {
    const value = row.values[name];
    if (value !== undefined && (order[name] === undefined || order[name] === '0')) order[name] = value;
  }
  if (order.status !== 'shipped') {
    if (order.shipped_indicator !== undefined || row.values.tracking_number !== undefined)
      order.status = 'shipped';
    else if (order.sale_date !== undefined) order.status = 'paid';
  }
}

/**
 * Brings rows together to orders, items and shipments (docs/orders.md): several rows of a receipt are one
 * order; a transaction_id that comes twice in a receipt is one item, whose last row wins (a blank cell erasing nothing);
 * rows without one are never merged.
 */
export function gatherReceipts(rows: Iterable<OrderRow>): Receipts {
  const gathered = new Map<string, Gathered>();
  const receipts: Receipts = { orders: [], items: [], shipments: [] };
  for (const row of rows) {
    let receipt = gathered.get(row.receiptId);
    if (!receipt) {
      receipt = {
        order: { receipt_id: row.receiptId, status: 'pending', row: row.index, ...NO_ORDER },
        byTransaction: new Map(),
        byWaybill: new Map(),
      };
      gathered.set(row.receiptId, receipt);
      receipts.orders.push(receipt.order);
    }
    gatherOrder(receipt.order, row);
    gatherItem(receipt, receipts.items, row);
    gatherShipment(receipt, receipts.shipments, row);
  }
  return receipts;
}

/** What a spreadsheet makes of a value with leading zeros; such a value never replaces it (docs/orders.md). */
function withoutZeros(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/^0+(?=.)/, '') : null;
}

function gatherItem(receipt: Gathered, items: ReceiptItem[], row: OrderRow): void {
  const transaction = row.values.transaction_id;
  let item = typeof transaction === 'string' ? receipt.byTransaction.get(transaction) : undefined;
  if (!item) {
    item = { ord: items.length, receipt_id: row.receiptId, ...NO_ITEM };
    items.push(item);
    if (typeof transaction === 'string') receipt.byTransaction.set(transaction, item);
  }
  for (const name of ITEM_FIELDS) {
    const value = row.values[name];
    if (value === undefined || (name === 'sku' && value === withoutZeros(item.sku))) continue;
    item[name] = value;
  }
  if (row.extra) item.extra = { ...item.extra, ...row.extra };
}

function gatherShipment(receipt: Gathered, shipments: ReceiptShipment[], row: OrderRow): void {
  const waybill = row.values.tracking_number;
  if (typeof waybill !== 'string') return;
  const carrier = row.values.carrier_code;
  let shipment = receipt.byWaybill.get(waybill);
  if (!shipment) {
    shipment = { ord: shipments.length, receipt_id: row.receiptId, tracking_number: waybill };
    receipt.byWaybill.set(waybill, shipment);
    shipments.push(shipment);
  }
  if (shipment.carrier_code === undefined && carrier !== undefined) shipment.carrier_code = String(carrier);
}
