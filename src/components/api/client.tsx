'use client';

import { notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '../../server/trpc/router';
import { useFailureText } from './failure-text';
import { failureOf } from './service-error';

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

export { useTRPC };

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

interface CallMeta extends Record<string, unknown> {
  /** The component shows the error itself, beside the field or in place of the list. */
  ownError?: boolean;
}

/** The server's own limit of a batch. */
const MAX_BATCH = 20;
/** Well below the limit of Node for a request's head. */
const MAX_URL_LENGTH = 6_000;

/** Leaves for the sign-in page, from which one comes back to the page as it is now. */
function goToSignIn(prefix: string): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`${prefix}/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

/** The way to the procedures: one client, one cache, and one answer to what goes wrong. */
export function ApiProvider({ prefix, children }: { prefix: string; children: ReactNode }) {
  const failureText = useFailureText();
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: '/api/trpc', maxItems: MAX_BATCH, maxURLLength: MAX_URL_LENGTH })],
    }),
  );
  const [queries] = useState(() => {
    const onError = (error: unknown, meta: CallMeta | undefined) => {
      const failure = failureOf(error);
      if (failure.code === 'unauthorized') return goToSignIn(prefix);
      if (meta?.ownError) return;
      notifications.show({ color: 'red', ...failureText(failure) });
    };
    return new QueryClient({
      queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
      mutationCache: new MutationCache({
        onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
      }),
      defaultOptions: {
        queries: {
          staleTime: 10_000,
          // What was refused is refused again; only what failed by chance is worth a second try.
          retry: (count, error) =>
            count < 2 && ['offline', 'service_unavailable'].includes(failureOf(error).code),
        },
      },
    });
  });
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
