import { useLocale, useTranslations } from 'next-intl';
import { useCallback, useMemo } from 'react';
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

/** Returns a function that sorts countries by their names in the reader's language. */
export function useCountrySort(): <C extends { code: string; name: string }>(countries: readonly C[]) => C[] {
  const tag = LANGUAGE_TAGS[useLocale()];
  const countryName = useCountryName();
  return useCallback(
    (countries) => {
      const { compare } = new Intl.Collator(tag);
      return [...countries].sort((a, b) => compare(countryName(a.code, a.name), countryName(b.code, b.name)));
    },
    [tag, countryName],
  );
}
