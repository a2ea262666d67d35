import { z } from 'zod';
import { DAY_MS } from '../core/days';
import { withReason } from '../core/errors/validation';
import { dayInput, daySchema, instantSchema } from '../core/fields';
import { idSchema } from '../core/ids';
import { tableQuery } from '../core/lists/download-query';
import { QUEUES } from '../queues/queue';

const day = daySchema.meta({ description: 'A day in New York' });
const requestedDay = dayInput().meta({ description: 'A day in New York' });

/** The maximum length of the overview's range, in days. */
const MAX_DAYS = 732;

export const overviewInput = z
  .strictObject({
    from: requestedDay,
    /** The last day, inclusive. */
    to: requestedDay,
    shops: z.array(idSchema('type.idShop')).max(200).optional(),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...withReason('input.beforeFirst') })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, {
    path: ['to'],
    ...withReason('input.within', { count: MAX_DAYS }),
  });

/** An exact decimal number, as text. */
const amount = z.string();

/** A figure for the range, compared with the period before (docs/statistics.md). */
const comparisonSchema = <Value extends z.ZodType>(value: Value) =>
  z.object({
    /** The figure for all days of the range. */
    value,
    /** The figure for the days of the range that are compared. Null if there are none. */
    compared: value.nullable(),
    /** The figure for the corresponding days of the previous period. */
    before: value.nullable(),
    /** The change from `before` to `compared`: 0.1 is ten per cent more. Null if either is missing, or `before` is 0 or less. */
    change: z.number().nullable(),
  });

const money = comparisonSchema(amount);
const ratio = comparisonSchema(z.number());

/** Figures that need the marketplace's reports. Null if the reports do not have the amounts. */
const advertising = {
  ad_spend: money.nullable(),
  /** Ad revenue per unit of ad spend, from the days that have both. */
  roas: ratio.nullable(),
  /** Revenue of the orders less ad spend, on the days whose report has the ad spend. */
  profit: money.nullable(),
};

const shop = z.object({
  id: z.int(),
  name: z.string(),
  /** The marketplace's own id for the shop. */
  shop_id: z.string().nullable(),
  orders: comparisonSchema(z.int()),
  /** The revenue in each currency, largest first. */
  revenue: z.array(z.object({ currency: z.string(), revenue: money })),
  /** The currency of its advertising. */
  currency: z.string().nullable(),
  ...advertising,
  /** Open entries of the queue "To ship". */
  to_ship: z.int(),
  /** Days of the range that have a report. */
  report_days: z.int(),
  /** Days of the range without a report, from the shop's first report to yesterday. */
  missing_days: z.int(),
});

export const overviewOutput = z.object({
  period: z.object({
    /** The period before: the same number of days, just before the range. */
    before_from: day,
    before_to: day,
    /** The current day, if it is in the range. It is not compared. */
    today: day.nullable(),
  }),
  orders: comparisonSchema(z.int()),
  items: z.int(),
  quantity: z.number(),
  /** Orders without an ISO 4217 currency. Their value is not in any sum. */
  orders_without_currency: z.int(),
  /** The sums for each currency, the one with the most revenue first. Currencies are never added together. */
  currencies: z.array(z.object({ currency: z.string(), revenue: money, ...advertising })),
  /**
   * The first 50 shops, by name, that have advertising amounts but no currency, so that the amounts are not in any sum. `id` is
   * null if the shop is not stored.
   */
  without_currency: z.array(z.object({ id: z.int().nullable(), name: z.string() })),
  /** Every day of the range, with the corresponding day of the period before. */
  days: z.array(
    z.object({
      day,
      before: day,
      orders: z.int(),
      orders_before: z.int(),
      /** Only currencies with figures on either day. */
      currencies: z.array(
        z.object({
          currency: z.string(),
          revenue: amount,
          revenue_before: amount,
          ad_spend: amount.nullable(),
          ad_spend_before: amount.nullable(),
          profit: amount.nullable(),
          roas: z.number().nullable(),
        }),
      ),
    }),
  ),
  shops: z.array(shop),
  /** For each currency, the listings with the greatest profit after advertising, and those that lose the most. */
  listings: z.array(
    z.object({
      currency: z.string(),
      listings: z.int(),
      /** How many listings lose money. */
      losing: z.int(),
      shown: z.array(
        z.object({
          listing_id: z.number(),
          /** The title from the newest order that has one. */
          title: z.string().nullable(),
          profit: amount,
          roas: z.number().nullable(),
        }),
      ),
    }),
  ),
  /** The number of orders that were sold in the range and not cancelled, by tracking status. */
  tracking: z.array(z.object({ status: z.string(), orders: z.int() })),
  /** What needs attention, regardless of the sale date. */
  attention: z.object({
    /** Open entries of each work queue. Unmatched callbacks belong to no shop and always count. */
    queues: z.record(z.enum(QUEUES), z.int()),
    /** Successful imports of recent days that have warnings or held-back rows and have not been undone. */
    imports_with_warnings: z.int(),
    /** The first of the days whose imports are counted. */
    imports_from: z.iso.date(),
    /** Shops with statistics in the last month but none for yesterday, by name. The overview lists the first 50. */
    statistics_missing: z.array(z.object({ id: z.int().nullable(), name: z.string(), shop_id: z.string() })),
    /** How many there are, listed or not. Archived shops do not count. */
    statistics_missing_count: z.int(),
  }),
  /** Open exceptions and failed deliveries of the last 24 hours, and replies to review with warnings. */
  new_entries: z.object({ exception: z.int(), delivery_failed: z.int(), to_review: z.int() }),
  /** Since when the oldest order has been waiting to be shipped. */
  oldest_to_ship: instantSchema.nullable(),
  /** Which steps of the setup are done. `carrier` comes from the configuration, everything else from the database. */
  first_steps: z.object({
    /** Whether a shop that is not archived has a currency. */
    shop: z.boolean(),
    /** The id of the first shop that has no currency and is not archived. Null if there is no such shop. */
    shop_without_currency: z.int().nullable(),
    /** The name of the first shop that is not archived, to whose prompt the checklist links. */
    first_shop: z.string().nullable(),
    import: z.boolean(),
    /** Whether a prompt is live. */
    prompt: z.boolean(),
    carrier: z.boolean(),
    /** Whether there is more than one active user. */
    people: z.boolean(),
    /** Whether the caller has a second factor. */
    two_factor: z.boolean(),
    /** Whether the caller has hidden the checklist. */
    dismissed: z.boolean(),
  }),
});

/** The median number of days from the first scan in transit to the delivery, for the latest deliveries in the range. */
const deliveryTime = comparisonSchema(z.number());

export const deliveriesOutput = z.object({
  /** Null if no delivered shipment was seen in transit first. */
  time: deliveryTime.nullable(),
  /** The number of deliveries behind `time`. */
  deliveries: z.int(),
  /** The maximum number of deliveries that are evaluated. The latest ones are chosen. */
  max_deliveries: z.int(),
  /** The countries with the most orders, as two-letter codes. */
  countries: z.array(
    z.object({
      country: z.string(),
      orders: comparisonSchema(z.int()),
      time: deliveryTime.nullable(),
      deliveries: z.int(),
    }),
  ),
});

/** The columns of the table of countries, from left to right. */
export const COUNTRY_COLUMNS = ['country', 'orders', 'change', 'time', 'time_change', 'deliveries'] as const;

export const countriesTableQuery = tableQuery(overviewInput, COUNTRY_COLUMNS);

export type OverviewInput = z.output<typeof overviewInput>;
export type Overview = z.output<typeof overviewOutput>;
export type Deliveries = z.output<typeof deliveriesOutput>;
