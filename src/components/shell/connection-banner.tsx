'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useOffline } from 'next/offline';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import { checkConnection, recordReachability, useConnection } from '../api/connection';
import styles from './connection-banner.module.css';

const STATE_TEXTS = messageKeys('common', {
  offline: 'connection.offline',
  unreachable: 'connection.unreachable',
  outdated: 'connection.outdated',
});

const RETRY_MS = 3_000;

/**
 * Says that the browser is offline, that the service or its database cannot be reached, or that the service no longer has code that
 * this page needs. In the second case, asks the service every few seconds whether it is ready. Reloads the page's data once the
 * service says so or another call gets a response other than 503.
 */
export function ConnectionBanner() {
  const t = useTranslations('common');
  const queryClient = useQueryClient();
  const state = useConnection();
  const wasUnreachable = useRef(false);
  // Next waits with a navigation that could not reach the service.
  const isNavigationHeld = useOffline();
  useEffect(() => {
    if (isNavigationHeld) recordReachability(false);
  }, [isNavigationHeld]);
  useEffect(() => {
    if (state !== 'unreachable') return;
    wasUnreachable.current = true;
    const timer = setInterval(() => void checkConnection(), RETRY_MS);
    return () => clearInterval(timer);
  }, [state]);
  useEffect(() => {
    if (state !== 'fine' || !wasUnreachable.current) return;
    wasUnreachable.current = false;
    void queryClient.invalidateQueries();
  }, [state, queryClient]);
  return (
    <div role="status">
      {state !== 'fine' && (
        <div className={styles.banner}>
          {t(STATE_TEXTS[state])}
          {state === 'outdated' && (
            <button type="button" onClick={() => window.location.reload()}>
              {t('connection.reload')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
