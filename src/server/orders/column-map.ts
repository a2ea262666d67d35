/** How a cell of a field is read. */
type FieldKind =
  | 'id'
  | 'text'
  | 'currency'
  | 'money'
  | 'quantity'
  | 'instant'
  | 'day'
  | 'shipped'
  | 'tracking_number';

/** Whether the field belongs to the order or to one of its items. */
type FieldScope = 'order' | 'item';

interface FieldDescription {
  /** Position in the marketplace's export; null for fields that only exist in named rows. */
  column: number | null;
  /** The header in the US export, and the one in the UK export if it differs; empty if `column` is null. */
  headers: readonly string[];
  kind: FieldKind;
  scope: FieldScope;
  /** The maximum length of its text, in UTF-16 code units. */
  maxLength: number;
  description: string;
  example: string | number;
}

const MAX_ID_LENGTH = 100;
const MAX_SHORT_TEXT_LENGTH = 255;
const MAX_LONG_TEXT_LENGTH = 2_000;
const MAX_NOTE_LENGTH = 10_000;

type Headers = string | readonly string[];

function createField<Column extends number | null>(
  scope: FieldScope,
  kind: FieldKind,
  column: Column,
  headers: Headers,
  maxLength: number,
  description: string,
  example: string | number,
): FieldDescription & { column: Column } {
  const headerList = typeof headers === 'string' ? [headers] : headers;
  return { column, headers: headerList, kind, scope, maxLength, description, example };
}

/** Returns one function per kind of field, each of which creates fields of this scope. */
const createFieldFactories = (scope: FieldScope) => ({
  text: <Column extends number | null>(
    column: Column,
    headers: Headers,
    maxLength: number,
    description: string,
    example: string,
  ) => createField(scope, 'text', column, headers, maxLength, description, example),
  id: (column: number, headers: Headers, description: string, example: string) =>
    createField(scope, 'id', column, headers, MAX_ID_LENGTH, description, example),
  money: (column: number, headers: Headers, description: string, example: number) =>
    createField(scope, 'money', column, headers, MAX_SHORT_TEXT_LENGTH, description, example),
  ofKind: (
    kind: Exclude<FieldKind, 'text' | 'id' | 'money' | 'tracking_number'>,
    column: number,
    headers: Headers,
    description: string,
    example: string | number,
  ) => createField(scope, kind, column, headers, MAX_SHORT_TEXT_LENGTH, description, example),
});

const orderFields = createFieldFactories('order');
const itemFields = createFieldFactories('item');

/**
 * Every field of an order row: all 33 columns of the marketplace's "sold order items" export, in order, and the fields that
 * only exist in named rows (docs/orders.md). Validation, header matching, the OpenAPI document and the guides all follow
 * from this table.
 */
export const ORDER_FIELDS = {
  sold_on: orderFields.ofKind('day', 0, 'Sale Date', 'Day of the sale, month first', '08/22/26'),
  title: itemFields.text(1, 'Item Name', MAX_LONG_TEXT_LENGTH, 'Title of the listing', 'Fox Sticker'),
  buyer: orderFields.text(
    2,
    'Buyer',
    MAX_LONG_TEXT_LENGTH,
    'Buyer as `Name (username)` or username',
    'Wynn (4y1po5ze)',
  ),
  quantity: itemFields.ofKind('quantity', 3, 'Quantity', 'Number of pieces, a whole number of at least 0', 1),
  price: itemFields.money(4, 'Price', 'Price of one piece', 4.49),
  coupon_code: itemFields.text(5, 'Coupon Code', MAX_SHORT_TEXT_LENGTH, 'Coupon used', 'SPRING'),
  coupon_details: itemFields.text(
    6,
    'Coupon Details',
    MAX_LONG_TEXT_LENGTH,
    'What the coupon grants',
    '10% off',
  ),
  discount_amount: itemFields.money(7, 'Discount Amount', 'Discount on the item', 0),
  shipping_discount: orderFields.money(
    8,
    ['Shipping Discount', 'Delivery Discount'],
    'Discount on the shipping, on the first row of the order',
    0,
  ),
  order_shipping: orderFields.money(
    9,
    ['Order Shipping', 'Order Delivery'],
    'Shipping, on the first row of the order',
    5,
  ),
  order_sales_tax: orderFields.money(10, 'Order Sales Tax', 'Sales tax, on the first row of the order', 0.36),
  item_total: itemFields.money(11, 'Item Total', 'Total of the item', 4.49),
  currency: orderFields.ofKind(
    'currency',
    12,
    'Currency',
    'Currency of the amounts: an ISO 4217 code, or a sign or name of exactly one currency (`£`, `US$`, `Euro`); stored as the code',
    'USD',
  ),
  transaction_id: itemFields.id(13, 'Transaction ID', 'Identifies the item within its order', '5159655655'),
  listing_id: itemFields.id(14, 'Listing ID', 'Listing that was sold', '1089353670'),
  sale_date: orderFields.ofKind(
    'instant',
    15,
    'Date Paid',
    'When the order was paid, read in America/New_York unless it has an offset; in numeric dates the month comes before the day',
    '08/22/2026',
  ),
  shipped_indicator: orderFields.ofKind(
    'shipped',
    16,
    ['Date Shipped', 'Date Posted'],
    'Day the order was shipped, or any other value that shows it was shipped; blank, 0, false, no and n mean not shipped',
    '08/25/2026',
  ),
  name: orderFields.text(
    17,
    ['Ship Name', 'Delivery Name'],
    MAX_LONG_TEXT_LENGTH,
    'Recipient',
    'Sable Proxy',
  ),
  first_line: orderFields.text(
    18,
    ['Ship Address1', 'Delivery Address1'],
    MAX_LONG_TEXT_LENGTH,
    'Street',
    '8963 Nowhere Blvd',
  ),
  second_line: orderFields.text(
    19,
    ['Ship Address2', 'Delivery Address2'],
    MAX_LONG_TEXT_LENGTH,
    'Flat, floor',
    'Apt 48',
  ),
  city: orderFields.text(20, ['Ship City', 'Delivery City'], MAX_LONG_TEXT_LENGTH, 'City', 'Carrollton'),
  state: orderFields.text(
    21,
    ['Ship State', 'Delivery State'],
    MAX_LONG_TEXT_LENGTH,
    'State or province',
    'TX',
  ),
  zip: orderFields.text(
    22,
    ['Ship Zipcode', 'Delivery Zipcode'],
    MAX_SHORT_TEXT_LENGTH,
    'Postal code, as text',
    '01401',
  ),
  country_name: orderFields.text(
    23,
    ['Ship Country', 'Delivery Country'],
    MAX_SHORT_TEXT_LENGTH,
    'Country: a name, an alias or a two-letter code',
    'United States',
  ),
  receipt_id: orderFields.id(
    24,
    'Order ID',
    'Identifies the order; a leading #, spaces and the .0 that a spreadsheet adds to a number are dropped',
    '4165098857',
  ),
  variations: itemFields.text(25, 'Variations', MAX_NOTE_LENGTH, 'Chosen variations', 'Size:A3,Finish:Matte'),
  order_type: orderFields.text(26, 'Order Type', MAX_SHORT_TEXT_LENGTH, 'Type of the order', 'online'),
  listing_type: itemFields.text(27, 'Listings Type', MAX_SHORT_TEXT_LENGTH, 'Type of the listing', 'listing'),
  payment_method: orderFields.text(28, 'Payment Type', MAX_SHORT_TEXT_LENGTH, 'Payment method', 'online_cc'),
  inperson_discount: orderFields.money(29, 'InPerson Discount', 'Discount given in person', 0),
  inperson_location: orderFields.text(
    30,
    'InPerson Location',
    MAX_LONG_TEXT_LENGTH,
    'Where the order was sold in person',
    'Market',
  ),
  vat_paid_by_buyer: orderFields.money(31, 'VAT Paid by Buyer', 'VAT that the buyer paid', 0),
  sku: itemFields.text(32, 'SKU', MAX_SHORT_TEXT_LENGTH, 'Stock keeping unit', 'FOX-01'),
  tracking_number: createField(
    'order',
    'tracking_number',
    null,
    [],
    MAX_ID_LENGTH,
    'Tracking number of the shipment',
    'LX123456789CN',
  ),
  carrier_code: orderFields.text(null, [], MAX_SHORT_TEXT_LENGTH, 'Carrier of the shipment', 'yanwen'),
  note: orderFields.text(null, [], MAX_NOTE_LENGTH, 'Note on the order', 'Gift wrap'),
} as const satisfies Record<string, FieldDescription>;

export type OrderField = keyof typeof ORDER_FIELDS;

/** All field names: those of the columns in their order, then those of the fields without a column. */
export const FIELD_NAMES = Object.keys(ORDER_FIELDS) as OrderField[];

/** The field at each position of the export. */
export const COLUMN_FIELDS: readonly OrderField[] = FIELD_NAMES.filter(
  (name) => ORDER_FIELDS[name].column !== null,
);

export const BUYER_COLUMN = ORDER_FIELDS.buyer.column;
export const RECEIPT_COLUMN = ORDER_FIELDS.receipt_id.column;

/** Normalises a header cell for comparison: lower case, no byte order mark, single spaces. */
export function foldHeader(cell: unknown): string {
  return typeof cell === 'string'
    ? cell
        .replace(/\uFEFF/g, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase()
    : '';
}

const FIELD_BY_HEADER = new Map<string, OrderField>(
  FIELD_NAMES.flatMap((name) =>
    ORDER_FIELDS[name].headers.map((header) => [foldHeader(header), name] as const),
  ),
);

/** Returns the field that a header cell names, in US or UK spelling, or null. */
export function fieldOfHeader(cell: unknown): OrderField | null {
  return FIELD_BY_HEADER.get(foldHeader(cell)) ?? null;
}
