import { useLocale, useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { createCountryNamer } from '../../../i18n/country-names';
import { LANGUAGE_TAGS } from '../../../i18n/locale';

/** Returns a function that names a country in the reader's language, or as stored if the language has no name for it. */
export function useCountryName(): (code: string, storedName: string) => string {
  const t = useTranslations('common');
  const tag = LANGUAGE_TAGS[useLocale()];
  return useMemo(
    () => createCountryNamer(tag, { AN: t('formerCountries.AN'), CS: t('formerCountries.CS') }),
    [tag, t],
  );
}
