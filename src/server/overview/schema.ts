import { z } from 'zod';
import { otherwise } from '../core/validation';
import { QUEUES } from '../queues/queue';

const day = z.iso.date(otherwise('input.day')).meta({ description: 'A day in New York' });

/** Longest range of the overview, in days. */
const MOST_DAYS = 732;

export const overviewInput = z
  .strictObject({
    from: day,
    /** The last day, inclusive. */
    to: day,
    shops: z.array(z.int().min(1)).max(200).optional(),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...otherwise('input.beforeFirst') })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_DAYS * 86_400_000, {
    path: ['to'],
    ...otherwise('input.within', { count: MOST_DAYS }),
  });

const amount = z.string();

/** The orders' value by currency, largest first. Currencies are never added together. */
const revenue = z.array(z.object({ currency: z.string(), amount }));

const adAmounts = { currency: z.string(), spend: amount, revenue: amount };

const advertising = z.object({
  impressions: z.number(),
  clicks: z.number(),
  /** By currency, for shops that have one. */
  amounts: z.array(
    z.object({
      ...adAmounts,
      /** Ad revenue per unit of ad spend, from the days that have both; null if nothing was spent. */
      roas: z.number().nullable(),
    }),
  ),
  /** Shops without a currency, whose advertising amounts are in no sum; with the id if the shop is stored. */
  without_currency: z.array(z.object({ id: z.int().nullable(), name: z.string() })),
});

export const overviewOutput = z.object({
  orders: z.int(),
  items: z.int(),
  quantity: z.number(),
  revenue,
  /** Orders without an ISO 4217 currency, whose value is in no sum. */
  orders_without_currency: z.int(),
  advertising,
  /** Orders sold in the range by tracking status. */
  tracking: z.array(z.object({ status: z.string(), orders: z.int() })),
  days: z.array(
    z.object({
      day,
      orders: z.int(),
      items: z.int(),
      revenue,
      ad_amounts: z.array(z.object(adAmounts)),
      ad_impressions: z.number(),
      ad_clicks: z.number(),
    }),
  ),
  /** What needs attention, whenever it was sold. */
  attention: z.object({
    /** Open entries of each work queue. */
    queues: z.record(z.enum(QUEUES), z.int()),
    imports_with_warnings: z.int(),
    /** Shops with statistics, but none for yesterday. */
    statistics_missing: z.array(z.object({ id: z.int().nullable(), name: z.string(), shop_id: z.string() })),
  }),
  /** Which setup steps a new owner has completed. */
  first_steps: z.object({ shops: z.boolean(), keys: z.boolean(), imports: z.boolean() }),
});

export type OverviewInput = z.output<typeof overviewInput>;
export type Overview = z.output<typeof overviewOutput>;
