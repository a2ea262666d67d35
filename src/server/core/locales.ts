/** The languages of the pages, of messages to people and of downloaded files. */
export const LOCALES = ['en', 'zh'] as const;

export type Locale = (typeof LOCALES)[number];

/** The tags for `<html lang>` and Intl. */
export const LANGUAGE_TAGS: Record<Locale, string> = { en: 'en-US', zh: 'zh-CN' };

function asLocale(text: string | null | undefined): Locale | undefined {
  return LOCALES.find((locale) => locale === text);
}

/** Returns the stored language, or English if this version does not support it. */
export const parseStoredLocale = (text: string): Locale => asLocale(text) ?? 'en';

/** Returns the language that the user chose, otherwise the supported one that the browser prefers, otherwise English. */
export function chooseLocale(
  choice: string | null | undefined,
  acceptLanguage: string | null | undefined,
): Locale {
  const preferences = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weightText = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean);
      return { locale: asLocale(tag.split('-')[0]), weight: Number(weightText ?? 1) };
    })
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return asLocale(choice) ?? preferences[0]?.locale ?? 'en';
}
