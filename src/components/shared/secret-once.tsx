'use client';

import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import styles from './values.module.css';

/** A secret that is shown this once: a key, a token, recovery codes (one a line). */
export function SecretOnce({ secret, onDone }: { secret: string; onDone: () => void }) {
  const t = useTranslations('common');
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" c="var(--mantine-color-text)">
        {t('secret.once')}
      </Alert>
      <Code className={`mono ${styles.code}`}>{secret}</Code>
      <Group gap="sm">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? t('copy.done') : t('copy.do')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>{t('secret.kept')}</Button>
      </Group>
    </Stack>
  );
}
