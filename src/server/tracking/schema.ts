import { z } from 'zod';
import { TRACKING_STATUSES } from './status';

export const trackingStatus = z
  .enum(TRACKING_STATUSES)
  .meta({ description: 'Tracking status', examples: ['in_transit'] });

/**
 * What carriers and relays call with (api-reference.md 6, decisions.md): 17TRACK's v2 webhook or the plain form. Any other
 * object is stored and changes nothing.
 */
export const tracksRequest = z
  .looseObject({
    event: z
      .string()
      .optional()
      .meta({ description: 'Kind of the event', examples: ['TRACKING_UPDATED'] }),
    data: z.unknown().meta({
      description:
        '17TRACK v2: {number, carrier, track_info}. Plain: {tracking_number, status, sub_status?, description?, location?, time?} or a list of such; status is one of ours or of 17TRACK, time is ISO 8601.',
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

const count = (description: string) =>
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
      tracking_numbers: z
        .array(z.string())
        .meta({ description: 'Waybill numbers that were understood', examples: [['LX123456789CN']] }),
      matched_orders: count('Orders that have one of these numbers'),
      updated_orders: count('Orders whose status or tracking status changed'),
      new_events: count('Events that were not known before'),
    }),
  })
  .meta({ id: 'TracksResponse' });
