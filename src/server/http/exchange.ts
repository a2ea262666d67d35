import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskCredentials } from '../core/credentials';
import { beginRequest, type RequestSpan } from '../core/tracing';
import type { StoreResponse } from '../gateway/idempotency-service';
import type { LoggedError } from '../gateway/masked-error';
import type { BearerPrincipal, KeyPrincipal, UserPrincipal } from '../identity/principals';

/** An operation that a request ran in process by calling an MCP tool. */
interface OperationRun {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  error: LoggedError | null;
}

/** What is known about the last lookup of the caller, and how to repeat it. */
interface CallerCheck {
  /** Finds the caller again and stores it in the exchange; throws if the request must be refused. */
  findCaller: () => Promise<void>;
  /** Whether the request had arrived completely when the lookup began. */
  wasComplete: boolean;
  /** The `performance.now()` at which the lookup began. */
  beganAtMs: number;
  /** Whether a call that changes something has already relied on this lookup. */
  isUsedByMutation: boolean;
}

/** One request and its response, with what we find out while handling it. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** The path without the query, not decoded. */
  path: string;
  query: string;
  /** The route's pattern, for the log; never text that a caller put into a path. */
  route: string;
  /** The client's address; empty if there is none. */
  address: string;
  key: KeyPrincipal | null;
  /** Whether the request has been counted against its key's rate limit. */
  isKeyUseCounted: boolean;
  /** The signed-in user; null until one is found. */
  user: UserPrincipal | null;
  /** The user of the bearer token; null until one is found. */
  bearer: BearerPrincipal | null;
  /** The last successful lookup of the caller; null before the first. */
  callerCheck: CallerCheck | null;
  /** The raw body, for procedures that parse it themselves. */
  body: Uint8Array | null;
  /** Returns a signal that aborts with ClientGoneError if the client disconnects before the whole response has been sent. */
  abortSignal(): AbortSignal;
  /** Stores the response for the request's Idempotency-Key; null if the request has none. */
  storeResponse: StoreResponse | null;
  /**
   * Whether our pages call this route. Pages show reasons in the reader's language, so error responses include them as data.
   */
  isForPage: boolean;
  /** The error of the response; null if there is none. */
  error: LoggedError | null;
  /** The operations that the request ran in process. */
  operationRuns: OperationRun[];
  /** The `performance.now()` at which the exchange began. */
  startedAtMs: number;
  /** Null if requests are not traced. */
  span: RequestSpan | null;
}

/** Thrown when the client has disconnected: no response can reach it. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** The status to log if the client disconnects before the whole response has been sent; nginx uses the same number. */
export const CLIENT_GONE_STATUS = 499;

/** Returns whether an error means that the client disconnected, even if a procedure has wrapped it. */
export function isClientGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'ClientGoneError' ||
    (error.cause instanceof Error && error.cause.name === 'ClientGoneError')
  );
}

/** Returns a function that creates the disconnect signal on first use: most exchanges never need it. */
function createSignalGetter(res: ServerResponse): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const newController = new AbortController();
    controller = newController;
    const abort = () => newController.abort(new ClientGoneError('The client closed the connection.'));
    if (res.destroyed) abort();
    else res.once('close', () => !res.writableFinished && abort());
    return newController.signal;
  };
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns whether a text can be a request ID. A credential cannot, because it would end up in every log. */
const isRequestId = (text: string) => REQUEST_ID.test(text) && maskCredentials(text) === text;

/** The origin of a request target that is a full URL, as sent to proxies. It is ignored. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Begins an exchange. Uses the client's X-Request-Id if it is valid, otherwise a new one, and returns it in the response. */
export function beginExchange(req: IncomingMessage, res: ServerResponse, address: string): Exchange {
  const sentId = req.headers['x-request-id'];
  const requestId = typeof sentId === 'string' && isRequestId(sentId) ? sentId : randomUUID();
  res.setHeader('X-Request-Id', requestId);
  if (ORIGIN.test(req.url ?? '')) req.url = req.url!.replace(ORIGIN, '').replace(/^(?!\/)/, '/');
  const url = req.url ?? '/';
  const queryStart = url.indexOf('?');
  return {
    req,
    res,
    requestId,
    path: queryStart === -1 ? url : url.slice(0, queryStart),
    query: queryStart === -1 ? '' : url.slice(queryStart + 1),
    route: '-',
    address,
    key: null,
    isKeyUseCounted: false,
    user: null,
    bearer: null,
    callerCheck: null,
    body: null,
    abortSignal: createSignalGetter(res),
    storeResponse: null,
    isForPage: false,
    error: null,
    operationRuns: [],
    startedAtMs: performance.now(),
    span: beginRequest(req.headers),
  };
}
