import { z } from 'zod';
import { instantSchema } from '../../core/fields';
import { recordIdSchema } from '../../core/ids';
import { OBSERVATION_KINDS } from '../../core/statuses';
import { recordKind } from '../history/history-schema';
import { orderStatusSchema, shipmentStatusSchema } from '../schema';

const text = z.string().nullable();

export const orderInput = z.strictObject({
  id: recordIdSchema('type.idOrder'),
});

const item = z.object({
  id: z.string(),
  transaction_id: text,
  listing_id: text,
  title: text,
  variations: text,
  /** The variations and what the buyer wrote to personalize the item, each on its own line. */
  choices: text,
  /** Whether its rows had data only about the order, such as a tracking number. Nobody bought such an item. */
  is_blank: z.boolean(),
  sku: text,
  quantity: z.int().nullable(),
  price: text,
  discount_amount: text,
  coupon_code: text,
  coupon_details: text,
  item_total: text,
  listing_type: text,
  extra: z.record(z.string(), z.unknown()),
});

const shipment = z.object({
  tracking_number: z.string(),
  carrier_code: text,
  status: shipmentStatusSchema,
  sub_status: text,
  /** Newest first, 500 at most. */
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(OBSERVATION_KINDS),
      occurred_at: instantSchema,
      status: shipmentStatusSchema.nullable(),
      sub_status: text,
      provider_status: text,
      description: text,
      location: text,
      source: z.string(),
    }),
  ),
});

/** A change to an order. The latest 200 are listed, newest first. */
const change = z.object({
  at: instantSchema,
  kind: z.enum(['created', 'import', 'user']),
  actor: z.string(),
  import_id: z.string().nullable(),
  record: recordKind,
  action: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

export const orderDetailOutput = z.object({
  id: z.string(),
  receipt_id: z.string(),
  shop_id: z.int(),
  shop: z.string(),
  status: orderStatusSchema,
  tracking_status: shipmentStatusSchema.nullable(),
  sale_date: instantSchema.nullable(),
  sold_on: text,
  shipped_indicator: text,
  buyer: text,
  currency: text,
  /** Whether the currency is an ISO 4217 code. All sums of amounts leave out orders without one. */
  currency_known: z.boolean(),
  /** Sum of the items' totals, the first step in calculating what the buyer paid. Null if no item has a total or a price. */
  items_total: text,
  /** Sum of the discounts of the items that have a total or a price. */
  discounts: text,
  /** The items' totals less their discounts and the in-person discount, without shipping and taxes. */
  value: text,
  /** What the buyer paid: the value plus shipping (less its discount), sales tax and VAT. */
  paid: text,
  shipping_discount: text,
  order_shipping: text,
  order_sales_tax: text,
  vat_paid_by_buyer: text,
  inperson_discount: text,
  inperson_location: text,
  name: text,
  first_line: text,
  second_line: text,
  city: text,
  state: text,
  zip: text,
  country_name: text,
  country_code: text,
  order_type: text,
  payment_method: text,
  carrier_code: text,
  note: text,
  created_at: instantSchema,
  updated_at: instantSchema,
  items: z.array(item),
  shipments: z.array(shipment),
  notes: z.array(
    z.object({
      id: z.int(),
      author: z.string(),
      own: z.boolean(),
      text: z.string(),
      created_at: instantSchema,
    }),
  ),
  history: z.array(change),
});
