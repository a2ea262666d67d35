'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
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
 * every few seconds whether it is ready. Reloads the page's data once the service says so or another call gets a response other
 * than 503.
 */
export function ConnectionBanner() {
  const t = useTranslations('common');
  const queryClient = useQueryClient();
  const state = useConnection();
  const wasUnreachable = useRef(false);
  useEffect(() => {
    if (state !== 'unreachable') return;
    wasUnreachable.current = true;
    const probeService = async () => {
      const response = await fetch('/readyz', { cache: 'no-store' }).catch(() => null);
      if (response?.ok) recordReachability(true);
    };
    const timer = setInterval(() => void probeService(), RETRY_MS);
    return () => clearInterval(timer);
  }, [state]);
  useEffect(() => {
    if (state !== 'fine' || !wasUnreachable.current) return;
    wasUnreachable.current = false;
    void queryClient.invalidateQueries();
  }, [state, queryClient]);
  return (
    <div role="status">{state !== 'fine' && <p className={styles.banner}>{t(STATE_TEXTS[state])}</p>}</div>
  );
}
