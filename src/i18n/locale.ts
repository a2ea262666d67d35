import type { Locale } from '../server/core/locales';

export { chooseLocale, LANGUAGE_TAGS, LOCALES, type Locale } from '../server/core/locales';

/** The name of each language in that language. */
export const LOCALE_NAMES: Record<Locale, string> = { en: 'English', zh: '简体中文' };

export const LOCALE_COOKIE = 'brickdesk.locale';
