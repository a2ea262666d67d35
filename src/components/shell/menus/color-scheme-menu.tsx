'use client';

import { useMantineColorScheme } from '@mantine/core';
import { IconBrightness } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import { HeaderMenu } from './header-menu';

const SCHEMES = ['auto', 'light', 'dark'] as const;
const SCHEME_NAMES = messageKeys('common', {
  auto: 'colorScheme.auto',
  light: 'colorScheme.light',
  dark: 'colorScheme.dark',
});

/** The choice of light, dark or the system's colours. */
export function ColorSchemeMenu() {
  const t = useTranslations('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <HeaderMenu
      label={t('colorScheme.label')}
      icon={<IconBrightness size={18} stroke={1.75} />}
      choices={SCHEMES.map((scheme) => ({
        label: t(SCHEME_NAMES[scheme]),
        isChosen: scheme === colorScheme,
        onClick: () => setColorScheme(scheme),
      }))}
    />
  );
}
