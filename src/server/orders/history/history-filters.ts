/** Filter values of the import history. Separate from its schema, so that pages can parse filters without loading zod. */

export const IMPORT_SOURCES = ['api', 'command', 'spreadsheet'] as const;
/** How an import ended. */
export const IMPORT_OUTCOMES = ['succeeded', 'rejected', 'failed', 'undone'] as const;
export const MAX_TEXT_LENGTH = 200;
