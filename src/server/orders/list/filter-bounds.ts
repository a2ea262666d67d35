/**
 * What a filter of orders may hold. Its schema is made of these; so is the page's reading of its address, which would otherwise
 * have every browser load all of zod.
 */

/** The states of an order (docs/orders.md), from the first to the last. */
export const ORDER_STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled'] as const;

/** What an order's parcels are at, and `none` for orders without any. */
export const ORDER_TRACKING = [
  'not_found',
  'info_received',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivery_failure',
  'delivered',
  'exception',
  'expired',
  'none',
] as const;

export const MOST_SHOPS = 200;
export const MOST_COUNTRIES = 300;
/** A code of two letters; `--` for orders whose country matches none. */
export const COUNTRY_FILTER = /^([A-Z]{2}|--)$/;
export const LONGEST_SEARCH = 200;
export const MOST_UNSHIPPED_DAYS = 3_650;
