'use client';

import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** Where there is no page. It does not say where the back office is: who asks may be anybody. */
export function NoSuchPage() {
  const t = useTranslations('common');
  return (
    <Center component="main" px="md" py={64}>
      <Stack gap="sm">
        <Title order={1}>{t('deadEnd.noPage')}</Title>
        <Text>
          <Anchor href="/">{t('deadEnd.toStart')}</Anchor>
        </Text>
      </Stack>
    </Center>
  );
}

/** In place of a page that could not be shown, inside the shell: the other pages are still there. */
export function BrokenPage({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations('common');
  return (
    <Stack gap="sm" maw={480} align="flex-start">
      <Title order={1}>{t('deadEnd.broken')}</Title>
      <Text>{t('deadEnd.brokenHint')}</Text>
      <Anchor component="button" type="button" onClick={onRetry}>
        {t('retry')}
      </Anchor>
    </Stack>
  );
}

/** A page that one's role does not open. */
export function NotAllowed() {
  const t = useTranslations('common');
  return (
    <Stack gap="sm" maw={480}>
      <Title order={1}>{t('deadEnd.notAllowed')}</Title>
      <Text>{t('deadEnd.notAllowedHint')}</Text>
    </Stack>
  );
}
