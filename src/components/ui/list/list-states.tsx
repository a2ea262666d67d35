'use client';

import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { MouseEvent, ReactNode } from 'react';
import { useFailureText } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { BrandMark } from '../brand/mark';
import { ClearFilters } from './filter/clear-filters';
import type { ListUrl } from './list-url';

/** Shown instead of content that failed to load. */
export function LoadError({
  error,
  onRetry,
  onClose,
}: {
  error: unknown;
  onRetry: () => unknown;
  /** Closes a panel whose content does not exist. */
  onClose?: () => void;
}) {
  const t = useTranslations('common');
  const { prefix } = useBackOffice();
  const failure = failureOf(error);
  const { title, message } = useFailureText()(failure);
  const retry = ({ currentTarget }: MouseEvent) => {
    // The button disappears while the content is being loaded.
    currentTarget.closest<HTMLElement>('[role=dialog], aside, main')?.focus({ preventScroll: true });
    onRetry();
  };
  // Trying again does not help if the record does not exist or is in a state in which this cannot be done.
  const isFinal = failure.code === 'not_found' || failure.code === 'conflict';
  const onClick = isFinal ? onClose : retry;
  return (
    <Alert role="alert" color="red" variant="light" title={title} c="var(--mantine-color-text)">
      <Stack gap="sm" align="flex-start">
        <Text>{message}</Text>
        {failure.code === 'unauthorized' ? (
          // The content is loaded again when the user comes back to this tab.
          <Anchor href={`${prefix}/sign-in`} target="_blank" className="tap-area">
            {t('signedOut.signIn')}
          </Anchor>
        ) : (
          onClick && (
            <Button variant="default" onClick={onClick}>
              {t(isFinal ? 'close' : 'retry')}
            </Button>
          )
        )}
      </Stack>
    </Alert>
  );
}

/**
 * Shown instead of an empty list: what to do first, unless the user may not do it, or, if filters hide all rows, how to clear them.
 */
export function EmptyState({
  url,
  empty,
}: {
  url: Pick<ListUrl, 'hasFilters' | 'clearFilters'>;
  empty: { title: string; hint: string | false; action?: ReactNode; noMatch?: ReactNode };
}) {
  const t = useTranslations('common');
  const hasFilters = url.hasFilters;
  return (
    <Stack gap="sm" py="xl" align="center" ta="center">
      <BrandMark size={32} />
      <Title order={2}>{hasFilters ? t('list.noMatch') : empty.title}</Title>
      <Text c="dimmed" maw={480}>
        {hasFilters ? t('list.noMatchHint') : empty.hint}
      </Text>
      {hasFilters && empty.noMatch}
      <Group gap="sm">{hasFilters ? <ClearFilters url={url} variant="default" /> : empty.action}</Group>
    </Stack>
  );
}
