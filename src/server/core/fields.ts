import { z } from 'zod';
import { DAY_MS } from './days';
import { withReason } from './errors/validation';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './lists/page-size';
import { MAX_CSV_BYTES } from './text/csv-limit';
import { ENCODINGS } from './text/encodings';

// Not imported from text.ts, which would add the table of HTML entities to the pages that load these schemas.
const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed();

/** Text that PostgreSQL can store, of 1 to `max` characters. */
export function storableText(max: number) {
  return z
    .string()
    .min(1, withReason('text.empty'))
    .max(max, withReason('text.long', { count: max }))
    .refine(isStorable, withReason('text.storable'));
}

/** Text of 1 to `max` characters. Surrounding spaces are trimmed; a blank string is refused. */
export function requiredText(max: number) {
  return z
    .string()
    .trim()
    .min(1, withReason('text.empty'))
    .max(max, withReason('text.long', { count: max }))
    .refine(isStorable, withReason('text.storable'));
}

/** Text that PostgreSQL can store, of at most `max` characters. Surrounding spaces are trimmed; a blank string is accepted. */
export function optionalText(max: number) {
  return z
    .string()
    .trim()
    .max(max, withReason('text.long', { count: max }))
    .refine(isStorable, withReason('text.storable'));
}

/** A day in responses, `YYYY-MM-DD`. */
export const daySchema = z.iso.date();

/**
 * A day in requests, `YYYY-MM-DD`, not before the year 5: a range of up to three years is compared with the same number of days
 * before it, which must not begin in the year 0, because PostgreSQL has none.
 *
 * @param reason why anything else but a missing value is refused
 */
export function dayInput(reason: 'input.day' | 'csv.day' = 'input.day') {
  const { error } = withReason(reason);
  return z.iso
    .date({ error: (issue) => (issue.input === undefined ? undefined : error(issue)) })
    .refine((day) => !/^000[0-4]/.test(day), withReason('input.earlyDay'));
}

/** An instant in responses: ISO 8601 in UTC. */
export const instantSchema = z.iso.datetime();

/** The maximum length of an instant in requests. PostgreSQL refuses texts that are much longer. */
const MAX_INSTANT_LENGTH = 40;

/** An instant in requests: ISO 8601 in UTC. Remains text, because a Date would lose the microseconds. */
export const instantInput = instantSchema.refine(
  (text) => !text.startsWith('0000') && text.length <= MAX_INSTANT_LENGTH,
  withReason('key.time'),
);

/** An instant in requests, with any UTC offset. Converted here, because PostgreSQL accepts only offsets of less than 16 hours. */
export const offsetInstantInput = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/**
 * The fields of a stored record as a form showed them; the form sends them with its changes (audit/edit-conflict-service.ts).
 * Unknown members are dropped. Callers without a form send none.
 */
export function shownFields<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) {
  return fields.partial().optional();
}

/** The name of something that a user creates, such as a key or a shop. */
export const nameSchema = requiredText(200).meta({ description: 'A name', examples: ['ERP bridge'] });

const UNIT_MS = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 604_800_000 } as const;

/** A duration such as `90d`, `12h`, `30m` or `2w`, in milliseconds; at most ten years. */
export const durationSchema = z
  .string()
  .regex(/^[1-9]\d{0,5}[mhdw]$/, withReason('type.duration'))
  .transform((text) => Number(text.slice(0, -1)) * UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS])
  .refine((ms) => ms <= 3_660 * UNIT_MS.d, withReason('type.tenYears'));

/** The marketplace's own identifier of a shop. */
export const marketplaceShopIdSchema = requiredText(50).meta({
  description: "The marketplace's own ID of the shop; surrounding spaces are removed",
  examples: ['my-shop'],
});

/** A time zone by its IANA name. The database may not know it, or read it otherwise: `requireTimeZone` has the last word. */
export const timeZoneSchema = z
  .string()
  .trim()
  .refine(isTimeZone, withReason('shop.timeZone'))
  .meta({ description: 'A time zone by its IANA name', examples: ['America/New_York'] });

function isTimeZone(text: string): boolean {
  // Intl accepts offsets such as +02:00, but they have no daylight saving time.
  if (!/^[A-Za-z][\w+/-]*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** A query parameter that must not be repeated. */
export function queryText(max: number) {
  return z
    .string(withReason('input.once'))
    .trim()
    .min(1, withReason('text.empty'))
    .max(max, withReason('text.long', { count: max }))
    .refine(isStorable, withReason('text.storableShort'));
}

/** The maximum size of a request that contains a CSV file of the maximum size, allowing for JSON escapes. */
export const MAX_CSV_BODY_BYTES = 4 * MAX_CSV_BYTES;

/** A CSV file as text, sent by a page. */
export const csvTextSchema = z
  .string()
  .min(1, withReason('text.empty'))
  .max(MAX_CSV_BYTES, withReason('csv.large'))
  .refine((text) => new TextEncoder().encode(text).length <= MAX_CSV_BYTES, withReason('csv.large'))
  .meta({ description: 'CSV with a header, at most 1 MiB', examples: ['code,category\nHD-001,head\n'] });

/** A small CSV file that a page sends for the service to read. */
export const csvFileInput = z.strictObject({
  file: z
    .base64(withReason('type.base64'))
    .min(1, withReason('text.empty'))
    .max(Math.ceil(MAX_CSV_BYTES / 3) * 4, withReason('csv.large'))
    .meta({ description: 'A CSV file of at most 1 MiB in base64', examples: ['Y29kZSxjYXRlZ29yeQo='] }),
});

/** The text of an uploaded CSV file, and the encoding that the file had. */
export const csvFileOutput = z.object({ csv: z.string(), encoding: z.enum(ENCODINGS) });

/** The paging parameters of a list: the maximum number of rows, and the previous page's `next`, sent back unchanged. */
export const pageFields = {
  limit: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  cursor: z.string().min(1).max(1_000).optional(),
};

/** The page of a list that a caller asks for. */
export type PageInput = z.output<z.ZodObject<typeof pageFields>>;

/** The cursor of the next page; null at the end. */
export const nextCursor = z.string().nullable();

/** A whole number that is not negative, such as a count. */
export const nonNegativeInt = z.int().min(0);

/** The result of a change that returns nothing else. */
export const doneOutput = z.object({ done: z.literal(true) });
