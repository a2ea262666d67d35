/**
 * Allowed values of an order filter, for its schema and for the page that parses it from the address. They are separate because
 * the page would otherwise make every browser load all of zod.
 */

/** The statuses of an order (docs/orders.md), from first to last. */
export const ORDER_STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled'] as const;

/** The tracking statuses of an order, and `none` for orders without shipments. */
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
/** A two-letter code, or `--` for orders without a matched country. */
export const COUNTRY_FILTER = /^([A-Z]{2}|--)$/;
/** About a hundred tracking numbers. */
export const LONGEST_SEARCH = 2_000;
export const MOST_UNSHIPPED_DAYS = 3_650;
