import type { LOCALES as SERVER_LOCALES } from '../server/core/locales';

/** The languages of the back office, as the service knows them. */
export const LOCALES = ['en', 'zh'] as const satisfies typeof SERVER_LOCALES;

export type Locale = (typeof LOCALES)[number];

/** The languages' names for themselves. */
export const LOCALE_NAMES: Record<Locale, string> = { en: 'English', zh: '简体中文' };

/** The tags for `<html lang>` and Intl. */
export const LANGUAGE_TAGS: Record<Locale, string> = { en: 'en-US', zh: 'zh-CN' };

export const LOCALE_COOKIE = 'brickdesk.locale';

function asLocale(text: string | undefined): Locale | undefined {
  return LOCALES.find((locale) => locale === text);
}

/** Chooses the language: the one chosen here, otherwise the first of ours that the browser accepts, otherwise English. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean);
      return { locale: asLocale(tag.split('-')[0]), weight: Number(weight ?? 1) };
    })
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return asLocale(cookie) ?? wanted[0]?.locale ?? 'en';
}
