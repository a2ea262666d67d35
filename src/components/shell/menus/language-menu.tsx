'use client';

import { IconLanguage } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { LANGUAGE_TAGS, LOCALE_COOKIE, LOCALE_NAMES, LOCALES, type Locale } from '../../../i18n/locale';
import { storeCookie } from '../../ui/page/store-cookie';
import { HeaderMenu } from './header-menu';

const openChannel = (email: string) => new BroadcastChannel(`brickdesk.refresh.${email}`);

/**
 * Renders the pages of a user again in all of this browser's tabs, after a change to the language, the time zone or the user's name.
 * Unlike a reload, this keeps what was typed. A tab of an earlier user must not be rendered for another, who would save that input.
 *
 * @param email the user's e-mail address; empty if nobody is signed in
 */
export function refreshTabs(email: string): void {
  const channel = openChannel(email);
  channel.postMessage(null);
  channel.close();
}

/** Changes the language of the pages in this browser, at once in those of the named user. */
export function changeLanguage(locale: Locale, email: string): void {
  storeCookie(LOCALE_COOKIE, locale);
  refreshTabs(email);
}

/** Also renders the page again when `refreshTabs` is called in one of the browser's tabs. */
export function LanguageMenu({ email }: { email: string }) {
  const t = useTranslations('common');
  const currentLocale = useLocale();
  const router = useRouter();
  useEffect(() => {
    const channel = openChannel(email);
    channel.onmessage = () => router.refresh();
    return () => channel.close();
  }, [router, email]);
  return (
    <HeaderMenu
      label={t('language')}
      icon={<IconLanguage size={18} stroke={1.75} />}
      choices={LOCALES.map((locale) => ({
        label: LOCALE_NAMES[locale],
        lang: LANGUAGE_TAGS[locale],
        isChosen: locale === currentLocale,
        onClick: () => changeLanguage(locale, email),
      }))}
    />
  );
}
