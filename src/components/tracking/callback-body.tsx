'use client';

import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { CopyBlock } from '../shared/copy-block';
import { Facts } from '../shared/detail-page';

/** A body, formatted where it is JSON, or just as it came. */
export function CallbackBody({ encoding, body }: { encoding: 'text' | 'base64'; body: string }) {
  const t = useTranslations('tracking');
  const [shown, setShown] = useState('pretty');
  if (encoding === 'base64')
    return (
      <Stack gap="sm">
        <Text c="dimmed">{t('callback.base64')}</Text>
        <CopyBlock text={body} />
      </Stack>
    );
  return (
    <Stack gap="sm" align="stretch">
      <SegmentedControl
        size="xs"
        w="max-content"
        value={shown}
        onChange={setShown}
        data={[
          { value: 'pretty', label: t('callback.pretty') },
          { value: 'raw', label: t('callback.raw') },
        ]}
      />
      <CopyBlock
        text={shown === 'raw' ? body : JSON.stringify(JSON.parse(body.replace(/^\uFEFF/, '')), null, 2)}
      />
    </Stack>
  );
}

/** Any value as JSON. */
export function JsonText({ value }: { value: unknown }) {
  const t = useTranslations('tracking');
  if (value === null || value === undefined) return <Text c="dimmed">{t('callback.nothing')}</Text>;
  return <CopyBlock text={JSON.stringify(value, null, 2)} />;
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';

/** Names with their values, such as headers, in the order in which they came. */
export function Pairs({ pairs }: { pairs: unknown }) {
  const t = useTranslations('tracking');
  const read = Array.isArray(pairs) ? pairs.filter(isPair) : [];
  if (read.length === 0) return <Text c="dimmed">{t('callback.nothing')}</Text>;
  return (
    <Facts
      facts={read.map(([name, value]) => ({ label: name, value: <span className="mono">{value}</span> }))}
    />
  );
}
