/** What users can be notified about, and through which vendors. Does not import zod, so that pages need not load it. */

/** The alerts about work queues. Each is named after its queue. */
export const QUEUE_ALERTS = ['late', 'exception', 'delivery_failed', 'not_scanned'] as const;

/** All alerts. Each reports what is new, at most once an hour. */
export const ALERTS = [...QUEUE_ALERTS, 'statistics_missing', 'import_failed', 'key_expiring'] as const;

/** All kinds of notifications that a user can choose. */
export const KINDS = ['summary', ...ALERTS] as const;

export type QueueAlert = (typeof QUEUE_ALERTS)[number];
export type Alert = (typeof ALERTS)[number];
export type Kind = (typeof KINDS)[number];

/** The vendors of group chats, which receive messages through webhooks. */
const WEBHOOK_VENDORS = ['wecom', 'dingtalk', 'slack'] as const;
export const VENDORS = ['email', ...WEBHOOK_VENDORS] as const;

export type WebhookVendor = (typeof WEBHOOK_VENDORS)[number];
export type Vendor = (typeof VENDORS)[number];

/** How many days before its expiry an API key needs attention. */
export const KEY_EXPIRY_WARNING_DAYS = 14;

/** The maximum number of entries that an alert lists. The rest are only counted. */
export const MAX_LISTED_ENTRIES = 10;
