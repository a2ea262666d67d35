import { describe, expect, it } from 'vitest';
import {
  COLUMN_FIELDS,
  FIELD_NAMES,
  fieldOfHeader,
  ORDER_FIELDS,
  type OrderField,
} from '../../../src/server/orders/column-map';
import { readFixtureRows } from '../../support/fixtures';

/**
 * The table of docs/orders.md, written out here so that the table under test does not confirm itself: field, US header, and
 * UK header if it differs.
 */
const EXPORT_COLUMNS = `
  sold_on            | Sale Date
  title              | Item Name
  buyer              | Buyer
  quantity           | Quantity
  price              | Price
  coupon_code        | Coupon Code
  coupon_details     | Coupon Details
  discount_amount    | Discount Amount
  shipping_discount  | Shipping Discount | Delivery Discount
  order_shipping     | Order Shipping    | Order Delivery
  order_sales_tax    | Order Sales Tax
  item_total         | Item Total
  currency           | Currency
  transaction_id     | Transaction ID
  listing_id         | Listing ID
  sale_date          | Date Paid
  shipped_indicator  | Date Shipped      | Date Posted
  name               | Ship Name         | Delivery Name
  first_line         | Ship Address1     | Delivery Address1
  second_line        | Ship Address2     | Delivery Address2
  city               | Ship City         | Delivery City
  state              | Ship State        | Delivery State
  zip                | Ship Zipcode      | Delivery Zipcode
  country_name       | Ship Country      | Delivery Country
  receipt_id         | Order ID
  variations         | Variations
  order_type         | Order Type
  listing_type       | Listings Type
  payment_method     | Payment Type
  inperson_discount  | InPerson Discount
  inperson_location  | InPerson Location
  vat_paid_by_buyer  | VAT Paid by Buyer
  sku                | SKU`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim())) as [OrderField, string, string?][];

describe('the export', () => {
  it('has 33 columns with the fields that docs/orders.md lists', () => {
    expect(COLUMN_FIELDS).toEqual(EXPORT_COLUMNS.map(([name]) => name));
    expect(COLUMN_FIELDS).toHaveLength(33);
    for (const [position, name] of COLUMN_FIELDS.entries()) expect(ORDER_FIELDS[name].column).toBe(position);
  });

  it('has the eighteen fields listed here at fixed positions, counted from 0', () => {
    const fieldsByPosition: Record<number, OrderField> = {
      1: 'title',
      3: 'quantity',
      4: 'price',
      13: 'transaction_id',
      14: 'listing_id',
      15: 'sale_date',
      16: 'shipped_indicator',
      17: 'name',
      18: 'first_line',
      19: 'second_line',
      20: 'city',
      21: 'state',
      22: 'zip',
      23: 'country_name',
      24: 'receipt_id',
      25: 'variations',
      28: 'payment_method',
      32: 'sku',
    };
    for (const [position, name] of Object.entries(fieldsByPosition))
      expect(COLUMN_FIELDS[Number(position)]).toBe(name);
  });

  it.each(['us', 'uk'] as const)('of the %s fixture names each field at its position', (file) => {
    expect(readFixtureRows(file)[0]!.map(fieldOfHeader)).toEqual(COLUMN_FIELDS);
  });
});

describe('a header', () => {
  it.each(EXPORT_COLUMNS)('of the field %s is %s', (name, usHeader, ukHeader) => {
    expect(fieldOfHeader(usHeader)).toBe(name);
    if (ukHeader) expect(fieldOfHeader(ukHeader)).toBe(name);
  });

  it.each(['ORDER ID', 'order id', '  Order ID ', 'Order\u00a0 ID', '\uFEFFOrder ID', 'Order\nID'])(
    'is recognised in upper or lower case, and with extra spaces or a byte order mark: %j',
    (cell) => {
      expect(fieldOfHeader(cell)).toBe('receipt_id');
    },
  );

  it.each([
    '',
    ' ',
    'Order',
    'OrderID',
    'receipt_id',
    'Order ID 2',
    '__proto__',
    'constructor',
    null,
    24,
    true,
    {},
    [],
  ])('that names no field is not recognised: %j', (cell) => {
    expect(fieldOfHeader(cell)).toBeNull();
  });
});

describe('a field', () => {
  it('that only named rows have is tracking_number, carrier_code or note', () => {
    expect(FIELD_NAMES).toEqual([...COLUMN_FIELDS, 'tracking_number', 'carrier_code', 'note']);
  });

  const fieldsWhere = (matches: (name: OrderField) => boolean) => FIELD_NAMES.filter(matches).sort();

  it('that contains an amount is one of eight', () => {
    const amountFields = [
      'discount_amount',
      'inperson_discount',
      'item_total',
      'order_sales_tax',
      'order_shipping',
      'price',
      'shipping_discount',
      'vat_paid_by_buyer',
    ];
    expect(fieldsWhere((name) => ORDER_FIELDS[name].kind === 'money')).toEqual(amountFields);
  });

  it('that contains an id is receipt_id, transaction_id or listing_id', () => {
    expect(fieldsWhere((name) => ORDER_FIELDS[name].kind === 'id')).toEqual([
      'listing_id',
      'receipt_id',
      'transaction_id',
    ]);
  });

  it('belongs to the item if it differs between the items of an order, otherwise to the order', () => {
    const itemFields = [
      'coupon_code',
      'coupon_details',
      'discount_amount',
      'item_total',
      'listing_id',
      'listing_type',
      'price',
      'quantity',
      'sku',
      'title',
      'transaction_id',
      'variations',
    ];
    expect(fieldsWhere((name) => ORDER_FIELDS[name].scope === 'item')).toEqual(itemFields);
  });
});
