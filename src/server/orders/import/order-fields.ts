import type { OrderStatus } from '../../core/statuses';
import { FIELD_NAMES, ORDER_FIELDS, type OrderField } from '../column-map';
import type { Extra } from './extra';

/** A cell's value as it is stored. */
export type CellValue = string | number;
/** A field other than the order number, which identifies the order. */
export type OtherField = Exclude<OrderField, 'receipt_id'>;

/** An order as the request describes it. The order's own fields and `status` are named after the columns of `orders`. */
export interface OrderFields extends Partial<Record<OtherField, CellValue>> {
  receipt_id: string;
  status: Exclude<OrderStatus, 'delivered' | 'cancelled'>;
  /** Index of the order's first row, by which new orders are sorted before they are stored. */
  row: number;
  /** Index of the row that names the country. */
  country_row?: number;
  /** The country's name, folded for comparison. */
  country_key?: string;
}

/** An item of an order; `ord` is its position among all items of the request. */
export interface ImportedItem {
  ord: number;
  receipt_id: string;
  extra?: Extra;
  /** Index of the last row that adds to `extra`. */
  extra_row?: number;
  [field: string]: unknown;
}

/** A shipment of an order; `ord` is its position among all shipments of the request. */
export interface ImportedShipment {
  ord: number;
  receipt_id: string;
  tracking_number: string;
  carrier_code?: string;
}

/** An order with its items and shipments. */
export interface ImportedOrder {
  order: OrderFields;
  items: ImportedItem[];
  shipments: ImportedShipment[];
}

const filterFields = (
  isIncluded: (description: (typeof ORDER_FIELDS)[OtherField]) => boolean,
): OtherField[] =>
  FIELD_NAMES.filter((name): name is OtherField => name !== 'receipt_id').filter((name) =>
    isIncluded(ORDER_FIELDS[name]),
  );

/** Amounts of a whole order: the marketplace's export has them in the order's first row and 0 in the others. */
export const ORDER_AMOUNT_FIELDS = filterFields((field) => field.scope === 'order' && field.kind === 'money');

/**
 * The fields of an order except its number and amounts. Each is taken from the first row that has a value for it, except the
 * currency, which may combine several values. Excludes tracking_number, which belongs to a shipment.
 */
export const ORDER_DETAIL_FIELDS = filterFields(
  (field) => field.scope === 'order' && field.kind !== 'money' && field.kind !== 'tracking_number',
);

/** The fields of an item. */
export const ITEM_FIELDS = filterFields((field) => field.scope === 'item');
