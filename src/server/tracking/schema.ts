import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { queryText } from '../core/fields';
import { queryId } from '../core/ids';
import { TRACKING_STATUSES } from '../core/statuses';

const trackingStatus = z
  .enum(TRACKING_STATUSES)
  .meta({ description: 'Tracking status', examples: ['in_transit'] });

/**
 * The body that carriers and relays send (docs/tracking.md): 17TRACK's v2 webhook or the plain form. Any other object is stored
 * and changes nothing.
 */
export const tracksRequest = z
  .looseObject({
    event: z
      .unknown()
      .optional()
      .meta({ description: 'Kind of event, as text', examples: ['TRACKING_UPDATED'] }),
    data: z.unknown().optional().meta({
      description:
        "17TRACK v2: {number, carrier, track_info}. Plain: {tracking_number, status, sub_status?, description?, location?, time?} or a list of these; status is one of ours or one of 17TRACK's. time is ISO 8601, extended or basic, in UTC without an offset, or a Unix time in seconds or milliseconds as a number; without it the time of receipt counts. An entry with any other time, without a status, or without a usable tracking number (a JSON number beyond 2^53-1 has lost its last digits) creates no event.",
    }),
  })
  .meta({
    id: 'TracksRequest',
    examples: [
      {
        event: 'tracking',
        data: { tracking_number: 'LX123456789CN', status: 'delivered', time: '2026-08-28T15:04:00Z' },
      },
    ],
  });

const countSchema = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [1] });

export const tracksResponse = z
  .object({
    success: z.literal(true),
    data: z.object({
      record_id: z
        .union([z.int().min(1), z.string()])
        .meta({ description: 'Id of the stored body', examples: [1] }),
      tracking_numbers: z.array(z.string()).meta({
        description: 'Tracking numbers whose events were understood; for 17TRACK, the number in the body',
        examples: [['LX123456789CN']],
      }),
      matched_orders: countSchema('Orders that have one of these numbers'),
      updated_orders: countSchema('Orders whose status or tracking status changed'),
      new_events: countSchema('New events'),
    }),
  })
  .meta({ id: 'TracksResponse' });

const trackingNumber = queryText(100).meta({ description: 'Tracking number', examples: ['LX123456789CN'] });

/** The order or tracking number that the text is about (docs/tracking.md, "The tracking text"), and the format. */
export const trackingTextQuery = z
  .strictObject({
    order_id: queryId
      .meta({
        description: "Brickdesk's id for the order, as an alternative to tracking_number",
        override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] },
      })
      .optional(),
    tracking_number: trackingNumber.optional(),
    format: z
      .enum(['json', 'text'], {
        error: (issue) => withReason(Array.isArray(issue.input) ? 'input.once' : 'type.format').error(issue),
      })
      .meta({
        description: 'Default json; with text the response is text/plain',
        examples: ['json'],
      })
      .optional(),
  })
  .meta({ id: 'TrackingTextQuery' });

const carrier = z
  .string()
  .nullable()
  .meta({
    description:
      "The carrier: the one stored with the order's shipment, otherwise the one that was reported, otherwise the order's",
    examples: ['Yanwen'],
  });

const event = z.object({
  time: z.iso
    .datetime()
    .meta({ description: 'Time of the event, in UTC', examples: ['2026-08-23T10:00:00.000Z'] }),
  status: trackingStatus.nullable(),
  description: z
    .string()
    .nullable()
    .meta({ description: "Description, in the carrier's words", examples: ['Departed'] }),
  location: z
    .string()
    .nullable()
    .meta({ description: 'Location, as the carrier wrote it', examples: ['Los Angeles'] }),
});

const events = z.array(event).meta({ description: 'The newest 500 events, newest first' });

export const trackingTextResponse = z
  .object({
    success: z.literal(true),
    data: z.object({
      order_id: z
        .union([z.int(), z.string()])
        .nullable()
        .meta({ description: "The order's id", examples: [1] }),
      receipt_id: z
        .string()
        .nullable()
        .meta({ description: 'The order number', examples: ['4165098857'] }),
      tracking_number: z.string().nullable(),
      carrier,
      status: trackingStatus.nullable(),
      text: z.string().meta({ description: 'English text for a buyer, with times in New York time' }),
      events,
    }),
  })
  .meta({ id: 'TrackingTextResponse' });

/** The shipment that the carrier is queried about, or the order whose shipments it is queried about (docs/tracking.md). */
export const logisticsQuery = z
  .strictObject({
    tracking_number: trackingNumber.optional(),
    order_number: queryText(100)
      .meta({
        description: "The order's number at the marketplace, its receipt_id",
        examples: ['4165098857'],
      })
      .optional(),
  })
  .meta({ id: 'LogisticsQuery' });

export const logisticsResponse = z
  .object({
    success: z.literal(true),
    data: z.array(
      z.object({
        tracking_number: z.string(),
        order_number: z.string().nullable(),
        carrier,
        status: trackingStatus,
        sub_status: z.string().nullable(),
        events,
        source: z.string().meta({ description: 'The configured carrier service', examples: ['17track'] }),
      }),
    ),
  })
  .meta({ id: 'LogisticsResponse' });
