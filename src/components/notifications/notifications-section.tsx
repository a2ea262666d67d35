'use client';

import { Button } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useBackOffice } from '../shell/back-office';
import { Section } from '../ui/page/detail-page';

/** A section of the account page with a link to the user's notifications. */
export function NotificationsSection() {
  const t = useTranslations('account');
  const { prefix } = useBackOffice();
  return (
    <Section
      title={t('notifications.title')}
      description={t('notifications.hint')}
      actions={
        <Button variant="default" component={Link} href={`${prefix}/account/notifications`}>
          {t('notifications.open')}
        </Button>
      }
    />
  );
}
