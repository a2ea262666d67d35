import { z } from 'zod';
import { cursorSchema, instantSchema, queryId, queryText, recordIdSchema } from '../../core/fields';
import { reasonSchema } from '../../core/reason-schema';
import { otherwise } from '../../core/validation';
import { TRACKING_STATUSES } from '../status';

const status = z.enum(TRACKING_STATUSES);
const shopId = z.int().min(1).max(2_147_483_647);

/** Most numbers of one question to the carrier. */
export const MAX_ASKED = 40;

export const parcelCountsInput = z.strictObject({
  /** Ids of shops; none is all, with the parcels that belong to no order. */
  shops: z.array(shopId).max(200).optional(),
});

export const parcelCountsOutput = z.object({
  /** Every status, also those without parcels, in the order of their rank. */
  statuses: z.array(z.object({ status, count: z.int() })),
  total: z.int(),
});

/** What `carrier` of the list takes. */
export const parcelCarriersOutput = z.array(z.object({ code: z.string(), name: z.string().nullable() }));

export const parcelListInput = z.strictObject({
  statuses: z.array(status).max(TRACKING_STATUSES.length).optional(),
  shops: z.array(shopId).max(200).optional(),
  /** A carrier's code as `carriers` names it, in any case. */
  carrier: queryText(200).optional(),
  /** Parcels that have their status since then or later; since then or before. */
  since_from: instantSchema.optional(),
  since_to: instantSchema.optional(),
  cursor: cursorSchema.optional(),
  limit: z.int().min(1).max(200).default(50),
});

const parcelSummary = z.object({
  tracking_number: z.string(),
  status,
  sub_status: z.string().nullable(),
  /** Since when it has this status; where nothing was observed yet, since it is known here. */
  since: instantSchema,
  carrier_code: z.string().nullable(),
  /** The carrier's name as people know it. */
  carrier: z.string().nullable(),
  asked_at: instantSchema.nullable(),
  registered_at: instantSchema.nullable(),
});

const parcelOrder = z.object({
  id: z.string(),
  receipt_id: z.string(),
  shop_id: z.int(),
  shop: z.string(),
  status: z.enum(['pending', 'paid', 'shipped', 'delivered', 'cancelled']),
});

export const parcelListOutput = z.object({
  parcels: z.array(
    parcelSummary.extend({
      /** The newest order; `order_count` says how many share the number. */
      order: parcelOrder.nullable(),
      order_count: z.int(),
      last_event: z
        .object({
          occurred_at: instantSchema,
          status: status.nullable(),
          description: z.string().nullable(),
          location: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  next: z.string().nullable(),
});

/** As it stands on the label: spaces and case make no difference. */
const trackingNumber = queryText(100);

export const parcelInput = z.strictObject({ tracking_number: trackingNumber });

export const parcelOutput = parcelSummary.extend({
  /** The newest 100. */
  orders: z.array(parcelOrder),
  order_count: z.int(),
  /** Everything observed, the newest first; 500 at most. */
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['event', 'snapshot', 'correction']),
      occurred_at: instantSchema,
      received_at: instantSchema,
      status: status.nullable(),
      sub_status: z.string().nullable(),
      stage: z.string().nullable(),
      provider_status: z.string().nullable(),
      description: z.string().nullable(),
      location: z.string().nullable(),
      source: z.string(),
      /** The callback that told of it. */
      record_id: z.string().nullable(),
    }),
  ),
  event_count: z.int(),
});

export const orderTextInput = z.strictObject({ order_id: queryId });

/** What a person tells the buyer of an order, as GET /api/v1/tracking-text has it. */
export const orderTextOutput = z.object({ text: z.string() });

export const askCarrierInput = z.strictObject({
  tracking_numbers: z.array(trackingNumber).min(1).max(MAX_ASKED),
});

export const askCarrierOutput = z.object({
  /** In the order asked, doubled numbers once. */
  results: z.array(
    z.object({
      tracking_number: z.string(),
      /** `answered`; `unknown`: the carrier knows nothing of it; `failed`: the reason says why. */
      outcome: z.enum(['answered', 'unknown', 'failed']),
      reason: reasonSchema.nullable(),
      /** As it is now; null for a number that is not stored. */
      status: status.nullable(),
      sub_status: z.string().nullable(),
      new_events: z.int(),
      /** Whether the answer gave it another status. */
      changed: z.boolean(),
    }),
  ),
  updated_orders: z.int(),
});

/** A status that a person sets, and why. */
export const setParcelStatusInput = z.strictObject({
  tracking_number: trackingNumber,
  status,
  /** Blank is none. */
  note: z
    .string()
    .trim()
    .max(2_000, otherwise('text.long', { count: 2000 }))
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), otherwise('text.storable'))
    .optional(),
});

/** The correction that is taken back, by the id of its event. */
export const takeBackStatusInput = z.strictObject({
  tracking_number: trackingNumber,
  event_id: recordIdSchema('type.idEvent'),
});

export const correctedOutput = z.object({
  /** The correction's event. */
  event_id: z.string(),
  /** What the parcel is at now. */
  status,
  sub_status: z.string().nullable(),
  /** Orders whose status or tracking status is another now. */
  updated_orders: z.int(),
});
