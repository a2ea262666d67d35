import type { ORDER_TRACKING_STATUSES, OrderStatus } from '../../core/statuses';
import type { OrderQueue } from '../../queues/queue';

/** The tabs of the orders list, in the order shown. */
export const ORDER_TABS = [
  'to_ship',
  'late',
  'in_transit',
  'exception',
  'delivered',
  'unpaid',
  'all',
] as const;

export type OrderTab = (typeof ORDER_TABS)[number];

/** The part of an order filter that defines a tab. */
interface TabFilter {
  queue?: OrderQueue;
  statuses?: OrderStatus[];
  tracking?: (typeof ORDER_TRACKING_STATUSES)[number][];
}

/**
 * The filter of each tab, used both to count and to list its orders. `to_ship`, `late` and `exception` are the open entries of
 * the work queues of the same name (docs/queues.md), so that a tab and its queue show the same orders.
 */
export const TAB_FILTERS: Readonly<Record<OrderTab, TabFilter>> = {
  to_ship: { queue: 'to_ship' },
  late: { queue: 'late' },
  in_transit: {
    statuses: ['shipped'],
    tracking: ['in_transit', 'available_for_pickup', 'out_for_delivery'],
  },
  exception: { queue: 'exception' },
  delivered: { statuses: ['delivered'] },
  unpaid: { statuses: ['pending'] },
  all: {},
};

/** The tabs whose longest-waiting orders come first. */
export const OLDEST_FIRST_TABS: readonly OrderTab[] = ['to_ship', 'late'];
