/** The names of the templates that every team has. Separate from the layouts, so that pages load only the names. */
export const BUILT_IN_TEMPLATES = ['items', 'forwarder', 'picking', 'accounting'] as const;

export type BuiltInTemplate = (typeof BUILT_IN_TEMPLATES)[number];
