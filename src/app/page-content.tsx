import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import type { PageQueries, RequestedPage } from '../components/api/page-queries';
import { newYorkDay, startOfHour } from '../components/ui/value/time/new-york-days';
import type { AppRouter } from '../server/api/router';
import { pageClient } from './page-client';
import { loadListPreferences } from './session';

/** How long the server waits for the data of a page; the browser requests the data that takes longer. */
const MAX_WAIT_MS = 5_000;

/** Ignores a failed query, because the browser repeats it and shows the error. Rethrows any other error. */
function ignoreFailedQuery(error: unknown): void {
  if (!(error instanceof TRPCClientError)) throw error;
}

/** Loads the data that a page shows first, so that `children` are rendered with it on the server, unless that takes too long. */
export async function PageContent<Parameters>({
  queries,
  children,
  ...page
}: Pick<RequestedPage<Parameters>, 'search' | 'parameters' | 'timeZone'> & {
  queries: PageQueries<Parameters>;
  children: ReactNode;
}) {
  const { rowsPerPage } = await loadListPreferences();
  const hour = startOfHour(Date.now());
  const queryClient = new QueryClient();
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: pageClient, queryClient });
  const resultPromises: Promise<unknown>[] = [];
  const load: QueryClient['query'] = (options) => {
    const resultPromise = queryClient.query(options);
    resultPromises.push(resultPromise);
    return resultPromise;
  };
  // If one query fails, the others are still awaited.
  const queriesPromise = Promise.resolve(
    queries({ ...page, hour, today: newYorkDay(new Date(hour)), rowsPerPage, trpc, load }),
  )
    .catch(ignoreFailedQuery)
    .then(() => Promise.allSettled(resultPromises));
  let timer: NodeJS.Timeout | undefined;
  const timeoutPromise = new Promise((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([queriesPromise, timeoutPromise]);
  clearTimeout(timer);
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>;
}
