import '../core/errors/validation';
import { z } from 'zod';
import { ORDER_STATUSES, TRACKING_STATUSES } from '../core/statuses';

export const orderStatusSchema = z.enum(ORDER_STATUSES);
/** The status of a shipment, and the tracking status of an order. */
export const trackingStatusSchema = z.enum(TRACKING_STATUSES);

/** An order's status and tracking status. */
export const orderStateOutput = z.object({
  id: z.string(),
  status: orderStatusSchema,
  tracking_status: trackingStatusSchema.nullable(),
});
