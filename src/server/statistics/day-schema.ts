import { z } from 'zod';
import { DAY_MS } from '../core/days';
import { withReason } from '../core/errors/validation';
import { instantSchema, marketplaceShopIdSchema, nextCursor, pageFields } from '../core/fields';
import { idSchema, queryIdSchema } from '../core/ids';
import { singleValue } from '../core/lists/download-query';
import { LISTING_FIELDS, SHOP_FIELDS } from './fields';
import {
  listingDaySchema,
  listingIdSchema,
  shopDaySchema,
  statisticDayInput,
  storedDaySchema,
  storedListingFields,
  storedShopFields,
} from './schema';

/** The maximum number of shops or listings in one query. */
const MAX_IDS = 50;
/** The maximum range of a series or of the top listings, in days: three years including a leap day. */
const MAX_RANGE_DAYS = 1_096;
const MAX_MONTHS = 24;

const shopIds = z.array(marketplaceShopIdSchema).min(1).max(MAX_IDS);
const listingIds = z.array(listingIdSchema).min(1).max(MAX_IDS);
const direction = z.enum(['asc', 'desc']).default('desc');

type Range = { from?: string | undefined; to?: string | undefined };
const isOrderedRange = ({ from, to }: Range) => from === undefined || to === undefined || from <= to;
const isShortEnough = ({ from, to }: Range) =>
  (Date.parse(to!) - Date.parse(from!)) / DAY_MS < MAX_RANGE_DAYS;
const ENDS_BEFORE_START_ERROR = { path: ['to'], ...withReason('input.beforeFrom') };
const TOO_LONG_ERROR = { path: ['to'], ...withReason('input.daysFrom', { count: MAX_RANGE_DAYS }) };

const shopFilter = {
  shop_ids: shopIds.optional(),
  from: statisticDayInput.optional(),
  to: statisticDayInput.optional(),
};
const listingFilter = { ...shopFilter, listing_ids: listingIds.optional() };
const range = { from: statisticDayInput, to: statisticDayInput };

const shopFields = Object.keys(SHOP_FIELDS) as (keyof typeof SHOP_FIELDS)[];
const listingFields = Object.keys(LISTING_FIELDS) as (keyof typeof LISTING_FIELDS)[];

export const shopDaysInput = z
  .strictObject({
    ...shopFilter,
    sort: z.enum(['date', 'shop_id', ...shopFields]).default('date'),
    direction,
    ...pageFields,
  })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .prefault({});

export const listingDaysInput = z
  .strictObject({
    ...listingFilter,
    sort: z.enum(['date', 'shop_id', 'listing_id', ...listingFields]).default('date'),
    direction,
    ...pageFields,
  })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .prefault({});

export const shopDaysOutput = z.object({ days: z.array(shopDaySchema), next: nextCursor });
export const listingDaysOutput = z.object({ days: z.array(listingDaySchema), next: nextCursor });

export const shopSeriesInput = z
  .strictObject({ shop_ids: shopIds.optional(), ...range })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .refine(isShortEnough, TOO_LONG_ERROR);

export const listingSeriesInput = z
  .strictObject({ shop_ids: shopIds.optional(), listing_ids: listingIds.optional(), ...range })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .refine(isShortEnough, TOO_LONG_ERROR);

/**
 * Returns the schemas of sums. They have no limits: sums can exceed the limits of a single day, and a rate of sums can exceed
 * 100.
 */
function sumSchemas<Names extends string>(fields: Record<Names, unknown>) {
  const names = Object.keys(fields) as Names[];
  const members = names.map((name) => [name, z.number().nullable()] as const);
  return {
    rows: z.int().meta({ description: 'Number of stored days in the sums', examples: [30] }),
    /**
     * The currency of all amounts; null if there are several, or if the currency of any shop is unknown. The amounts are null
     * unless all are in one currency or from one shop.
     */
    currency: z.string().nullable(),
    ...(Object.fromEntries(members) as Record<Names, z.ZodNullable<z.ZodNumber>>),
  };
}

const shopSums = z.object(sumSchemas(storedShopFields));
const listingSums = z.object(sumSchemas(storedListingFields));

/** `days` omits days without stored data: a gap is not zero. */
const seriesSchemas = <Sums extends z.ZodRawShape>(total: z.ZodObject<Sums>) => ({
  total,
  days: z.array(total.extend({ date: storedDaySchema })),
});

/** The sums of the days that have a counterpart in the period before, and of those counterparts; null if no day has one. */
const comparisonSchema = <Shape extends z.ZodRawShape>(total: z.ZodObject<Shape>) =>
  z.object({ now: total, before: total }).nullable();

/** Sums together and by currency. Amounts are summed together only if all are in one currency or from one shop. */
const sumsByCurrencySchemas = <Shape extends z.ZodRawShape>(total: z.ZodObject<Shape>) => ({
  together: z.object({ ...seriesSchemas(total), compared: comparisonSchema(total) }),
  by_currency: z.array(
    z.object({ currency: z.string(), ...seriesSchemas(total), compared: comparisonSchema(total) }),
  ),
  /** The first 50 shops without a currency, whose amounts are not in `by_currency`. */
  without_currency: z.array(marketplaceShopIdSchema),
});

export const shopSeriesOutput = z.object({
  ...sumsByCurrencySchemas(shopSums),
  /** The series of each shop in the query. */
  shops: z.array(z.object({ shop_id: marketplaceShopIdSchema, ...seriesSchemas(shopSums) })),
});

const listingTitle = z
  .string()
  .nullable()
  .meta({ description: "The listing's title in the newest order that has one", examples: ['Dog'] });

export const listingSeriesOutput = z.object({
  ...sumsByCurrencySchemas(listingSums),
  listings: z.array(
    z.object({ listing_id: listingIdSchema, title: listingTitle, ...seriesSchemas(listingSums) }),
  ),
});

export const topListingsInput = z
  .strictObject({
    shop_ids: shopIds.optional(),
    ...range,
    sort: z.enum([...listingFields, 'profit']).default('revenue'),
    direction,
    limit: z.int().min(1).max(200).default(20),
  })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .refine(isShortEnough, TOO_LONG_ERROR);

export const topListingsOutput = z.array(
  listingSums.extend({
    listing_id: listingIdSchema,
    shop_ids: z.array(marketplaceShopIdSchema),
    title: listingTitle,
    /** Revenue less ad spend, from the days that have both. */
    profit: z.number().nullable(),
  }),
);

/** Whether days are those of shops or of listings. */
export const dayKind = z.enum(['shop', 'listing']).meta({ description: 'Days of shops or of listings' });
const month = z.string().regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, withReason('input.month'));
const monthNumber = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5));

export const missingDaysInput = z
  .strictObject({ kind: dayKind.default('shop'), shop_ids: shopIds, from: month, to: month })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .refine(({ from, to }) => monthNumber(to) - monthNumber(from) < MAX_MONTHS, {
    path: ['to'],
    ...withReason('input.monthsFrom', { count: MAX_MONTHS }),
  });

export const missingDaysOutput = z.array(
  z.object({
    shop_id: marketplaceShopIdSchema,
    first_day: storedDaySchema.nullable(),
    last_day: storedDaySchema.nullable(),
    /** The current day in the shop's time zone, or in New York's if the shop is not stored. */
    today: storedDaySchema,
    /** The days without statistics, from the first stored day to yesterday, within the requested months. */
    missing: z.array(storedDaySchema),
  }),
);

export const knownShopsOutput = z.array(
  z.object({
    shop_id: marketplaceShopIdSchema,
    account_id: z.int().nullable(),
    name: z.string().nullable(),
    /** The currency of the shop's amounts, if known. */
    currency: z.string().nullable(),
    archived: z.boolean(),
    first_day: storedDaySchema.nullable(),
    last_day: storedDaySchema.nullable(),
    days: z.int(),
  }),
);

export const restatementsInput = z
  .strictObject({
    kind: dayKind.optional(),
    ...shopFilter,
    listing_id: listingIdSchema.optional(),
    api_key_id: idSchema('type.idKey').optional(),
    /** Only restatements made after the day was over; the figures of the current day change all the time. */
    past_only: z.boolean().default(true),
    ...pageFields,
  })
  .refine(isOrderedRange, ENDS_BEFORE_START_ERROR)
  .prefault({});

export const restatementsOutput = z.object({
  restatements: z.array(
    z.object({
      id: z.string(),
      kind: dayKind,
      listing_id: listingIdSchema.nullable(),
      shop_id: marketplaceShopIdSchema,
      date: storedDaySchema,
      created_at: instantSchema,
      days_late: z.int(),
      /** Only the fields that differ; a member of `extra` is named `extra.<name>`. */
      changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
      key: z.object({ id: z.int(), name: z.string(), prefix: z.string(), last_four: z.string() }).nullable(),
      /** The user who imported the new values as CSV; null if an API key sent them. */
      user: z.string().nullable(),
    }),
  ),
  next: nextCursor,
});

/** The query parameters for downloading days. The parser passes each one as a list of its values. */
export const daysDownloadQuery = z
  .strictObject({
    kind: singleValue(dayKind),
    shop_id: shopIds.optional(),
    listing_id: z.array(queryIdSchema(0)).pipe(listingIds).optional(),
    from: singleValue(statisticDayInput).optional(),
    to: singleValue(statisticDayInput).optional(),
  })
  .superRefine((query, context) => {
    if (query.kind === 'listing' || query.listing_id === undefined) return;
    context.addIssue({ code: 'unrecognized_keys', keys: ['listing_id'], input: query });
  });
