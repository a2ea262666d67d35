'use client';

import { useQuery } from '@tanstack/react-query';
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { useEffect, useState } from 'react';
import type { AppRouter } from '../../server/api/router';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';

type Watched = RouterOutputs['imports']['drafts'][number];

/** How often the draft is asked for while no stream tells of it. */
const ASK_MS = 2_000;

/** A draft whose import runs, as a stream tells of it; asked for again and again where the stream breaks. */
export function useWatchedDraft(id: string): Watched | undefined {
  const trpc = useTRPC();
  const [told, setTold] = useState<Watched>();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    // A client of its own: no other page needs to load what reads a stream.
    const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/api/trpc' })] });
    const watching = client.imports.progress.subscribe(
      { id },
      {
        onData: (draft) => {
          setBroken(false);
          setTold(draft);
        },
        onError: () => setBroken(true),
        onConnectionStateChange: ({ error }) => error && setBroken(true),
      },
    );
    return () => watching.unsubscribe();
  }, [id]);
  const { data: asked } = useQuery(
    trpc.imports.draft.queryOptions(
      { id },
      { enabled: broken, refetchInterval: broken ? ASK_MS : false, meta: { ownError: true } },
    ),
  );
  return broken ? (asked ?? told) : told;
}
