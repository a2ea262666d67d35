import type { AnyRouter } from '@trpc/server';
import { requireShallow } from '../../core/text/json-limits';
import { decodeJson } from '../../core/text/json-object';
import { scopeRefusal } from '../../identity/scope';
import type { Meta } from '../../trpc/init';
import { refusalOfUser } from '../../trpc/procedures';
import { type BodyLimit, type BodyLimits, readBody } from '../body';
import type { Exchange } from '../exchange';

/** Returns the declaration of the called procedure; undefined for a batch or an unknown procedure. */
function metaOf(router: AnyRouter, { query }: Exchange, procedurePath: string): Meta | undefined {
  if (new URLSearchParams(query).get('batch') === '1') return undefined;
  const procedures = router._def.procedures as Record<string, { _def: { meta?: Meta } }>;
  return Object.hasOwn(procedures, procedurePath) ? procedures[procedurePath]!._def.meta : undefined;
}

/** Returns the procedure's own limit for callers who may call it; otherwise, and for batches, the common limit. */
function limitOf(meta: Meta | undefined, { key, user }: Exchange, limits: BodyLimits): BodyLimit {
  if (!meta?.bodyLimit) return limits.common;
  const isAllowed =
    meta.credential === 'key'
      ? key !== null && scopeRefusal(key, meta.openapi?.operationId) === null
      : refusalOfUser(user, meta) === null;
  return isAllowed ? limits[meta.bodyLimit] : limits.common;
}

/**
 * Reads the body of a native call instead of tRPC, to enforce the limits on size, time and nesting. Except in a batch, a procedure
 * that declares `bytes` gets the raw body, and parses it without blocking other requests.
 *
 * @throws ServiceError `payload_too_large`, `request_timeout` or `validation_failed`
 * @throws ClientGoneError if the client disconnects
 */
export async function readNativeBody(
  router: AnyRouter,
  exchange: Exchange,
  procedurePath: string,
  limits: BodyLimits,
): Promise<void> {
  const { req } = exchange;
  if (req.method === 'GET' || req.method === 'HEAD') {
    const input = new URLSearchParams(exchange.query).get('input');
    if (input !== null) requireShallow(Buffer.from(input));
    return;
  }
  const meta = metaOf(router, exchange, procedurePath);
  const bytes = await readBody(req, limitOf(meta, exchange, limits));
  const isRaw = meta?.body === 'bytes';
  if (isRaw) exchange.body = bytes;
  else requireShallow(bytes);
  // tRPC's adapter reads `body` instead of the request's stream.
  Object.assign(req, { body: isRaw ? '{}' : decodeJson(bytes) });
}
