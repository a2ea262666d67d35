'use client';

import { MantineThemeProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { onDemand } from '../api/on-demand';

const Notifications = onDemand(() => import('@mantine/notifications').then((module) => module.Notifications));

/** Shows notifications. Their component is loaded for the first one. */
export function LazyNotifications() {
  const t = useTranslations('common');
  const { notifications } = useNotifications();
  const [isNeeded, setIsNeeded] = useState(false);
  useEffect(() => {
    if (notifications.length > 0) setIsNeeded(true);
  }, [notifications.length]);
  if (!isNeeded) return null;
  const Notification = { defaultProps: { closeButtonProps: { 'aria-label': t('close') } } };
  return (
    <MantineThemeProvider theme={{ components: { Notification } }}>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}
