import type { Operation } from '../api/operations';
import type { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { LoggedError } from '../gateway/masked-error';
import type { Services } from '../trpc/context';
import { publicError } from '../trpc/public-error';
import { type BodyLimits, readBody, requireJson } from './body';
import { type Exchange, isClientGone } from './exchange';
import { findOperation, groupOperationsByPath } from './find-operation';
import { sendError, sendResponse } from './response';
import type { OperationResponse, RunOperation } from './run-operation';

export type Handler = (exchange: Exchange) => Promise<void>;

interface ApiOptions {
  operations: readonly Operation[];
  runOperation: RunOperation;
  limits: BodyLimits;
}

const EMPTY_BODY = new Uint8Array();

/**
 * Creates the handler of the REST API, which serves paths under /api. It checks the path and method, runs the operation
 * (run-operation.ts) and sends the result (docs/api-conventions.md).
 */
export function createApiHandler(
  services: Services,
  { operations, runOperation, limits }: ApiOptions,
): Handler {
  const operationsByPath = groupOperationsByPath(operations);
  return async (exchange) => {
    const { req } = exchange;
    try {
      const operation = findOperation(operationsByPath, exchange);
      exchange.route = operation.path;
      const parameters = new URLSearchParams(exchange.query);
      const idempotencyHeader = operation.acceptsIdempotencyKey ? req.headers['idempotency-key'] : undefined;
      const response = await runOperation(exchange, {
        operation,
        method: req.method ?? 'GET',
        parameters,
        idempotencyKey: typeof idempotencyHeader === 'string' ? idempotencyHeader : undefined,
        readBody: async () => {
          if (operation.method === 'POST') requireJson(req);
          else if (operation.body === 'json') return EMPTY_BODY;
          return readBody(req, limits[operation.bodyLimit]);
        },
      });
      if (operation.offersPlainText && parameters.get('format') === 'text') sendText(exchange, response);
      else sendJson(exchange, response, operation.hasEtag);
    } catch (thrown) {
      respondWithError(exchange, services, thrown);
    }
  };
}

/** Sends the response's `data.text` as plain text. */
function sendText(exchange: Exchange, { body }: OperationResponse): void {
  const { data } = JSON.parse(body) as { data: { text: string } };
  sendResponse(exchange, 200, data.text, { contentType: 'text/plain; charset=utf-8' });
}

function sendJson(exchange: Exchange, response: OperationResponse, hasEtag: boolean): void {
  const { status, body, replayed } = response;
  if (status >= 400) exchange.error = response.error ?? replayedError(body);
  sendResponse(exchange, status, body, {
    hasEtag,
    headers: replayed ? { 'Idempotent-Replayed': 'true' } : {},
  });
}

/** Returns what the request log records for an error that was stored for an earlier request: its reason is not stored. */
function replayedError(body: string): LoggedError {
  const { code } = JSON.parse(body) as Pick<LoggedError, 'code'>;
  return { code, reason: createReason('request.replayed'), problems: [] };
}

/**
 * Logs an internal failure with its cause, which clients never see. Skips failed imports, which are logged where they fail. A
 * carrier or text provider that is not configured is no failure: its entry is a warning without a stack.
 */
export function logFailure(
  { requestId }: Exchange,
  route: string,
  { log }: Pick<Services, 'log'>,
  { status, code, cause }: ServiceError,
  thrown: unknown,
): void {
  if (status < 500 || code === 'import_failed') return;
  if (code === 'upstream_not_configured') log.warn({ requestId, route }, code);
  else log.error({ err: cause ?? thrown, requestId, route }, code);
}

/** Responds with the public part of an error and logs internal failures. Does nothing if the client has disconnected. */
export function respondWithError(exchange: Exchange, services: Pick<Services, 'log'>, thrown: unknown): void {
  if (isClientGone(thrown)) return;
  const error = publicError(thrown);
  sendError(exchange, error);
  logFailure(exchange, exchange.route, services, error, thrown);
}
