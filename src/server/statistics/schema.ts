import { z } from 'zod';
import { dayInput, daySchema, marketplaceShopIdSchema } from '../core/fields';
import { LISTING_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from './fields';

/** The maximum amount. Amounts have four decimals. */
const MAX_AMOUNT = 1e12;

const SCHEMA_FACTORY_BY_KIND: Record<StatisticFieldKind, () => z.ZodType<number>> = {
  count: () => z.int().min(0),
  amount: () => z.number().min(0).max(MAX_AMOUNT),
  rate: () => z.number().min(0).max(100),
  ratio: () => z.number().min(0).max(MAX_AMOUNT),
};

type FieldTable = Record<string, readonly [StatisticFieldKind, string]>;

function createMemberSchemas<Table extends FieldTable, Wrapped extends z.ZodType>(
  table: Table,
  wrapSchema: (schema: z.ZodType<number>) => Wrapped,
): { [Name in keyof Table]: Wrapped } {
  const entries = Object.entries(table).map(([name, [kind, description]]) => [
    name,
    wrapSchema(SCHEMA_FACTORY_BY_KIND[kind]()).meta({ description, examples: [kind === 'count' ? 12 : 3.5] }),
  ]);
  return Object.fromEntries(entries);
}

const DAY_META = { description: 'The day, YYYY-MM-DD', examples: ['2026-08-22'] };

/** A day as the marketplace counts it; a date that does not exist is refused. */
export const statisticDayInput = dayInput('csv.day').meta({
  ...DAY_META,
  description: 'The day, YYYY-MM-DD, in the year 5 or later',
});
/** A stored day. Earlier versions stored days that are refused now. */
export const storedDaySchema = daySchema.meta(DAY_META);

export const listingIdSchema = z
  .int()
  .min(0)
  .meta({ description: "The marketplace's ID of the listing", examples: [1089353670] });

const toOptional = (schema: z.ZodType<number>) => schema.optional();
const toNullable = (schema: z.ZodType<number>) => schema.nullable();

const shopKey = { shop_id: marketplaceShopIdSchema, date: statisticDayInput };
const listingKey = { listing_id: listingIdSchema, ...shopKey };

/** The statistics of a shop for one day (docs/statistics.md). Unknown members are stored in `extra`. */
export const shopStatisticsRequest = z
  .looseObject({ ...shopKey, ...createMemberSchemas(SHOP_FIELDS, toOptional) })
  .meta({
    id: 'ShopStatisticsRequest',
    examples: [{ shop_id: 'my-shop', date: '2026-08-22', total_orders: 12 }],
  });

/** The statistics of a listing for one day (docs/statistics.md). Unknown members are stored in `extra`. */
export const listingStatisticsRequest = z
  .looseObject({ ...listingKey, ...createMemberSchemas(LISTING_FIELDS, toOptional) })
  .meta({
    id: 'ProductStatisticsRequest',
    examples: [{ listing_id: 1089353670, shop_id: 'my-shop', date: '2026-08-22', visits: 40 }],
  });

const extra = z.record(z.string(), z.unknown()).meta({ description: 'Members without a field of their own' });

/** The stored statistics of a shop for one day; a field is null if it was never sent. */
export const storedShopFields = createMemberSchemas(SHOP_FIELDS, toNullable);
/** The stored statistics of a listing for one day; a field is null if it was never sent. */
export const storedListingFields = createMemberSchemas(LISTING_FIELDS, toNullable);

const storedMembers = {
  extra,
  updated_at: z.iso.datetime().meta({ description: 'When the row was last changed' }),
};

const outcomeMembers = {
  extra,
  created: z.boolean().meta({ description: 'True if this call created the row, false if it existed' }),
  updated_at: storedMembers.updated_at,
};

/** The stored statistics of a shop for one day, with their key. */
export const shopDaySchema = z.object({
  ...shopKey,
  date: storedDaySchema,
  ...storedShopFields,
  ...storedMembers,
});
export const listingDaySchema = z.object({
  ...listingKey,
  date: storedDaySchema,
  ...storedListingFields,
  ...storedMembers,
});

export const shopStatisticsResponse = z
  .object({
    success: z.literal(true),
    data: z.object({ ...shopKey, ...storedShopFields, ...outcomeMembers }),
  })
  .meta({ id: 'ShopStatisticsResponse' });

export const listingStatisticsResponse = z
  .object({
    success: z.literal(true),
    data: z.object({ ...listingKey, ...storedListingFields, ...outcomeMembers }),
  })
  .meta({ id: 'ProductStatisticsResponse' });
