'use client';

import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { asCurl } from '../ui/page/api-call-text';
import { CopyBlock } from '../ui/value/copy-block';
import type { NewKey } from './key-form';

/** A command for trying the key, if its scopes allow listing product codes or categories, and a link to the API documentation. */
export function FirstCall({ apiKey: { key, scopes } }: { apiKey: NewKey }) {
  const t = useTranslations('keys');
  const listScope = scopes.find((scope) => scope.startsWith('get_api_legos_')) ?? 'get_api_legos_head';
  const path = `/api/legos-${listScope.slice('get_api_legos_'.length)}`;
  const canCall = scopes.length === 0 || scopes.includes(listScope);
  return (
    <Stack gap="sm">
      {canCall && (
        <>
          <Text fw={600}>{t('tryIt')}</Text>
          <CopyBlock text={asCurl(window.location.origin, { method: 'GET', path }, key)} />
        </>
      )}
      <Text size="sm">
        {t.rich('docs', {
          link: (text) => (
            <Anchor href="/docs/api" target="_blank" inherit>
              {text}
            </Anchor>
          ),
        })}
      </Text>
    </Stack>
  );
}
