import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../server/api/router';
import { getPageBridge } from './session';

/** Runs queries in this process, with the session of the request. */
const bridgeLink: TRPCLink<AppRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      getPageBridge()
        .query(op.path, op.input)
        .then(
          (data) => {
            observer.next({ result: { data } });
            observer.complete();
          },
          (error: Error) => observer.error(TRPCClientError.from(error)),
        );
    });

/** Calls the procedures in this process, as the reader of the page that is being rendered. Pages only query. */
export const pageClient = createTRPCClient<AppRouter>({ links: [bridgeLink] });
