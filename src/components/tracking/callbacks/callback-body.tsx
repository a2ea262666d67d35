'use client';

import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { decodeBody } from '../../records/record-body';
import { CopyBlock } from '../../ui/value/copy-block';
import { formatExactJson, parseExactJson } from '../../ui/value/exact-json';

/** The body of a callback. JSON is shown formatted or as received, other text as received, and anything else in base64. */
export function CallbackBody({ body: storedBody }: { body: Parameters<typeof decodeBody>[0] }) {
  const t = useTranslations('tracking');
  const [view, setView] = useState('pretty');
  if (storedBody.body_encoding === 'base64') {
    const { text, isText } = decodeBody(storedBody);
    return (
      <Stack gap="sm">
        {!isText && <Text c="dimmed">{t('callback.base64')}</Text>}
        <CopyBlock text={text} />
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        w="max-content"
        aria-label={t('callback.body')}
        value={view}
        onChange={setView}
        data={[
          { value: 'pretty', label: t('callback.pretty') },
          { value: 'raw', label: t('callback.raw') },
        ]}
      />
      <CopyBlock
        text={view === 'raw' ? storedBody.body : formatExactJson(parseExactJson(storedBody.body), 2)}
      />
    </Stack>
  );
}

/** A value as JSON, or a note that there is none. */
export function JsonText({ value }: { value: unknown }) {
  const t = useTranslations('tracking');
  if (value === null || value === undefined) return <Text c="dimmed">{t('callback.nothing')}</Text>;
  return <CopyBlock text={JSON.stringify(value, null, 2)} />;
}
