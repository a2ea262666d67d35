import { z } from 'zod';
import { otherwise } from '../core/validation';

const day = z.iso.date(otherwise('input.day')).meta({ description: 'A day in New York' });

/** Most days that the overview shows at once. */
const MOST_DAYS = 732;

export const overviewInput = z
  .strictObject({
    from: day,
    /** The last day, included. */
    to: day,
    shops: z.array(z.int().min(1)).max(200).optional(),
    /** Days after which a paid order that is not shipped needs a person. */
    unshipped_days: z.int().min(0).max(365).default(3),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...otherwise('input.beforeFirst') })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_DAYS * 86_400_000, {
    path: ['to'],
    ...otherwise('input.within', { count: MOST_DAYS }),
  });

const amount = z.string();

/** The orders' values by currency, the largest first: never added across. */
const revenue = z.array(z.object({ currency: z.string(), amount }));

const adAmounts = { currency: z.string(), spend: amount, revenue: amount };

const advertising = z.object({
  impressions: z.number(),
  clicks: z.number(),
  /** Of shops with a currency, by currency. */
  amounts: z.array(
    z.object({
      ...adAmounts,
      /** Ad revenue for each unit of ad spend, of the days that have both; null where nothing was spent. */
      roas: z.number().nullable(),
    }),
  ),
  /** Shops whose advertising amounts are in no sum, as they have no currency; with the id of those that are stored. */
  without_currency: z.array(z.object({ id: z.int().nullable(), name: z.string() })),
});

export const overviewOutput = z.object({
  orders: z.int(),
  items: z.int(),
  quantity: z.number(),
  revenue,
  /** Orders whose value is in no sum, as they name no currency of ISO 4217. */
  orders_without_currency: z.int(),
  advertising,
  /** Orders sold in the range by what their parcels are at. */
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
  /** What needs a person, whenever it was sold. */
  attention: z.object({
    exceptions: z.int(),
    delivery_failures: z.int(),
    unshipped: z.int(),
    imports_with_warnings: z.int(),
    /** Shops that have statistics, but none for yesterday. */
    statistics_missing: z.array(z.object({ id: z.int().nullable(), name: z.string(), shop_id: z.string() })),
  }),
  /** How far a new owner has come. */
  first_steps: z.object({ shops: z.boolean(), keys: z.boolean(), imports: z.boolean() }),
});

export type OverviewInput = z.output<typeof overviewInput>;
export type Overview = z.output<typeof overviewOutput>;
