'use client';

import { Alert, Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useFailureText } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { Sentences } from '../../ui/value/sentences';

/** Explains why no text was written. If no prompt is published, links to the prompt; otherwise says that the input is kept. */
export function WriteFailure({ error, shop }: { error: unknown; shop: string }) {
  const t = useTranslations('reply');
  const { prefix } = useBackOffice();
  const failure = failureOf(error);
  const { title, message } = useFailureText()(failure);
  const hasNoPrompt = failure.problems.some(({ reason }) => reason === 'prompt.unpublished');
  return (
    <Alert role="alert" color="red" variant="light" title={title} c="var(--mantine-color-text)">
      {hasNoPrompt ? (
        <Sentences>
          {t('noPrompt', { shop })}
          <Anchor
            component={Link}
            href={`${prefix}/messages/prompt?${new URLSearchParams({ shop })}`}
            inherit
          >
            {t('openPrompt')}
          </Anchor>
        </Sentences>
      ) : (
        <Sentences>
          {message}
          {t('keep')}
        </Sentences>
      )}
    </Alert>
  );
}
