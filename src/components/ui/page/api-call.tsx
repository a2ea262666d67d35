'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ApiRequest } from './api-call-text';
import { LazyApiDrawer } from './lazy-api-drawer';

/** A button that shows the API call for a part of a page; the API call for the whole page is in the page's menu. */
export function ApiCall({ request }: { request: ApiRequest }) {
  const t = useTranslations('common');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" leftSection={<IconApi size={16} aria-hidden />} onClick={open}>
        {t('apiCall.open')}
      </Button>
      <LazyApiDrawer request={request} opened={opened} onClose={close} />
    </>
  );
}
