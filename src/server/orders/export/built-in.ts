import type { ExportColumnName, SheetLayout } from './columns';
import type { BuiltInTemplate } from './template-names';

const createLayout = (hasTotals: boolean, columns: readonly ExportColumnName[]): SheetLayout => ({
  columns: columns.map((column) => ({ column })),
  totals: hasTotals,
});

const ADDRESS_COLUMNS = [
  'name',
  'first_line',
  'second_line',
  'city',
  'state',
  'zip',
  'country_code',
] as const satisfies readonly ExportColumnName[];

/** The layouts of the templates that every team has. */
export const BUILT_IN_LAYOUTS: Readonly<Record<BuiltInTemplate, SheetLayout>> = {
  /** The orders in detail, one row per item. */
  items: createLayout(true, [
    'receipt_id',
    'sold',
    'shop',
    'status',
    'buyer',
    'line',
    'sku',
    'title',
    'variations',
    'quantity',
    'price',
    'discount_amount',
    'item_total',
    'value',
    'order_shipping',
    'shipping_discount',
    'order_sales_tax',
    'vat_paid_by_buyer',
    'paid',
    'currency',
    ...ADDRESS_COLUMNS,
    'country_name',
    'tracking_numbers',
    'carrier',
    'tracking_status',
    'note',
  ]),
  /** One row per order, as forwarders expect it. No totals row: they would read it as one more shipment. */
  forwarder: createLayout(false, ['receipt_id', ...ADDRESS_COLUMNS, 'phone', 'contents', 'units', 'weight']),
  picking: createLayout(false, ['sku', 'title', 'variations', 'quantity', 'receipt_id']),
  accounting: createLayout(true, [
    'receipt_id',
    'sold',
    'shop',
    'status',
    'country_code',
    'currency',
    'items_total',
    'discounts',
    'inperson_discount',
    'value',
    'order_shipping',
    'shipping_discount',
    'order_sales_tax',
    'vat_paid_by_buyer',
    'paid',
  ]),
};
