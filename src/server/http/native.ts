import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Services } from '../trpc/context';
import type { AppRouter } from '../trpc/router';
import type { Handler } from './api';
import { admitKey, answerError } from './api';
import { contextOf } from './context-of';

/** Most calls in one batch, so that one request cannot stand for thousands. */
const MAX_BATCH = 20;

export const NATIVE_PREFIX = '/api/trpc/';

/**
 * The same procedures natively, in tRPC's own format, for front-end code. Without a good credential nothing of the body is
 * read.
 */
export function createNative(router: AppRouter, services: Services, maxBodyBytes: number): Handler {
  return async (exchange) => {
    exchange.route = '/api/trpc';
    try {
      await admitKey(services, exchange);
    } catch (thrown) {
      answerError(exchange, services, thrown);
      return;
    }
    await nodeHTTPRequestHandler({
      req: exchange.req,
      res: exchange.res,
      path: exchange.path.slice(NATIVE_PREFIX.length),
      router,
      createContext: async () => contextOf(exchange, services),
      maxBodySize: maxBodyBytes,
      maxBatchSize: MAX_BATCH,
      onError: ({ error }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR' && error.cause?.name !== 'ServiceError') {
          services.log.error({ err: error, requestId: exchange.requestId }, 'internal_error');
        }
      },
    });
  };
}
