import { createHash } from 'node:crypto';
import type { AppRouter } from '../api/router';
import { forbidCoercion, type Route, readRoutes } from '../api/routes';
import { checkIdempotencyKey, type KeptAnswer, runOnce } from '../gateway/idempotency-service';
import type { Services } from '../trpc/context';
import { publicError } from '../trpc/public-error';
import { admitBearer, admitKey } from './admission';
import { errorText, sendAnswer, sendError } from './answer';
import { ClientGone } from './body';
import type { Exchange } from './exchange';
import { type BodyLimits, findRoute, readInput, requireScope } from './guard';
import { createRestHandler, type RestHandler } from './rest';

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
      if (route.credential === 'bearer') await admitBearer(services, exchange);
      else {
        const key = await admitKey(services, exchange);
        requireScope(key, route.operationId);
      }
      const { input, bytes } = await readInput(exchange, route, limits);
      const key = route.idempotent ? exchange.req.headers['idempotency-key'] : undefined;
      if (typeof key === 'string') {
        await answerOnce(services, exchange, route, key, bytes, () => run(exchange, input));
        return;
      }
      const outcome = await run(exchange, input);
      if ('error' in outcome) throw outcome.error;
      if (route.plainText && new URLSearchParams(exchange.query).get('format') === 'text') {
        const { data } = JSON.parse(outcome.body) as { data: { text: string } };
        sendAnswer(exchange, 200, data.text, { contentType: 'text/plain; charset=utf-8' });
        return;
      }
      sendAnswer(exchange, 200, outcome.body, { etag: route.etag });
    } catch (thrown) {
      answerError(exchange, services, thrown);
    }
  };
}

/** Runs the operation once for its Idempotency-Key and sends its answer, or the one that was kept. */
async function answerOnce(
  services: Services,
  exchange: Exchange,
  route: Route,
  key: string,
  bytes: Uint8Array,
  run: () => ReturnType<RestHandler>,
): Promise<void> {
  checkIdempotencyKey(key);
  const call = {
    apiKeyId: exchange.key!.id,
    operation: route.operationId,
    key,
    bodyHash: createHash('sha256').update(bytes).digest(),
  };
  const answer = await runOnce(services, call, async (keepAnswer): Promise<KeptAnswer> => {
    exchange.keepAnswer = keepAnswer;
    const outcome = await run();
    if (!('error' in outcome)) return { status: 200, body: outcome.body };
    const error = publicError(outcome.error);
    if (error.status >= 500) throw outcome.error;
    return { status: error.status, body: errorText(exchange, error) };
  });
  // A kept answer is known by its text alone.
  if (answer.status >= 400) exchange.errorBody = JSON.parse(answer.body);
  sendAnswer(exchange, answer.status, answer.body, {
    headers: answer.replayed ? { 'Idempotent-Replayed': 'true' } : {},
  });
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
