import { z } from 'zod';
import { instantSchema } from '../../core/fields';
import { recordIdSchema } from '../../core/ids';
import { OBSERVATION_KINDS } from '../../core/statuses';
import { recordKindSchema } from '../history/history-schema';
import { orderStatusSchema, trackingStatusSchema } from '../schema';
import { orderWithNumber } from '../tracking/schema';

const nullableText = z.string().nullable();

export const orderInput = z.strictObject({
  id: recordIdSchema('type.idOrder'),
});

const item = z.object({
  id: z.string(),
  transaction_id: nullableText,
  listing_id: nullableText,
  title: nullableText,
  variations: nullableText,
  /** The variations and what the buyer wrote to personalise the item, each on its own line. */
  choices: nullableText,
  /** Whether its rows said nothing about what was bought but had only, for example, the order's tracking number. */
  is_blank: z.boolean(),
  sku: nullableText,
  quantity: z.int().nullable(),
  price: nullableText,
  discount_amount: nullableText,
  coupon_code: nullableText,
  coupon_details: nullableText,
  item_total: nullableText,
  listing_type: nullableText,
  extra: z.record(z.string(), z.unknown()),
});

const shipment = z.object({
  tracking_number: z.string(),
  carrier_code: nullableText,
  status: trackingStatusSchema,
  sub_status: nullableText,
  /** The newest of the other orders that have the number, five at most. */
  other_orders: z.array(orderWithNumber),
  /** Newest first, 500 at most. */
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(OBSERVATION_KINDS),
      occurred_at: instantSchema,
      status: trackingStatusSchema.nullable(),
      sub_status: nullableText,
      provider_status: nullableText,
      description: nullableText,
      location: nullableText,
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
  record: recordKindSchema,
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
  tracking_status: trackingStatusSchema.nullable(),
  sale_date: instantSchema.nullable(),
  sold_on: nullableText,
  shipped_indicator: nullableText,
  buyer: nullableText,
  currency: nullableText,
  /** Whether the currency is an ISO 4217 code. All sums of amounts leave out orders without one. */
  currency_known: z.boolean(),
  /** Sum of the items' totals, the first step in calculating what the buyer paid. Null if no item has a total or a price. */
  items_total: nullableText,
  /** Sum of the discounts of the items that have a total or a price. */
  discounts: nullableText,
  /** The items' totals less their discounts and the in-person discount, without shipping and taxes. */
  value: nullableText,
  /** What the buyer paid: the value plus shipping (less its discount), sales tax and VAT. */
  paid: nullableText,
  shipping_discount: nullableText,
  order_shipping: nullableText,
  order_sales_tax: nullableText,
  vat_paid_by_buyer: nullableText,
  inperson_discount: nullableText,
  inperson_location: nullableText,
  name: nullableText,
  first_line: nullableText,
  second_line: nullableText,
  city: nullableText,
  state: nullableText,
  zip: nullableText,
  country_name: nullableText,
  country_code: nullableText,
  order_type: nullableText,
  payment_method: nullableText,
  carrier_code: nullableText,
  note: nullableText,
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
