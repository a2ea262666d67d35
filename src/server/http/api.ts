import { ServiceError } from '../core/errors';
import type { Services } from '../trpc/context';
import type { AppRouter } from '../trpc/router';
import { forbidCoercion, readRoutes } from '../trpc/routes';
import { sendAnswer, sendError } from './answer';
import { ClientGone } from './body';
import type { Exchange } from './exchange';
import { type BodyLimits, findRoute, readInput, requireKey } from './guard';
import { publicError } from './public-error';
import { createRestHandler } from './rest';

export type Handler = (exchange: Exchange) => Promise<void>;

/**
 * Every path under /api, in the order of checks of decisions.md: path and method, credentials before the body, content type,
 * size, JSON, validation; then the procedure, then headers.
 */
export function createApi(router: AppRouter, services: Services, limits: BodyLimits): Handler {
  const routes = readRoutes(router);
  forbidCoercion(router);
  const run = createRestHandler(router, services);
  return async (exchange) => {
    try {
      const route = findRoute(routes, exchange);
      exchange.route = route.path;
      if (route.credential !== 'key') throw new ServiceError('unauthorized', 'A bearer token is required.');
      exchange.key = await requireKey(services, exchange);
      services.keyUse.touch(exchange.key.id);
      const outcome = await run(exchange, await readInput(exchange, route, limits));
      if ('error' in outcome) throw outcome.error;
      sendAnswer(exchange, 200, outcome.body, { etag: route.etag });
    } catch (thrown) {
      answerError(exchange, services, thrown);
    }
  };
}

/** Answers with the error's public side, and logs the other where there is one. */
export function answerError(exchange: Exchange, services: Pick<Services, 'log'>, thrown: unknown): void {
  if (thrown instanceof ClientGone) return;
  const error = publicError(thrown);
  if (error.status >= 500 && error.code !== 'import_failed') {
    services.log.error(
      { err: error.cause ?? thrown, requestId: exchange.requestId, route: exchange.route },
      error.code,
    );
  }
  sendError(exchange, error);
}
