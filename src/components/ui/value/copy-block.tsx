'use client';

import { Button, Code, CopyButton, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import styles from './values.module.css';

/** A block of text, such as a command or a secret, with a button that copies it. */
export function CopyBlock({ text, children }: { text: string; children?: ReactNode }) {
  const t = useTranslations('common');
  return (
    <Stack gap="sm" align="flex-start">
      <Code className={`mono ${styles.code}`} w="100%">
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          >
            {copied ? t('copy.done') : t('copy.do')}
          </Button>
        )}
      </CopyButton>
      {children}
    </Stack>
  );
}
