/** The guides, in the order in which an integrator needs them. */
export const GUIDES = [
  {
    slug: 'first-call',
    title: 'First call in a minute',
    summary: 'Get a key, create a shop, import one order.',
  },
  {
    slug: 'importing-orders',
    title: 'Importing orders',
    summary: 'Both row formats, every column, and what happens when rows are sent again.',
  },
  {
    slug: 'tracking-callbacks',
    title: 'Tracking callbacks',
    summary: "17TRACK's webhook, the plain form, signatures, relays.",
  },
  {
    slug: 'statistics',
    title: 'Statistics',
    summary: 'Daily figures of shops and listings, inserted or updated.',
  },
  {
    slug: 'errors',
    title: 'Errors, limits and retries',
    summary: 'The envelope, every code, rate limits, Idempotency-Key, request ids.',
  },
  {
    slug: 'keys',
    title: 'Keys and tokens',
    summary: 'How keys are created, sent, replaced and revoked.',
  },
] as const;

export type GuideSlug = (typeof GUIDES)[number]['slug'];
