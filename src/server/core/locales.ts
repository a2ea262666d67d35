/** The languages of the pages, of messages to people and of the files that they download. */
export const LOCALES = ['en', 'zh'] as const;

export type Locale = (typeof LOCALES)[number];
