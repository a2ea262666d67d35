import { createHash } from 'node:crypto';
import { callTRPCProcedure } from '@trpc/server';
import type { Operation } from '../api/operations';
import type { AppRouter } from '../api/router';
import { invalidField, type ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { parseJsonObject } from '../core/text/json-object';
import { checkIdempotencyKey, runOnce, type StoreResponse } from '../gateway/idempotency-service';
import type { KeyPrincipal } from '../identity/principals';
import { scopeRefusal } from '../identity/scope';
import type { Services } from '../trpc/context';
import { publicError } from '../trpc/public-error';
import { countKeyUse, requireBearer, requireKey } from './caller/authentication';
import { checkCaller, recheckCaller, recheckCallerAfterWait } from './caller/caller-check';
import { contextOf } from './context';
import type { Exchange } from './exchange';
import { valuesByName } from './parameters';
import { errorJson } from './response';

/** A call to an operation, over REST or MCP. */
interface OperationCall {
  operation: Operation;
  /** The HTTP method to record for the operation. */
  method: string;
  parameters: URLSearchParams;
  /** A repeated call with the same key gets the first response, unless that was a temporary failure. */
  idempotencyKey?: string | undefined;
  /** Reads the body within its limits. Called only after the caller has been authorized. */
  readBody(): Promise<Uint8Array>;
}

/** The response to a call. It can be an error only if the call has an Idempotency-Key; otherwise errors are thrown. */
export interface OperationResponse {
  status: number;
  /** JSON text. */
  body: string;
  /** The error that the body describes; missing if the body was stored for an earlier request. */
  error?: ServiceError;
  replayed: boolean;
}

/**
 * Runs one operation for the caller of an exchange.
 *
 * @throws ServiceError, or a TRPCError that publicError can convert, if the call is refused or fails. With an Idempotency-Key,
 * errors that can be replayed are returned instead.
 * @throws ClientGoneError if the client disconnects
 */
export type RunOperation = (exchange: Exchange, call: OperationCall) => Promise<OperationResponse>;

/** @throws ServiceError `forbidden` if the scopes of the caller's key exclude the operation */
function requireScope(key: KeyPrincipal | null, operationId: string): void {
  const refusal = key && scopeRefusal(key, operationId);
  if (refusal) throw refusal;
}

/** Checks that the caller may call the operation, and counts the use of a key. Runs before the body is read. */
async function authorize(services: Services, exchange: Exchange, operation: Operation): Promise<void> {
  const findCaller = operation.credential === 'bearer' ? requireBearer : requireKey;
  await checkCaller(exchange, async () => void (await findCaller(services, exchange)));
  if (exchange.key) await countKeyUse(services, exchange, exchange.key);
  requireScope(exchange.key, operation.operationId);
}

/** Returns the query parameters as an object; a repeated parameter becomes an array of its values. */
function queryInput(operation: Operation, parameters: URLSearchParams): object {
  // Refuses `__proto__` like any unknown parameter (docs/api-conventions.md). The schema cannot, because it never sees the name.
  if (operation.input && parameters.has('__proto__'))
    throw invalidField('__proto__', createReason('body.unknownField'));
  return Object.fromEntries(
    Array.from(valuesByName(parameters), ([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  );
}

/** Returns the procedure's input. If the procedure parses the body itself, stores it in the exchange instead. */
function prepareInput(
  { operation, parameters }: OperationCall,
  exchange: Exchange,
  bytes: Uint8Array,
): object {
  if (operation.body === 'bytes') {
    exchange.body = bytes;
    return {};
  }
  return operation.method === 'POST' ? parseJsonObject(bytes) : queryInput(operation, parameters);
}

/**
 * Creates the function that runs operations for both REST and MCP. It checks the credential, rate limit and scope before reading
 * the body, and runs the procedure once per Idempotency-Key. The procedure rechecks the caller and scope after the body has
 * arrived, then validates the input.
 */
export function createRunOperation(router: AppRouter, services: Services): RunOperation {
  return async (exchange, call) => {
    const { operation } = call;
    await authorize(services, exchange, operation);
    const bytes = await call.readBody();
    const input = prepareInput(call, exchange, bytes);
    const run = async (): Promise<string> => {
      const output = await callTRPCProcedure({
        router,
        path: operation.procedure,
        type: operation.type,
        ctx: contextOf(exchange, services, call),
        getRawInput: async () => input,
        signal: undefined,
        batchIndex: 0,
      });
      return JSON.stringify(output);
    };
    if (call.idempotencyKey === undefined) return { status: 200, body: await run(), replayed: false };
    // A replay runs no procedure, so check here that the caller is still authorized.
    await recheckCaller(exchange, false);
    requireScope(exchange.key, operation.operationId);
    return runWithIdempotencyKey(services, exchange, operation, call.idempotencyKey, bytes, run);
  };
}

/** Runs the operation once per Idempotency-Key, or returns the stored response. */
async function runWithIdempotencyKey(
  services: Services,
  exchange: Exchange,
  { operationId }: Operation,
  idempotencyKey: string,
  bytes: Uint8Array,
  run: () => Promise<string>,
): Promise<OperationResponse> {
  checkIdempotencyKey(idempotencyKey);
  const bodyHash = createHash('sha256').update(bytes).digest();
  const call = { apiKeyId: exchange.key!.id, operation: operationId, key: idempotencyKey, bodyHash };
  const runAndStore = async (storeResponse: StoreResponse): Promise<Omit<OperationResponse, 'replayed'>> => {
    exchange.storeResponse = storeResponse;
    try {
      return { status: 200, body: await run() };
    } catch (thrown) {
      const error = publicError(thrown);
      // A temporary failure is not stored, so that the call can be retried.
      if (error.isTemporary) throw thrown;
      return { status: error.status, body: errorJson(exchange, error), error };
    }
  };
  // A refusal by this check is not stored: the caller may be given access again.
  const afterWait = async () => {
    await recheckCallerAfterWait(exchange, 0);
    requireScope(exchange.key, operationId);
  };
  return runOnce(services, call, runAndStore, { afterWait });
}
