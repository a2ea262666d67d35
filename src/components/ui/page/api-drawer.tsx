'use client';

import { Drawer } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ApiRequest } from './api-call-text';
import { ApiSamples } from './api-samples';

/** The request that a page has made or is about to make, for programs. Never includes the key. */
export function ApiDrawer({
  request,
  opened,
  onClose,
}: {
  request: ApiRequest;
  opened: boolean;
  onClose: () => void;
}) {
  const t = useTranslations('common');
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('apiCall.open')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <ApiSamples request={request} />
    </Drawer>
  );
}
