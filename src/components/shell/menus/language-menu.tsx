'use client';

import { IconLanguage } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS, LOCALE_COOKIE, LOCALE_NAMES, LOCALES, type Locale } from '../../../i18n/locale';
import { storeCookie } from '../../ui/page/store-cookie';
import { HeaderMenu } from './header-menu';

/** Returns a function that changes the language of the pages in this browser. */
export function useChangeLanguage(): (locale: Locale) => void {
  const router = useRouter();
  return (locale) => {
    storeCookie(LOCALE_COOKIE, locale);
    router.refresh();
  };
}

export function LanguageMenu() {
  const t = useTranslations('common');
  const currentLocale = useLocale();
  const changeLanguage = useChangeLanguage();
  return (
    <HeaderMenu
      label={t('language')}
      icon={<IconLanguage size={18} stroke={1.75} />}
      choices={LOCALES.map((locale) => ({
        key: locale,
        label: LOCALE_NAMES[locale],
        lang: LANGUAGE_TAGS[locale],
        isChosen: locale === currentLocale,
        onChoose: () => changeLanguage(locale),
      }))}
    />
  );
}
