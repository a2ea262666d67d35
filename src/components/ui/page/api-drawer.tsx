'use client';

import { Drawer } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ApiRequest } from './api-call-text';
import { ApiSamples } from './api-samples';

/** A drawer with the request that does what the page does, for programs. Never includes a key. */
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
