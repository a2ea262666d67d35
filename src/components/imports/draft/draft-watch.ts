'use client';

import { useQuery } from '@tanstack/react-query';
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { useEffect, useState } from 'react';
import type { AppRouter } from '../../../server/api/router';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';

type WatchedDraft = RouterOutputs['imports']['drafts'][number];

/** The interval at which the draft is polled while the stream is broken. */
const POLL_INTERVAL_MS = 2_000;

/** Follows a draft over a stream while its import runs; polls if the stream breaks. */
export function useWatchedDraft(id: string): WatchedDraft | undefined {
  const trpc = useTRPC();
  const [latestDraft, setLatestDraft] = useState<WatchedDraft>();
  const [isStreamBroken, setIsStreamBroken] = useState(false);
  useEffect(() => {
    // A separate client, so that no other page has to load the stream reader.
    const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/api/trpc' })] });
    const subscription = client.imports.progress.subscribe(
      { id },
      {
        onData: (draft) => {
          setIsStreamBroken(false);
          setLatestDraft(draft);
        },
        onError: () => setIsStreamBroken(true),
        onConnectionStateChange: ({ error }) => error && setIsStreamBroken(true),
      },
    );
    return () => subscription.unsubscribe();
  }, [id]);
  const { data: polledDraft } = useQuery(
    trpc.imports.draft.queryOptions(
      { id },
      {
        enabled: isStreamBroken,
        refetchInterval: isStreamBroken ? POLL_INTERVAL_MS : false,
        ...SHOWS_OWN_ERROR,
      },
    ),
  );
  return isStreamBroken ? (polledDraft ?? latestDraft) : latestDraft;
}
