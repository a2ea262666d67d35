'use client';

import { Button, Code, CopyButton, Drawer, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type ApiRequest, asCurl, asTypeScript } from './api-call-text';
import styles from './values.module.css';

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
        {opened && (
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
                <Sample text={asCurl(window.location.origin, request)} />
              </Tabs.Panel>
              <Tabs.Panel value="typescript">
                <Sample text={asTypeScript(window.location.origin, request)} />
              </Tabs.Panel>
            </Tabs>
          </Stack>
        )}
      </Drawer>
    </>
  );
}

function Sample({ text }: { text: string }) {
  const t = useTranslations('common');
  return (
    <Stack gap="sm" align="flex-start">
      <Code className={`mono ${styles.code}`} w="100%">
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t('copy.done') : t('copy.do')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
