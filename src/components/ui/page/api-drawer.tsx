'use client';

import { useTranslations } from 'next-intl';
import { OpenedDrawer } from '../dialog/opened-drawer';
import type { ApiRequest } from './api-call-text';
import { ApiSamples } from './api-samples';

/** A drawer with code samples for the API call of a page or a part of it. They have a placeholder instead of a key. */
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
    <OpenedDrawer opened={opened} onClose={onClose} title={t('apiCall.open')}>
      <ApiSamples request={request} />
    </OpenedDrawer>
  );
}
