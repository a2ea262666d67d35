import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { messageKeys } from '../../../i18n/message-keys';

/** A code that stands for a country of today; of AN, say, browsers would give the name of the one that has followed it. */
const isCurrent = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** The countries of orders that are none any more. */
const FORMER = messageKeys('common', { AN: 'formerCountries.AN', CS: 'formerCountries.CS' });

/** Says a country's name in the reader's language; as it is stored where there is none. */
export function useCountryName(): (code: string, stored: string) => string {
  const t = useTranslations('common');
  const names = new Intl.DisplayNames(LANGUAGE_TAGS[useLocale()], { type: 'region' });
  return (code, stored) => {
    if (code in FORMER) return t(FORMER[code as keyof typeof FORMER]);
    return isCurrent(code) ? (names.of(code) ?? stored) : stored;
  };
}
