'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import { recordReachability, useConnection } from '../api/connection';
import styles from './connection-banner.module.css';

const STATE_TEXTS = messageKeys('common', {
  offline: 'connection.offline',
  unreachable: 'connection.unreachable',
});

const RETRY_MS = 3_000;

/**
 * Says that the browser is offline, or that the service or its database cannot be reached. In the second case, asks the service
 * every few seconds, and reloads the page's data when the service says that it is ready.
 */
export function ConnectionBanner() {
  const t = useTranslations('common');
  const queryClient = useQueryClient();
  const state = useConnection();
  useEffect(() => {
    if (state !== 'unreachable') return;
    const probeService = async () => {
      const response = await fetch('/readyz', { cache: 'no-store' }).catch(() => null);
      if (!response?.ok) return;
      recordReachability(true);
      await queryClient.invalidateQueries();
    };
    const timer = setInterval(() => void probeService(), RETRY_MS);
    return () => clearInterval(timer);
  }, [state, queryClient]);
  return (
    <div role="status">{state !== 'fine' && <p className={styles.banner}>{t(STATE_TEXTS[state])}</p>}</div>
  );
}
