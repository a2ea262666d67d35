import { z } from 'zod';
import { cursorSchema, instantSchema, recordIdSchema } from '../core/fields';
import { ASSIGNMENTS, CAUSES, ENTRY_STATES, QUEUES } from './queue';

const queue = z.enum(QUEUES);
const shopId = z.int().min(1).max(2_147_483_647);
const shops = z.array(shopId).max(200).optional();

/** Most entries that one call changes. */
const MOST_ENTRIES = 200;

export const queueCountsInput = z.strictObject({
  /** Shop ids; without any, all shops. */
  shops,
});

export const queueCountsOutput = z.object({
  /** Every queue, in the order of a day's work. */
  queues: z.array(z.object({ queue, open: z.int() })),
  /** Open orders; one that is in several queues counts once. */
  orders: z.int(),
  /** What the caller has handled since midnight in New York. */
  handled_today: z.int(),
});

export const queueListInput = z.strictObject({
  queue,
  /** `next` of the previous page. */
  cursor: cursorSchema.optional(),
  limit: z.int().min(1).max(200).default(50),
  cause: z.enum(CAUSES).optional(),
  assigned: z.enum(ASSIGNMENTS).optional(),
  state: z.enum(ENTRY_STATES).default('open'),
  shops,
});

const person = z.object({ id: z.int(), name: z.string() });

export const queueListOutput = z.object({
  entries: z.array(
    z.object({
      order_id: z.string(),
      receipt_id: z.string(),
      shop_id: z.int(),
      shop: z.string(),
      name: z.string().nullable(),
      buyer: z.string().nullable(),
      /** Title of the first item. */
      title: z.string().nullable(),
      items: z.int(),
      /** Since when it has been waiting: its sale, or the status of its shipment. */
      since: instantSchema,
      /** Null in queues without causes. */
      cause: z.enum(CAUSES).nullable(),
      /** The latest thing that has happened to it. Sent back when the entry is handled or snoozed. */
      latest_at: instantSchema,
      assigned_to: person.nullable(),
      handled_at: instantSchema.nullable(),
      snoozed_until: instantSchema.nullable(),
    }),
  ),
  /** Entries per cause with the same filters except the cause, most frequent first; empty in queues without causes. */
  causes: z.array(z.object({ cause: z.enum(CAUSES), count: z.int() })),
  /** Start of the next page; null at the end. */
  next: z.string().nullable(),
});

/** The people to whom an entry can be assigned. */
export const queuePeopleOutput = z.array(person.extend({ me: z.boolean() }));

const reference = { shop_id: shopId, order_id: recordIdSchema('type.idOrder') };

const several = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).min(1).max(MOST_ENTRIES);

/** Entries as the caller has seen them. */
const seenEntries = several(z.strictObject({ ...reference, latest_at: instantSchema }));
const entries = several(z.strictObject(reference));

export const handleInput = z.strictObject({ queue, entries: seenEntries });

export const snoozeInput = z.strictObject({
  queue,
  entries: seenEntries,
  until: instantSchema,
});

export const assignInput = z.strictObject({
  queue,
  entries,
  /** Null for nobody. */
  user_id: z.int().min(1).max(2_147_483_647).nullable(),
});

export const putBackInput = z.strictObject({ queue, entries });

/** The ids of the orders whose entries changed. The others had been handled, or had left the queue, before. */
export const entriesOutput = z.object({ changed: z.array(z.string()) });
