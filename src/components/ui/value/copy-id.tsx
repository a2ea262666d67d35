'use client';

import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import styles from './values.module.css';

/** An id, a number or the beginning of a key: one click copies it. */
export function CopyId({ value, shown = value }: { value: string; shown?: string }) {
  const t = useTranslations('common');
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copy.done') : t('copy.do')}>
          <UnstyledButton
            className={`mono ${styles.copy}`}
            onClick={copy}
            aria-label={t('copy.value', { value: shown })}
          >
            {shown}
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}
