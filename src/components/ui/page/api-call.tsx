'use client';

import { Button, Drawer, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { CopyBlock } from '../value/copy-block';
import { type ApiRequest, asCurl, asTypeScript } from './api-call-text';

/** "As an API call": what the page has just asked or is about to send, for programs. The key is never in it. */
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

/** The call itself, where a page has a place for it. */
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
