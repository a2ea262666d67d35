/** What the history of imports is filtered by; apart from its schema, because pages read filters without zod. */

export const IMPORT_SOURCES = ['api', 'command', 'spreadsheet'] as const;
/** How an import ended. */
export const IMPORT_OUTCOMES = ['succeeded', 'rejected', 'failed', 'undone'] as const;
export const MAX_TEXT_LENGTH = 200;
