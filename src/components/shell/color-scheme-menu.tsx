'use client';

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconBrightness, IconCheck } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

const SCHEMES = ['auto', 'light', 'dark'] as const;
const SCHEME_NAMES = messageKeys('common', {
  auto: 'colorScheme.auto',
  light: 'colorScheme.light',
  dark: 'colorScheme.dark',
});

/** Light, dark, or as the system is. */
export function ColorSchemeMenu() {
  const t = useTranslations('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server does not know what this browser has chosen.
  const mounted = useMounted();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size={32}
          aria-label={t('colorScheme.label')}
        >
          <IconBrightness size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={
              mounted && scheme === colorScheme ? <IconCheck size={16} aria-label={t('chosen')} /> : null
            }
          >
            {t(SCHEME_NAMES[scheme])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
