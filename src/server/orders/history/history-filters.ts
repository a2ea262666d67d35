/** Filter values of the import history. Separate from its schema, so that pages can parse filters without loading zod. */

export const IMPORT_SOURCES = ['api', 'command', 'spreadsheet'] as const;
/** The outcomes of an import that is no longer running. */
export const IMPORT_OUTCOMES = ['succeeded', 'rejected', 'failed', 'undone'] as const;
export const MAX_TEXT_LENGTH = 200;
