'use client';

import { List, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useDesk } from '../shell/desk';

/** The first page after signing in. */
export function OverviewPage() {
  const t = useTranslations('overview');
  const { person } = useDesk();
  return (
    <Stack gap="md" maw={640}>
      <Title order={1}>{t('title')}</Title>
      <Text>{t('welcome', { name: person.name })}</Text>
      <Title order={2}>{t('firstSteps')}</Title>
      <List type="ordered" spacing="sm">
        <List.Item>{t('steps.shop')}</List.Item>
        <List.Item>{t('steps.key')}</List.Item>
        <List.Item>{t('steps.import')}</List.Item>
      </List>
    </Stack>
  );
}
