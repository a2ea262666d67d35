'use client';

import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { BrandMark } from '../ui/brand/mark';

/** Shown for a URL without a page. */
export function NotFoundPage() {
  const t = useTranslations('common');
  return (
    <Center component="main" px="md" py={64}>
      <Stack gap="sm">
        <BrandMark size={40} />
        <Title order={1}>{t('deadEnd.noPage')}</Title>
        <Text>
          <Anchor href="/">{t('deadEnd.toStart')}</Anchor>
        </Text>
      </Stack>
    </Center>
  );
}

/** Shown inside the shell instead of a page that failed, so that the other pages stay reachable. */
export function ErrorPage({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations('common');
  return (
    <Stack gap="sm" maw={480} align="flex-start">
      <BrandMark size={40} />
      <Title order={1}>{t('deadEnd.broken')}</Title>
      <Text>{t('deadEnd.brokenHint')}</Text>
      <Anchor component="button" type="button" onClick={onRetry} className="tap-line">
        {t('retry')}
      </Anchor>
    </Stack>
  );
}

/** Shown instead of a page that the user's role may not open. */
export function ForbiddenPage() {
  const t = useTranslations('common');
  return (
    <Stack gap="sm" maw={480}>
      <BrandMark size={40} />
      <Title order={1}>{t('deadEnd.notAllowed')}</Title>
      <Text>{t('deadEnd.notAllowedHint')}</Text>
    </Stack>
  );
}
