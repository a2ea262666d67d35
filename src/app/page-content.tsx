import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import type { PageQueries, RequestedPage } from '../components/api/page-queries';
import type { AppRouter } from '../server/api/router';
import { listPreferences, pageBridge } from './session';

/** How long a page waits for its content; the browser requests whatever takes longer. */
const PATIENCE_MS = 5_000;

/** Calls queries in this process, with the session of the request. */
const bridgeLink: TRPCLink<AppRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      pageBridge()
        .query(op.path, op.input)
        .then(
          (data) => {
            observer.next({ result: { data } });
            observer.complete();
          },
          (error: Error) => observer.error(TRPCClientError.from(error)),
        );
    });

const client = createTRPCClient<AppRouter>({ links: [bridgeLink] });

/** @throws unless the query was refused; the browser asks again and shows why */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TRPCClientError)) throw error;
}

/** Loads what a page shows first and passes it to the components inside, which have it before any script runs. */
export async function PageContent<Parameters>({
  queries,
  children,
  ...page
}: Pick<RequestedPage<Parameters>, 'search' | 'parameters' | 'timeZone'> & {
  queries: PageQueries<Parameters>;
  children: ReactNode;
}) {
  const { rows } = await listPreferences();
  const queryClient = new QueryClient();
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const started: Promise<unknown>[] = [];
  const load: QueryClient['query'] = (options) => {
    const result = queryClient.query(options);
    started.push(result);
    return result;
  };
  // A refused query ends the wait for itself, not for the others.
  const loaded = Promise.resolve(queries({ ...page, rows, trpc, load }))
    .catch(ignoreRefusal)
    .then(() => Promise.allSettled(started));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([loaded, patience]);
  clearTimeout(timer);
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>;
}
