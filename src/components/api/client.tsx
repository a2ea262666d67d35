'use client';

import { notifications } from '@mantine/notifications';
import { MutationCache, notifyManager, QueryCache, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { useTranslations } from 'next-intl';
import { type ReactNode, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { AppRouter } from '../../server/api/router';
import { PAGE_USER_HEADER } from '../../server/core/http/page-user-header';
import { ConfirmationContext } from './confirm-context';
import { Confirmation, confirmLink } from './confirm-link';
import { recordReachability, watchedFetch } from './connection';
import { useFailureText } from './failure-text';
import { FreshQueryClient } from './fresh-query-client';
import { createLoader, onDemand } from './on-demand';
import { failureOf } from './service-error';
import { TRPCProvider, useTRPC, useTRPCClient } from './trpc-context';

/** Loaded on first use, because it is rarely needed. */
const ConfirmationDialog = onDemand(() =>
  import('./confirmation-dialog').then((module) => module.ConfirmationDialog),
);

/** Loaded on first use, because it is rarely needed. */
const loadSessionNotice = createLoader(() => import('./session-notice'));

export { useTRPC, useTRPCClient };

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

interface CallMeta extends Record<string, unknown> {
  /** Whether the component shows the error itself, beside the field or instead of the list. */
  showsOwnError?: boolean;
  /** Whether the component itself shows that somebody else has changed the record in the meantime. */
  showsOwnConflict?: boolean;
}

// React Query notifies components in a timer by default. It can fire after the second click of a double click, which would start
// the mutation again. In a microtask, the button of a running mutation is disabled before the next click.
notifyManager.setScheduler(queueMicrotask);

/** The server's limit on the number of calls in a batch. */
const MAX_BATCH_SIZE = 20;
/** Well below Node's limit on the size of a request's headers. */
const MAX_URL_LENGTH = 6_000;

/** Lets its children call the procedures, through one client with a shared cache and error handling. */
export function ApiProvider({
  prefix,
  userId,
  children,
}: {
  prefix: string;
  /** The user for whom the page was rendered: the service refuses its calls once somebody else is signed in. */
  userId: number;
  children: ReactNode;
}) {
  const failureText = useFailureText();
  const t = useTranslations('common');
  const signIn = t('signedOut.signIn');
  // The clients are created once, but the page may be rendered again, in another language or for another user.
  const latest = useRef({ failureText, signIn, userId });
  useLayoutEffect(() => {
    latest.current = { failureText, signIn, userId };
  });
  const [confirmation] = useState(() => new Confirmation());
  const wasAsked = useSyncExternalStore(confirmation.subscribe, confirmation.wasAsked, () => false);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        confirmLink(confirmation.ask),
        httpBatchLink({
          url: '/api/trpc',
          maxItems: MAX_BATCH_SIZE,
          maxURLLength: MAX_URL_LENGTH,
          headers: () => ({ [PAGE_USER_HEADER]: String(latest.current.userId) }),
          fetch: watchedFetch,
        }),
      ],
    }),
  );
  const [queryClient] = useState(() => {
    let isSessionOver = false;
    const onSuccess = () => {
      // The user has signed in again, such as in the tab that the notice opens.
      if (isSessionOver) void loadSessionNotice().then(({ hideSessionNotice }) => hideSessionNotice());
      isSessionOver = false;
    };
    const onError = (error: unknown, meta: CallMeta | undefined) => {
      const failure = failureOf(error);
      // The service responds, but cannot do its work now, usually because it cannot use its database.
      if (failure.code === 'service_unavailable') recordReachability(false);
      const texts = latest.current.failureText(failure);
      if (failure.code === 'unauthorized' || failure.reason?.reason === 'service.otherUser') {
        isSessionOver = true;
        void loadSessionNotice().then(({ showSessionNotice }) =>
          showSessionNotice(failure.code, texts, prefix, latest.current.signIn),
        );
        return;
      }
      // A user who declined to confirm knows why nothing was done.
      if (meta?.showsOwnError || failure.code === 'confirmation_required') return;
      if (meta?.showsOwnConflict && failure.conflict) return;
      notifications.show({ color: 'red', ...texts });
    };
    return new FreshQueryClient({
      queryCache: new QueryCache({
        onError: (error, query) => onError(error, query.meta),
        onSuccess,
      }),
      mutationCache: new MutationCache({
        onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
        onSuccess,
      }),
      defaultOptions: {
        queries: {
          staleTime: 10_000,
          // Only temporary failures are worth a retry; a refused call would be refused again.
          retry: (failureCount, error) =>
            failureCount < 2 && ['offline', 'service_unavailable'].includes(failureOf(error).code),
        },
      },
    });
  });
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        <ConfirmationContext value={confirmation}>{children}</ConfirmationContext>
        {wasAsked && <ConfirmationDialog confirmation={confirmation} />}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
