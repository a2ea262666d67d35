/** The fields of changes and of the audit log that hold an instant. All other fields may hold a text that looks like one. */
const INSTANT_FIELDS: ReadonlySet<string> = new Set([
  'expires_at',
  'revoked_at',
  'sale_date',
  'snoozed_until',
]);

const INSTANT_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a field's value is an instant. A note or file name is shown as it was written, even if it begins with a time. */
export const isInstant = (field: string, value: string): boolean =>
  INSTANT_FIELDS.has(field) && INSTANT_PATTERN.test(value) && !Number.isNaN(Date.parse(value));
