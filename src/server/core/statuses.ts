/** The statuses of an order, from first to last (docs/orders.md). The database's enum has the same order. */
export const ORDER_STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * The statuses of a shipment by rank (docs/tracking.md, "How observations become a status"). The database's enum has the same
 * order, so that min() and greatest() follow it.
 */
export const TRACKING_STATUSES = [
  'not_found',
  'expired',
  'info_received',
  'in_transit',
  'available_for_pickup',
  'out_for_delivery',
  'delivery_failure',
  'exception',
  'delivered',
] as const;

export type TrackingStatus = (typeof TRACKING_STATUSES)[number];

const PROBLEM_STATUSES: readonly TrackingStatus[] = ['delivery_failure', 'exception', 'expired'];

/**
 * The tracking statuses of an order in the sequence in which pages list them: `none` for orders without shipments, then the
 * stages of a normal delivery, then the problems.
 */
export const ORDER_TRACKING_STATUSES: readonly (TrackingStatus | 'none')[] = [
  'none',
  ...TRACKING_STATUSES.filter((status) => !PROBLEM_STATUSES.includes(status)),
  ...PROBLEM_STATUSES,
];

/** The kinds of observation of a shipment: a carrier's event, a carrier's current status, or a user's correction. */
export const OBSERVATION_KINDS = ['event', 'snapshot', 'correction'] as const;
