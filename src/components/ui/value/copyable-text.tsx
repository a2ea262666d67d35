'use client';

import { CopyButton, UnstyledButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useTooltip, useTooltipProps } from '../floating/tooltip';
import { mayBreakIdentifier } from './identifier';
import styles from './values.module.css';

/**
 * A short text, such as an id or a number, that is copied on click. It stays on one line, unless `mayBreak` is set and it is so
 * long that it would widen the table.
 */
export function CopyableText({
  value,
  text = value,
  mayBreak = false,
}: {
  value: string;
  text?: string;
  mayBreak?: boolean;
}) {
  const t = useTranslations('common');
  const tooltipProps = useTooltipProps();
  const { show } = useTooltip();
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <UnstyledButton
          className={`mono tap-line ${styles.copy}`}
          data-breaks={(mayBreak && mayBreakIdentifier(text)) || undefined}
          onClick={({ currentTarget }) => {
            copy();
            show(currentTarget, t('copy.done'));
          }}
          aria-label={t('copy.value', { value: text })}
          {...tooltipProps(() => (copied ? t('copy.done') : t('copy.do')))}
        >
          {text}
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
