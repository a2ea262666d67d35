/** What a page may cost. */
export interface Budget {
  kB: number;
  maxRequests: number;
  maxShift: number;
}

/**
 * What pages may cost a browser with an empty cache: thousands of bytes of script as transferred, requests of any kind, and
 * layout shift. `content` is text from the database that the page must include; empty if none is checked.
 */
export const BUDGETS = [
  { path: '', kB: 212, maxRequests: 36, maxShift: 0.005, content: 'Delivery failed' },
  { path: '/queues', kB: 223, maxRequests: 37, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/queues/late', kB: 223, maxRequests: 35, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/queues/exception', kB: 223, maxRequests: 35, maxShift: 0.005, content: 'LX000000060CN' },
  { path: '/queues/delivery_failed', kB: 223, maxRequests: 35, maxShift: 0.005, content: 'LX000000061CN' },
  { path: '/queues/not_scanned', kB: 223, maxRequests: 35, maxShift: 0.005, content: 'LX000000062CN' },
  { path: '/queues/to_review', kB: 228, maxRequests: 35, maxShift: 0.005, content: 'Hi!' },
  { path: '/queues/unmatched', kB: 226, maxRequests: 35, maxShift: 0.005, content: 'ZZ770000001CN' },
  { path: '/orders', kB: 217, maxRequests: 38, maxShift: 0.005, content: 'Buyer 3' },
  { path: '/orders/templates', kB: 209, maxRequests: 35, maxShift: 0.005, content: 'Forwarder' },
  { path: '/orders/tracking', kB: 245, maxRequests: 36, maxShift: 0.005, content: 'Paste' },
  { path: '/orders/pick-list?filter={}', kB: 185, maxRequests: 30, maxShift: 0.005, content: 'Owl Magnet' },
  {
    path: '/orders/packing-slips?filter={}',
    kB: 185,
    maxRequests: 30,
    maxShift: 0.005,
    content: 'Owl Magnet',
  },
  { path: '/orders/ORDER', kB: 227, maxRequests: 38, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/imports', kB: 212, maxRequests: 37, maxShift: 0.005, content: 'Import 1' },
  { path: '/imports/1', kB: 211, maxRequests: 39, maxShift: 0.005, content: 'Fox and Bricks' },
  { path: '/import', kB: 210, maxRequests: 34, maxShift: 0.005, content: 'sold.csv' },
  { path: '/import/DRAFT', kB: 217, maxRequests: 37, maxShift: 0.005, content: 'sold.csv' },
  { path: '/tracking', kB: 214, maxRequests: 36, maxShift: 0.005, content: 'LX000000060CN' },
  { path: '/tracking/callbacks', kB: 214, maxRequests: 36, maxShift: 0.005, content: 'LX000000060CN' },
  { path: '/tracking/callbacks/1', kB: 216, maxRequests: 36, maxShift: 0.005, content: 'LX000000060CN' },
  { path: '/tracking/unmapped', kB: 209, maxRequests: 34, maxShift: 0.005, content: 'Handed to neighbour' },
  { path: '/statistics', kB: 216, maxRequests: 38, maxShift: 0.005, content: '20.50' },
  { path: '/statistics/listings', kB: 213, maxRequests: 36, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/statistics/listings/1089350185', kB: 216, maxRequests: 38, maxShift: 0.005, content: '20.50' },
  { path: '/statistics/missing', kB: 204, maxRequests: 34, maxShift: 0.005, content: 'Fox and Bricks' },
  { path: '/statistics/rewrites', kB: 213, maxRequests: 34, maxShift: 0.005, content: '1,000.00' },
  { path: '/statistics/import', kB: 208, maxRequests: 33, maxShift: 0.005, content: 'CSV' },
  { path: '/messages', kB: 203, maxRequests: 33, maxShift: 0.005, content: 'Fox and Bricks' },
  {
    path: '/messages/prompt?shop=Fox+and+Bricks',
    kB: 320,
    maxRequests: 43,
    maxShift: 0.005,
    content: 'Be brief.',
  },
  { path: '/messages/replies', kB: 212, maxRequests: 35, maxShift: 0.005, content: '4165001003' },
  {
    path: '/messages/replies/REPLY',
    kB: 198,
    maxRequests: 39,
    maxShift: 0.005,
    content: 'Where are my magnets?',
  },
  { path: '/keys', kB: 215, maxRequests: 35, maxShift: 0.005, content: 'first key' },
  { path: '/keys/1', kB: 215, maxRequests: 37, maxShift: 0.005, content: '/api/v1/tracks' },
  { path: '/catalog', kB: 212, maxRequests: 38, maxShift: 0.005, content: 'Catalog' },
  { path: '/catalog/categories', kB: 208, maxRequests: 34, maxShift: 0.005, content: 'head' },
  { path: '/catalog/import', kB: 205, maxRequests: 34, maxShift: 0.005, content: 'CSV' },
  { path: '/records', kB: 210, maxRequests: 35, maxShift: 0.005, content: 'first key' },
  { path: '/records/1', kB: 195, maxRequests: 34, maxShift: 0.005, content: 'first key' },
  { path: '/shops', kB: 212, maxRequests: 34, maxShift: 0.005, content: 'Owl Atelier' },
  { path: '/countries', kB: 210, maxRequests: 33, maxShift: 0.005, content: 'United States' },
  { path: '/clients', kB: 213, maxRequests: 34, maxShift: 0.005, content: 'OAuth clients' },
  { path: '/people', kB: 214, maxRequests: 35, maxShift: 0.005, content: 'ann@example.com' },
  { path: '/audit', kB: 215, maxRequests: 36, maxShift: 0.005, content: 'ann signed in' },
  { path: '/settings', kB: 207, maxRequests: 34, maxShift: 0.005, content: '50,000' },
  {
    path: '/settings/notifications',
    kB: 208,
    maxRequests: 33,
    maxShift: 0.005,
    content: 'Team notifications',
  },
  { path: '/account', kB: 278, maxRequests: 42, maxShift: 0.005, content: 'ann@example.com' },
  {
    path: '/account/notifications',
    kB: 207,
    maxRequests: 32,
    maxShift: 0.005,
    content: 'There are no channels yet',
  },
] as const;

/** The same for the pages that anybody may open, with their whole paths. */
export const PUBLIC_BUDGETS = [
  { path: '/admin/sign-in', kB: 173, maxRequests: 25, maxShift: 0.005, content: 'Password' },
  { path: '/', kB: 121, maxRequests: 15, maxShift: 0.005, content: 'First steps' },
  { path: '/docs/api', kB: 122, maxRequests: 17, maxShift: 0.005, content: 'Brickdesk API' },
  { path: '/docs/api/guides/first-call', kB: 122, maxRequests: 17, maxShift: 0.005, content: 'curl' },
  { path: '/docs/api/changelog', kB: 122, maxRequests: 17, maxShift: 0.005, content: '0.1.0' },
  { path: '/docs/api/reference', kB: 943, maxRequests: 35, maxShift: 0.005, content: 'needs JavaScript' },
] as const;
