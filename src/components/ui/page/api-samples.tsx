'use client';

import { Stack, Tabs, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { CopyBlock } from '../value/copy-block';
import { type ApiRequest, asCurl, asTypeScript } from './api-call-text';

/** The code samples for an API call. */
export function ApiSamples({ request }: { request: ApiRequest }) {
  const t = useTranslations('common');
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('apiCall.hint')}
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List mb="sm">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <CopyBlock text={asCurl(window.location.origin, request)} />
        </Tabs.Panel>
        <Tabs.Panel value="typescript">
          <CopyBlock text={asTypeScript(window.location.origin, request)} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
