/**
 * The queues' names and limits. The views `queue_records` and `unmatched_work` define what is in each queue
 * (prisma/beyond-prisma.sql, docs/queues.md). This file does not import zod, so that pages can load it.
 */

import type { TrackingStatus } from '../core/statuses';

/** The queues whose entries are orders. */
export const ORDER_QUEUES = [
  'to_ship',
  'late',
  'exception',
  'delivery_failed',
  'not_scanned',
  'to_review',
] as const;

export type OrderQueue = (typeof ORDER_QUEUES)[number];

/** The queues in the order in which they are worked through. The entries of `unmatched` are tracking numbers that no order has. */
export const QUEUES = [...ORDER_QUEUES, 'unmatched'] as const;

export type QueueName = (typeof QUEUES)[number];

export const isOrderQueue = (queue: QueueName): queue is OrderQueue => queue !== 'unmatched';

/**
 * Days after the payment (`sale_date`) from which an order that has not been shipped is late. `queue_records` has the same number; a
 * test compares the two.
 */
export const LATE_DAYS = 3;

/** Days without a scan after which a shipment with a label needs attention. */
export const NOT_SCANNED_DAYS = 5;

/** The statuses of a shipment that the carrier has not scanned. `queue_records` has the same ones. */
export const UNSCANNED_STATUSES: readonly TrackingStatus[] = ['not_found', 'expired', 'info_received'];

/** Why a shipment is stuck, derived from the carrier's sub-status and texts. */
export const CAUSES = [
  'lost',
  'damaged',
  'returned',
  'refused',
  'customs',
  'delayed',
  'nobody',
  'address',
  'other',
] as const;

export type Cause = (typeof CAUSES)[number];

/** The queues whose entries have a cause. They show the newest entry first, the other order queues the oldest. */
export const QUEUES_WITH_CAUSE: readonly OrderQueue[] = ['exception', 'delivery_failed'];

/** The maximum length of a note on an order or a tracking number, in characters. */
export const MAX_NOTE_LENGTH = 5_000;

/** The values of the filter by assignment; `me` is the current user. */
export const ASSIGNMENTS = ['me', 'nobody'] as const;

/** The states of an entry. A handled or snoozed entry opens again when something new happens or the snooze ends. */
export const ENTRY_STATES = ['open', 'snoozed', 'handled'] as const;

export type EntryState = (typeof ENTRY_STATES)[number];
