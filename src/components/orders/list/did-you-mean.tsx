'use client';

import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';

/** Suggests names that are similar to a search without results. Shows nothing if there are no similar names. */
export function DidYouMean({ text, onChoose }: { text: string; onChoose: (name: string) => void }) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.orders.suggest.queryOptions({ text }, SHOWS_OWN_ERROR));
  if (!data || data.names.length === 0) return null;
  return (
    <Group gap="sm" role="status">
      <Text>{t('didYouMean')}</Text>
      {data.names.map((name) => (
        <Button key={name} variant="light" onClick={() => onChoose(name)}>
          {name}
        </Button>
      ))}
    </Group>
  );
}
