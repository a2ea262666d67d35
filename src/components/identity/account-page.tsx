'use client';

import { Title } from '@mantine/core';
import { useTranslations } from 'next-intl';

export function AccountPage() {
  const t = useTranslations('account');
  return <Title order={1}>{t('title')}</Title>;
}
