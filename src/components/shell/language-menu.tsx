'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconLanguage } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS, LOCALE_COOKIE, LOCALE_NAMES, LOCALES, type Locale } from '../../i18n/locale';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Changes the language of the pages in this browser, at once. */
export function useChangeLanguage(): (locale: Locale) => void {
  const router = useRouter();
  return (locale) => {
    const secure = window.location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari have no Cookie Store everywhere yet
    document.cookie = `${LOCALE_COOKIE}=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
    router.refresh();
  };
}

export function LanguageMenu() {
  const t = useTranslations('common');
  const current = useLocale();
  const change = useChangeLanguage();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size={32}
          aria-label={t('language')}
        >
          <IconLanguage size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LOCALES.map((locale) => (
          <Menu.Item
            key={locale}
            lang={LANGUAGE_TAGS[locale]}
            onClick={() => change(locale)}
            rightSection={locale === current ? <IconCheck size={16} aria-label={t('chosen')} /> : null}
          >
            {LOCALE_NAMES[locale]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
