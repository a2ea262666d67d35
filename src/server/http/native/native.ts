import type { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { AppRouter } from '../../api/router';
import { methodNotAllowed } from '../../core/errors/errors';
import type { Services } from '../../trpc/context';
import { publicError } from '../../trpc/public-error';
import type { Handler } from '../api';
import { respondWithError } from '../api';
import { type BodyLimits, requireJson } from '../body';
import { countKeyUse, requireKey, requireSameOrigin, requireSignedIn } from '../caller/authentication';
import { checkCaller } from '../caller/caller-check';
import { contextOf } from '../context';
import type { Exchange } from '../exchange';
import { logProcedureFailure } from '../failure-log';
import { TRPC_PREFIX } from '../paths';
import { readNativeBody } from './native-body';

/** The maximum number of calls in one batch, so that one request cannot make thousands. */
const MAX_BATCH_SIZE = 20;

/** Finds the caller: an integration by its key, otherwise a user by the session cookie. */
async function findCaller(services: Services, exchange: Exchange): Promise<void> {
  const { headers } = exchange.req;
  // A caller without a cookie is probably an integration that forgot its key; the error says so.
  if (headers['x-api-key'] !== undefined || headers.cookie === undefined) {
    await requireKey(services, exchange);
    return;
  }
  await requireSignedIn(services, exchange);
}

/** Authenticates the caller. Counts the use of a key; requires that users' requests come from our pages. */
async function authenticate(services: Services, exchange: Exchange, appUrl: string): Promise<void> {
  const { req } = exchange;
  await checkCaller(exchange, () => findCaller(services, exchange));
  if (exchange.key) {
    await countKeyUse(services, exchange, exchange.key);
    return;
  }
  requireSameOrigin(exchange, appUrl);
  if (req.method === 'POST') requireJson(req);
}

/** Returns the Retry-After of the first call that failed, if it has one. */
function retryHeaders([error]: readonly TRPCError[]): Record<string, string> {
  const retryAfter = error && publicError(error).headers['Retry-After'];
  return retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
}

const METHODS = ['GET', 'HEAD', 'POST'];

/** @throws ServiceError `method_not_allowed` unless the method is GET, HEAD or POST */
function requireSupportedMethod({ req }: Exchange): void {
  if (METHODS.includes(req.method ?? '')) return;
  throw methodNotAllowed(METHODS);
}

/**
 * Creates the handler that serves the procedures in tRPC's native format, for front-end code. It does not read the body before
 * the credential has been checked.
 */
export function createNativeApiHandler(
  router: AppRouter,
  services: Services,
  { limits, appUrl }: { limits: BodyLimits; appUrl: string },
): Handler {
  return async (exchange) => {
    exchange.isForPage = true;
    const procedurePath = exchange.path.slice(TRPC_PREFIX.length);
    // A batch has no route of its own, and an unknown name could be any text.
    exchange.route = Object.hasOwn(router._def.procedures, procedurePath)
      ? TRPC_PREFIX + procedurePath
      : '/api/trpc';
    // Responses of procedures must not be cached; tRPC does not set this header itself.
    exchange.res.setHeader('Cache-Control', 'no-store');
    try {
      requireSupportedMethod(exchange);
      await authenticate(services, exchange, appUrl);
      await readNativeBody(router, exchange, procedurePath, limits);
    } catch (thrown) {
      respondWithError(exchange, services, thrown);
      return;
    }
    await nodeHTTPRequestHandler({
      req: exchange.req,
      res: exchange.res,
      path: procedurePath,
      router,
      createContext: async () => contextOf(exchange, services),
      maxBatchSize: MAX_BATCH_SIZE,
      responseMeta: ({ errors }) => ({ headers: retryHeaders(errors) }),
      onError: ({ error }) => {
        exchange.error ??= publicError(error);
        logProcedureFailure(services, exchange, error);
      },
    });
  };
}
