import { useLocale } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';

/** A code that stands for a country of today; of AN, say, browsers would give the name of the one that has followed it. */
const isCurrent = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** Says a country's name in the reader's language; as it is stored where there is none. */
export function useCountryName(): (code: string, stored: string) => string {
  const names = new Intl.DisplayNames(LANGUAGE_TAGS[useLocale()], { type: 'region' });
  return (code, stored) => (isCurrent(code) ? (names.of(code) ?? stored) : stored);
}
