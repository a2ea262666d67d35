import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { messageKeys } from '../../../i18n/message-keys';

/** Returns whether a code stands for a present country; for AN, say, browsers would return the name of its successor. */
const isCurrent = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** Former countries in orders. */
const FORMER = messageKeys('common', { AN: 'formerCountries.AN', CS: 'formerCountries.CS' });

/** Returns a country's name in the reader's language; as stored if there is none. */
export function useCountryName(): (code: string, stored: string) => string {
  const t = useTranslations('common');
  const names = new Intl.DisplayNames(LANGUAGE_TAGS[useLocale()], { type: 'region' });
  return (code, stored) => {
    if (code in FORMER) return t(FORMER[code as keyof typeof FORMER]);
    return isCurrent(code) ? (names.of(code) ?? stored) : stored;
  };
}
