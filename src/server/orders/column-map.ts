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

const ID_LENGTH = 100;
const SHORT_LENGTH = 255;
const LONG_TEXT_LENGTH = 2_000;
const NOTE_LENGTH = 10_000;

function createField<Column extends number | null>(
  column: Column,
  headers: string | readonly string[],
  kind: FieldKind,
  scope: FieldScope,
  maxLength: number,
  description: string,
  example: string | number,
): FieldDescription & { column: Column } {
  return {
    column,
    headers: typeof headers === 'string' ? [headers] : headers,
    kind,
    scope,
    maxLength,
    description,
    example,
  };
}

/**
 * Every field of an order row: all 33 columns of the marketplace's "sold order items" export, in order, and the fields that
 * only exist in named rows (docs/orders.md). Validation, header matching, the OpenAPI document and the guides all follow
 * from this table.
 */
export const ORDER_FIELDS = {
  sold_on: createField(
    0,
    'Sale Date',
    'day',
    'order',
    SHORT_LENGTH,
    'Day of the sale, month first',
    '08/22/26',
  ),
  title: createField(1, 'Item Name', 'text', 'item', LONG_TEXT_LENGTH, 'Title of the listing', 'Fox Sticker'),
  buyer: createField(
    2,
    'Buyer',
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'Buyer as `Name (username)` or username',
    'Wynn (4y1po5ze)',
  ),
  quantity: createField(
    3,
    'Quantity',
    'quantity',
    'item',
    SHORT_LENGTH,
    'Number of pieces, a whole number of at least 0',
    1,
  ),
  price: createField(4, 'Price', 'money', 'item', SHORT_LENGTH, 'Price of one piece', 4.49),
  coupon_code: createField(5, 'Coupon Code', 'text', 'item', SHORT_LENGTH, 'Coupon used', 'SPRING'),
  coupon_details: createField(
    6,
    'Coupon Details',
    'text',
    'item',
    LONG_TEXT_LENGTH,
    'What the coupon grants',
    '10% off',
  ),
  discount_amount: createField(
    7,
    'Discount Amount',
    'money',
    'item',
    SHORT_LENGTH,
    'Discount on the item',
    0,
  ),
  shipping_discount: createField(
    8,
    ['Shipping Discount', 'Delivery Discount'],
    'money',
    'order',
    SHORT_LENGTH,
    'Discount on the shipping, on the first row of the order',
    0,
  ),
  order_shipping: createField(
    9,
    ['Order Shipping', 'Order Delivery'],
    'money',
    'order',
    SHORT_LENGTH,
    'Shipping, on the first row of the order',
    5,
  ),
  order_sales_tax: createField(
    10,
    'Order Sales Tax',
    'money',
    'order',
    SHORT_LENGTH,
    'Sales tax, on the first row of the order',
    0.36,
  ),
  item_total: createField(11, 'Item Total', 'money', 'item', SHORT_LENGTH, 'Total of the item', 4.49),
  currency: createField(
    12,
    'Currency',
    'currency',
    'order',
    SHORT_LENGTH,
    'Currency of the amounts: an ISO 4217 code, or a sign or name of exactly one currency (`£`, `US$`, `Euro`); stored as the code',
    'USD',
  ),
  transaction_id: createField(
    13,
    'Transaction ID',
    'id',
    'item',
    ID_LENGTH,
    'Identifies the item within its order',
    '5159655655',
  ),
  listing_id: createField(14, 'Listing ID', 'id', 'item', ID_LENGTH, 'Listing that was sold', '1089353670'),
  sale_date: createField(
    15,
    'Date Paid',
    'instant',
    'order',
    SHORT_LENGTH,
    'When the order was paid, read in America/New_York unless it has an offset; in numeric dates the month comes before the day',
    '08/22/2026',
  ),
  shipped_indicator: createField(
    16,
    ['Date Shipped', 'Date Posted'],
    'shipped',
    'order',
    SHORT_LENGTH,
    'Day the order was shipped, or any other value that shows it was shipped; blank, 0, false, no and n mean not shipped',
    '08/25/2026',
  ),
  name: createField(
    17,
    ['Ship Name', 'Delivery Name'],
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'Recipient',
    'Sable Proxy',
  ),
  first_line: createField(
    18,
    ['Ship Address1', 'Delivery Address1'],
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'Street',
    '8963 Nowhere Blvd',
  ),
  second_line: createField(
    19,
    ['Ship Address2', 'Delivery Address2'],
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'Flat, floor',
    'Apt 48',
  ),
  city: createField(
    20,
    ['Ship City', 'Delivery City'],
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'City',
    'Carrollton',
  ),
  state: createField(
    21,
    ['Ship State', 'Delivery State'],
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'State or province',
    'TX',
  ),
  zip: createField(
    22,
    ['Ship Zipcode', 'Delivery Zipcode'],
    'text',
    'order',
    SHORT_LENGTH,
    'Postal code, as text',
    '01401',
  ),
  country_name: createField(
    23,
    ['Ship Country', 'Delivery Country'],
    'text',
    'order',
    SHORT_LENGTH,
    'Country: a name, an alias or a two-letter code',
    'United States',
  ),
  receipt_id: createField(
    24,
    'Order ID',
    'id',
    'order',
    ID_LENGTH,
    'Identifies the order; a leading #, spaces and the .0 that a spreadsheet adds to a number are dropped',
    '4165098857',
  ),
  variations: createField(
    25,
    'Variations',
    'text',
    'item',
    NOTE_LENGTH,
    'Chosen variations',
    'Size:A3,Finish:Matte',
  ),
  order_type: createField(26, 'Order Type', 'text', 'order', SHORT_LENGTH, 'Type of the order', 'online'),
  listing_type: createField(
    27,
    'Listings Type',
    'text',
    'item',
    SHORT_LENGTH,
    'Type of the listing',
    'listing',
  ),
  payment_method: createField(
    28,
    'Payment Type',
    'text',
    'order',
    SHORT_LENGTH,
    'Payment method',
    'online_cc',
  ),
  inperson_discount: createField(
    29,
    'InPerson Discount',
    'money',
    'order',
    SHORT_LENGTH,
    'Discount given in person',
    0,
  ),
  inperson_location: createField(
    30,
    'InPerson Location',
    'text',
    'order',
    LONG_TEXT_LENGTH,
    'Where the order was sold in person',
    'Market',
  ),
  vat_paid_by_buyer: createField(
    31,
    'VAT Paid by Buyer',
    'money',
    'order',
    SHORT_LENGTH,
    'VAT that the buyer paid',
    0,
  ),
  sku: createField(32, 'SKU', 'text', 'item', SHORT_LENGTH, 'Stock keeping unit', 'FOX-01'),
  tracking_number: createField(
    null,
    [],
    'tracking_number',
    'order',
    ID_LENGTH,
    'Tracking number of the shipment',
    'LX123456789CN',
  ),
  carrier_code: createField(null, [], 'text', 'order', SHORT_LENGTH, 'Carrier of the shipment', 'yanwen'),
  note: createField(null, [], 'text', 'order', NOTE_LENGTH, 'Note on the order', 'Gift wrap'),
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
