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
 * Says that the browser is offline or that the service does not respond. Once it responds again, the banner disappears and the
 * page's data is reloaded.
 */
export function ConnectionBanner() {
  const t = useTranslations('common');
  const queryClient = useQueryClient();
  const state = useConnection();
  useEffect(() => {
    if (state !== 'unreachable') return;
    const probe = async () => {
      const response = await fetch('/readyz', { cache: 'no-store' }).catch(() => null);
      if (!response?.ok) return;
      recordReachability(true);
      await queryClient.invalidateQueries();
    };
    const timer = setInterval(() => void probe(), RETRY_MS);
    return () => clearInterval(timer);
  }, [state, queryClient]);
  return (
    <div role="status">{state !== 'fine' && <p className={styles.banner}>{t(STATE_TEXTS[state])}</p>}</div>
  );
}
