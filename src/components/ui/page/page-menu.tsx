'use client';

import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi, IconDots } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { MenuButton } from '../floating/menu-button';
import type { ApiRequest } from './api-call-text';
import { LazyApiDrawer } from './lazy-api-drawer';

/** The menu of a page, for what is rarely needed: the page's API call. */
export function PageMenu({ api }: { api: ApiRequest }) {
  const t = useTranslations('common');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <MenuButton
        button={
          <ActionIcon variant="default" size={36} aria-label={t('moreActions')}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        }
        entries={[{ label: t('apiCall.open'), icon: <IconApi size={16} aria-hidden />, onClick: open }]}
      />
      <LazyApiDrawer request={api} opened={opened} onClose={close} />
    </>
  );
}
