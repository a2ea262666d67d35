'use client';

import { Button, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import type { ApiRequest } from './api-call-text';

// Loaded when opened, which few visits do.
const ApiSamples = dynamic(() => import('./api-samples').then((module) => module.ApiSamples));

/** "As an API call": the request that the page has made or is about to make, for programs. Never includes the key. */
export function ApiCall({ request }: { request: ApiRequest }) {
  const t = useTranslations('common');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" leftSection={<IconApi size={16} aria-hidden />} onClick={open}>
        {t('apiCall.open')}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        title={t('apiCall.open')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {opened && <ApiSamples request={request} />}
      </Drawer>
    </>
  );
}
