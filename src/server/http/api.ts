import { createHash } from 'node:crypto';
import type { AppRouter } from '../api/router';
import { forbidCoercion, type Route, readRoutes } from '../api/routes';
import { checkIdempotencyKey, type KeptAnswer, runOnce } from '../gateway/idempotency-service';
import type { Services } from '../trpc/context';
import { publicError } from '../trpc/public-error';
import { admitBearer, countKeyUse } from './admission';
import { errorText, sendAnswer, sendError } from './answer';
import { confirmAuthority, readAuthority } from './authority';
import type { BodyLimits } from './body';
import { type Exchange, isClientGone } from './exchange';
import { findRoute, readInput, requireKey, requireScope } from './guard';
import { createRestHandler, type RestHandler } from './rest';

export type Handler = (exchange: Exchange) => Promise<void>;

/**
 * Every path under /api, in the order of checks of docs/api-conventions.md: path and method, credentials before the body, content type,
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
      const admit = route.credential === 'bearer' ? admitBearer : requireKey;
      await readAuthority(exchange, async () => void (await admit(services, exchange)));
      if (exchange.key) await countKeyUse(services, exchange, exchange.key);
      requireScope(exchange.key, route.operationId);
      const { input, bytes } = await readInput(exchange, route, limits);
      await confirmAuthority(exchange, false);
      requireScope(exchange.key, route.operationId);
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
    // What passes by itself is not kept: the same call can be sent again.
    if (error.status >= 500 || error.status === 429) throw outcome.error;
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
  if (isClientGone(thrown)) return;
  const error = publicError(thrown);
  if (error.status >= 500 && error.code !== 'import_failed') {
    services.log.error(
      { err: error.cause ?? thrown, requestId: exchange.requestId, route: exchange.route },
      error.code,
    );
  }
  sendError(exchange, error);
}
