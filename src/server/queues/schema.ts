import { z } from 'zod';
import { reasonSchema } from '../core/errors/reason-schema';
import {
  instantInput,
  instantSchema,
  nextCursor,
  pageFields,
  requiredText,
  shownFields,
  storableText,
} from '../core/fields';
import { idSchema } from '../core/ids';
import { ORDER_STATUSES } from '../core/statuses';
import { ASSIGNMENTS, CAUSES, ENTRY_STATES, MAX_NOTE_LENGTH, QUEUES } from './queue';

const queue = z.enum(QUEUES);
const shopId = idSchema('type.idShop');
const shops = z.array(shopId).max(200).optional();

const trackingNumber = requiredText(100);

/** The maximum number of entries that one call changes. */
const MAX_ENTRIES = 200;

export const queueCountsInput = z.strictObject({
  /** Shop ids. If omitted or empty, all shops. */
  shops,
});

export const queueCountsOutput = z.object({
  /** All queues, in the order in which they are worked through. */
  queues: z.array(z.object({ queue, open: z.int() })),
  /** The number of all open entries; an order that is in several queues counts once. */
  total: z.int(),
  /** The number of entries that the caller has handled since midnight in New York. */
  handled_today: z.int(),
});

export const queueListInput = z.strictObject({
  queue,
  ...pageFields,
  cause: z.enum(CAUSES).optional(),
  assigned: z.enum(ASSIGNMENTS).optional(),
  state: z.enum(ENTRY_STATES).default('open'),
  shops,
});

const user = z.object({ id: z.int(), name: z.string() });

export const queueListOutput = z.object({
  entries: z.array(
    z.object({
      /** The order's id; in `unmatched`, the tracking number. */
      id: z.string(),
      /** The order number; in `unmatched`, the tracking number. */
      number: z.string(),
      /** The order's status. Null in `unmatched`, as is the shop. */
      status: z.enum(ORDER_STATUSES).nullable(),
      shop_id: z.int().nullable(),
      shop: z.string().nullable(),
      /** The recipient's name; in `unmatched`, the carrier's code. */
      name: z.string().nullable(),
      buyer: z.string().nullable(),
      /** Title of the first item; in `unmatched`, the text of the latest event. */
      title: z.string().nullable(),
      items: z.int(),
      /**
       * When the entry began to wait, usually the time of the sale, of the shipment's status or of the reply; in `unmatched`, when
       * the number entered the queue.
       */
      since: instantSchema,
      /** Null in queues without causes. */
      cause: z.enum(CAUSES).nullable(),
      /** When something last happened to the entry. Callers pass it back when they handle or snooze the entry. */
      latest_at: instantSchema,
      assigned_to: user.nullable(),
      handled_at: instantSchema.nullable(),
      snoozed_until: instantSchema.nullable(),
      /** The tracking numbers of the order's shipments; in `unmatched`, only the number itself. */
      tracking_numbers: z.array(z.string()),
      /** In `to_review`, the latest reply to review; null in other queues. */
      reply: z.object({ id: z.string(), warnings: z.int() }).nullable(),
    }),
  ),
  /** Entries per cause with the same filters except the cause, most frequent first; empty in queues without causes. */
  causes: z.array(z.object({ cause: z.enum(CAUSES), count: z.int() })),
  /** The cursor of the next page; null on the last page. */
  next: nextCursor,
});

/** The users to whom an entry can be assigned. */
export const queuePeopleOutput = z.array(user.extend({ me: z.boolean() }));

/** The fields that identify an entry of the list. */
const referenceFields = { shop_id: shopId.nullable(), id: requiredText(100) };

const entryListSchema = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).min(1).max(MAX_ENTRIES);

/** Entries as the caller has seen them. */
const seenEntries = entryListSchema(z.strictObject({ ...referenceFields, latest_at: instantInput }));
const entries = entryListSchema(z.strictObject(referenceFields));

export const handleEntriesInput = z.strictObject({ queue, entries: seenEntries });

export const snoozeInput = z.strictObject({
  queue,
  entries: seenEntries,
  until: instantInput,
});

export const assignInput = z.strictObject({
  queue,
  entries,
  /** Null for nobody. */
  user_id: idSchema('type.idUser').nullable(),
});

export const putBackInput = z.strictObject({ queue, entries });

/** The results of a change. Entries in neither list did not need the change or had left the queue. */
export const entriesOutput = z.object({
  /** The ids of the entries that changed. */
  changed: z.array(z.string()),
  /** The entries that do not exist, each with its reason. They do not keep the others from being changed. */
  refused: z.array(z.object({ id: z.string(), reason: reasonSchema })),
});

export const unmatchedInput = z.strictObject({ tracking_number: trackingNumber });

const candidate = z.object({
  order_id: z.string(),
  shop_id: z.int(),
  shop: z.string(),
  receipt_id: z.string(),
  name: z.string().nullable(),
  status: z.enum(ORDER_STATUSES),
  sale_date: instantSchema.nullable(),
  /** The order's tracking number, which differs by one typing mistake; null if the order has none yet. */
  tracking_number: z.string().nullable(),
  /** Whether no carrier has reported `tracking_number`, so it is probably mistyped and not the number of another shipment. */
  mistyped: z.boolean(),
});

export const unmatchedOutput = z.object({
  /**
   * Orders with a tracking number that differs from this one by one typing mistake, then paid orders without a shipment that were
   * sold shortly before the first event.
   */
  candidates: z.array(candidate),
  note: z.string().nullable(),
});

export const noteUnmatchedInput = z.strictObject({
  tracking_number: trackingNumber,
  /** Replaces the note; null removes it. */
  text: z.string().trim().pipe(storableText(MAX_NOTE_LENGTH)).nullable(),
  shown: shownFields(z.object({ text: unmatchedOutput.shape.note })),
});
