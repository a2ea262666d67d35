'use client';

import { notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { AppRouter } from '../../server/api/router';
import { ConfirmationContext } from './confirm-context';
import { Confirmation, confirmLink } from './confirm-link';
import { sawResponse, watchedFetch } from './connection';
import { useFailureText } from './failure-text';
import { FreshQueryClient } from './fresh-query-client';
import { loadPart } from './load-part';
import { failureOf } from './service-error';
import { TRPCProvider, useTRPC } from './trpc-context';

/** Loaded on first use; on most days it is not needed. */
const ConfirmDialog = dynamic(
  () => loadPart(() => import('./confirm-dialog')).then((module) => module.ConfirmDialog),
  {
    ssr: false,
  },
);

export { useTRPC };

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

interface CallMeta extends Record<string, unknown> {
  /** The component shows the error itself, beside the field or instead of the list. */
  ownError?: boolean;
}

/** The server's own limit of a batch. */
const MAX_BATCH = 20;
/** Well below Node's limit for a request's head. */
const MAX_URL_LENGTH = 6_000;

const SIGNED_OUT = 'signed-out';

/** Says that the session has ended, and leaves the page as it is: unsaved input must not be lost. */
function saySignedOut(prefix: string, words: { title: string; hint: string; signIn: string }): void {
  notifications.show({
    id: SIGNED_OUT,
    color: 'red',
    autoClose: false,
    title: words.title,
    message: (
      <>
        {words.hint}{' '}
        <a href={`${prefix}/sign-in`} target="_blank" rel="noreferrer">
          {words.signIn}
        </a>
      </>
    ),
  });
}

/** Provides the procedures: one client, one cache, and one way to handle errors. */
export function ApiProvider({ prefix, children }: { prefix: string; children: ReactNode }) {
  const failureText = useFailureText();
  const t = useTranslations('common');
  const signedOut = { title: t('signedOut.title'), hint: t('signedOut.hint'), signIn: t('signedOut.signIn') };
  const [confirmation] = useState(() => new Confirmation());
  const asked = useSyncExternalStore(confirmation.subscribe, confirmation.wasAsked, () => false);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        confirmLink(confirmation.ask),
        httpBatchLink({
          url: '/api/trpc',
          maxItems: MAX_BATCH,
          maxURLLength: MAX_URL_LENGTH,
          fetch: watchedFetch,
        }),
      ],
    }),
  );
  const [queries] = useState(() => {
    const onError = (error: unknown, meta: CallMeta | undefined) => {
      const failure = failureOf(error);
      // The process is there, but not its database.
      if (failure.code === 'service_unavailable') sawResponse(false);
      if (failure.code === 'unauthorized') return saySignedOut(prefix, signedOut);
      // A user who declined to confirm knows why nothing was done.
      if (meta?.ownError || failure.code === 'confirmation_required') return;
      notifications.show({ color: 'red', ...failureText(failure) });
    };
    return new FreshQueryClient({
      queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
      mutationCache: new MutationCache({
        onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
      }),
      defaultOptions: {
        queries: {
          staleTime: 10_000,
          // A refusal would be repeated; only temporary failures are worth a second try.
          retry: (count, error) =>
            count < 2 && ['offline', 'service_unavailable'].includes(failureOf(error).code),
        },
      },
    });
  });
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        <ConfirmationContext value={confirmation}>{children}</ConfirmationContext>
        {asked && <ConfirmDialog confirmation={confirmation} />}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
