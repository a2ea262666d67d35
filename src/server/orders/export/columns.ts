import type { SheetColumn } from '../../core/spreadsheet/workbook-stream';

/**
 * A column of an exported spreadsheet, with its header in each language. An export with item columns has one row per item; any
 * other has one row per order. The order's amounts and counts appear only in its first row, so that no sum counts them twice
 * (docs/orders.md).
 */
export interface ExportColumn {
  scope: 'order' | 'item';
  format: SheetColumn['format'];
  /** The column's width in a workbook, in characters. */
  width: number;
  en: string;
  zh: string;
  /** Whether the totals row has a sum of this column. True for amounts and whole numbers, except unit prices and line numbers. */
  isSummed: boolean;
}

function createColumn(
  scope: ExportColumn['scope'],
  format: ExportColumn['format'],
  width: number,
  en: string,
  zh: string,
  isSummed = format === 'amount' || format === 'whole',
): ExportColumn {
  return { scope, format, width, en, zh, isSummed };
}

export const EXPORT_COLUMNS = {
  receipt_id: createColumn('order', 'text', 16, 'Order number', '订单号'),
  sold: createColumn('order', 'time', 18, 'Sold', '销售时间'),
  shop: createColumn('order', 'text', 18, 'Shop', '店铺'),
  status: createColumn('order', 'text', 12, 'Status', '状态'),
  buyer: createColumn('order', 'text', 22, 'Buyer', '买家'),
  line: createColumn('item', 'whole', 8, 'Line', '行号', false),
  sku: createColumn('item', 'text', 16, 'SKU', 'SKU'),
  title: createColumn('item', 'lines', 44, 'Title', '标题'),
  variations: createColumn('item', 'lines', 32, 'Variations and personalization', '规格与定制内容'),
  quantity: createColumn('item', 'whole', 10, 'Quantity', '数量'),
  listing_id: createColumn('item', 'text', 14, 'Listing ID', '链接 ID'),
  transaction_id: createColumn('item', 'text', 14, 'Transaction ID', '交易 ID'),
  price: createColumn('item', 'amount', 12, 'Price', '单价', false),
  discount_amount: createColumn('item', 'amount', 14, 'Item discount', '明细折扣'),
  item_total: createColumn('item', 'amount', 14, 'Item total', '明细金额'),
  coupon_code: createColumn('item', 'text', 14, 'Coupon', '优惠码'),
  contents: createColumn('order', 'lines', 52, 'Contents', '包裹内容'),
  units: createColumn('order', 'whole', 10, 'Units', '总件数'),
  items_total: createColumn('order', 'amount', 14, 'Items total', '明细合计'),
  discounts: createColumn('order', 'amount', 14, 'Item discounts', '明细折扣合计'),
  inperson_discount: createColumn('order', 'amount', 14, 'In-person discount', '线下折扣'),
  value: createColumn('order', 'amount', 14, 'Value', '金额'),
  order_shipping: createColumn('order', 'amount', 12, 'Shipping', '运费'),
  shipping_discount: createColumn('order', 'amount', 16, 'Shipping discount', '运费折扣'),
  order_sales_tax: createColumn('order', 'amount', 12, 'Sales tax', '销售税'),
  vat_paid_by_buyer: createColumn('order', 'amount', 12, 'VAT', '增值税'),
  paid: createColumn('order', 'amount', 14, 'Paid by the buyer', '买家实付'),
  currency: createColumn('order', 'text', 10, 'Currency', '币种'),
  payment_method: createColumn('order', 'text', 16, 'Payment', '付款方式'),
  name: createColumn('order', 'text', 24, 'Recipient', '收件人'),
  first_line: createColumn('order', 'text', 32, 'Address line 1', '地址 1'),
  second_line: createColumn('order', 'text', 20, 'Address line 2', '地址 2'),
  city: createColumn('order', 'text', 18, 'City', '城市'),
  state: createColumn('order', 'text', 12, 'State', '州/省'),
  zip: createColumn('order', 'text', 12, 'Postal code', '邮编'),
  country_code: createColumn('order', 'text', 10, 'Country code', '国家代码'),
  country_name: createColumn('order', 'text', 18, 'Country', '国家/地区'),
  phone: createColumn('order', 'text', 18, 'Phone', '电话'),
  tracking_numbers: createColumn('order', 'lines', 22, 'Tracking number', '物流单号'),
  carrier: createColumn('order', 'text', 14, 'Carrier', '承运商'),
  tracking_status: createColumn('order', 'text', 16, 'Tracking', '物流状态'),
  note: createColumn('order', 'lines', 30, 'Note', '备注'),
  weight: createColumn('order', 'text', 12, 'Weight (g)', '重量（克）'),
  blank: createColumn('order', 'text', 12, '', ''),
} as const satisfies Record<string, ExportColumn>;

export type ExportColumnName = keyof typeof EXPORT_COLUMNS;

export const EXPORT_COLUMN_NAMES = Object.keys(EXPORT_COLUMNS) as [ExportColumnName, ...ExportColumnName[]];

/** Returns whether an export with these columns has one row per item. */
export const hasItemRows = (columns: readonly ExportColumnName[]) =>
  columns.some((name) => EXPORT_COLUMNS[name].scope === 'item');

/** The columns of an exported spreadsheet, and whether it has totals. */
export interface SheetLayout {
  /** From left to right; `header` replaces the column's name. */
  columns: readonly { column: ExportColumnName; header?: string }[];
  /** Whether the file ends with a row of sums for each currency. */
  totals: boolean;
}
