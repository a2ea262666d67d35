import { z } from 'zod';
import { reasonSchema } from '../../core/errors/reason-schema';
import { withReason } from '../../core/errors/validation';
import {
  instantInput,
  instantSchema,
  nextCursor,
  pageFields,
  queryText,
  shownFields,
} from '../../core/fields';
import { idSchema, queryId, recordIdSchema } from '../../core/ids';
import { OBSERVATION_KINDS, ORDER_STATUSES, TRACKING_STATUSES } from '../../core/statuses';
import { MAX_SHIPMENTS_PER_QUERY } from './bounds';

const status = z.enum(TRACKING_STATUSES);
const shopId = idSchema('type.idShop');

export const shipmentCountsInput = z.strictObject({
  /** Shop ids. If omitted, all shipments are counted, including those without an order. */
  shops: z.array(shopId).max(200).optional(),
});

export const shipmentCountsOutput = z.object({
  /** Every status in order of rank, even those without shipments. */
  statuses: z.array(z.object({ status, count: z.int() })),
  total: z.int(),
});

/** The carriers by which the list can be filtered; its filter `carrier` takes the `code`. */
export const shipmentCarriersOutput = z.array(z.object({ code: z.string(), name: z.string().nullable() }));

export const shipmentListInput = z.strictObject({
  statuses: z.array(status).max(TRACKING_STATUSES.length).optional(),
  shops: z.array(shopId).max(200).optional(),
  /** A carrier's code as returned by `carriers`, case-insensitive. */
  carrier: queryText(200).optional(),
  /** Shipments whose `since` is between `since_from` and `since_to`, inclusive. */
  since_from: instantInput.optional(),
  since_to: instantInput.optional(),
  ...pageFields,
});

const shipmentSummary = z.object({
  tracking_number: z.string(),
  status,
  sub_status: z.string().nullable(),
  /** When the current status began or, if none has been observed, when the tracking number was first stored. */
  since: instantSchema,
  carrier_code: z.string().nullable(),
  /** The carrier's display name. */
  carrier: z.string().nullable(),
  asked_at: instantSchema.nullable(),
  registered_at: instantSchema.nullable(),
});

const shipmentOrder = z.object({
  id: z.string(),
  receipt_id: z.string(),
  shop_id: z.int(),
  shop: z.string(),
  status: z.enum(ORDER_STATUSES),
});

export const shipmentListOutput = z.object({
  shipments: z.array(
    shipmentSummary.extend({
      /** The newest order; `order_count` is the number of orders that share the tracking number. */
      order: shipmentOrder.nullable(),
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
  next: nextCursor,
});

/** A tracking number as printed on the label. Spaces and case are ignored. */
const trackingNumber = queryText(100);

export const shipmentInput = z.strictObject({ tracking_number: trackingNumber });

export const shipmentOutput = shipmentSummary.extend({
  /** The newest 100 orders; `order_count` is the total number. */
  orders: z.array(shipmentOrder),
  order_count: z.int(),
  /** The newest 500 observations of any kind, newest first; `event_count` is the total number. */
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(OBSERVATION_KINDS),
      occurred_at: instantSchema,
      received_at: instantSchema,
      status: status.nullable(),
      sub_status: z.string().nullable(),
      stage: z.string().nullable(),
      provider_status: z.string().nullable(),
      description: z.string().nullable(),
      location: z.string().nullable(),
      source: z.string(),
      /** The callback that first reported the observation. Null if there is none or it has been deleted. */
      record_id: z.string().nullable(),
    }),
  ),
  event_count: z.int(),
});

export const orderTextInput = z.strictObject({ order_id: queryId });

/** The text for the buyer of an order, as in GET /api/v1/tracking-text. */
export const orderTextOutput = z.object({ text: z.string() });

export const askCarrierInput = z.strictObject({
  tracking_numbers: z.array(trackingNumber).min(1).max(MAX_SHIPMENTS_PER_QUERY),
});

export const askCarrierOutput = z.object({
  /** In the order of the input, without duplicates. */
  results: z.array(
    z.object({
      tracking_number: z.string(),
      /**
       * `unknown`: the carrier has nothing readable about the number. `failed`: the number was not queried, or the carrier did not
       * answer.
       */
      outcome: z.enum(['answered', 'unknown', 'failed']),
      /** Why the outcome is `failed`, or why a part of the answer was left out. */
      reason: reasonSchema.nullable(),
      /** The current status. Null for a number that is not stored. */
      status: status.nullable(),
      sub_status: z.string().nullable(),
      new_events: z.int(),
      /** Whether the answer changed the shipment's status or sub-status. */
      changed: z.boolean(),
    }),
  ),
  updated_orders: z.int(),
});

/** A status that a user sets, with an optional note. */
export const setShipmentStatusInput = z.strictObject({
  tracking_number: trackingNumber,
  status,
  /** Blank means no note. */
  note: z
    .string()
    .trim()
    .max(2_000, withReason('text.long', { count: 2000 }))
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), withReason('text.storable'))
    .optional(),
  shown: shownFields(z.object({ status })),
});

/** The correction to remove, by the id of its event. */
export const undoCorrectionInput = z.strictObject({
  tracking_number: trackingNumber,
  event_id: recordIdSchema('type.idEvent'),
});

export const correctionOutput = z.object({
  /** The correction's event. */
  event_id: z.string(),
  /** The shipment's new status. */
  status,
  sub_status: z.string().nullable(),
  /** Orders whose status or tracking status changed. */
  updated_orders: z.int(),
});
