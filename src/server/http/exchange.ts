import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskShapes } from '../core/credentials';
import { beginRequest, type RequestSpan } from '../core/tracing';
import type { StoreResponse } from '../gateway/idempotency-service';
import type { BearerPrincipal, KeyPrincipal, UserPrincipal } from '../identity/principals';

/** An operation that a request ran in process, as an MCP tool does. */
interface RanOperation {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  errorBody: Readonly<Record<string, unknown>> | null;
}

/** When the caller was looked up, and how to look it up again. */
interface CallerCheck {
  /** Finds the caller again and stores it in the exchange; throws if the request must not go on. */
  find: () => Promise<void>;
  /** Whether the request had arrived completely when the lookup began. */
  ofWholeRequest: boolean;
  /** Whether a call that changes something has already relied on this lookup. */
  used: boolean;
}

/** One request and its response, with what is learned on the way. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** Path without query, as sent. */
  path: string;
  query: string;
  /** The route's pattern, for the log; never text that a caller put into a path. */
  route: string;
  /** The client's address; empty if there is none. */
  address: string;
  key: KeyPrincipal | null;
  /** The signed-in user, if the operation asks for one. */
  user: UserPrincipal | null;
  /** The user of the bearer token, if the operation asks for one. */
  bearer: BearerPrincipal | null;
  /** When and how the caller was found; null before that. */
  callerCheck: CallerCheck | null;
  /** The raw body, for operations that want it. */
  body: Uint8Array | null;
  /** Aborts with ClientGone when the client disconnects before the response. */
  gone(): AbortSignal;
  /** Stores the response for the request's Idempotency-Key; null if it has none. */
  storeResponse: StoreResponse | null;
  /**
   * Whether the request comes from one of our pages. Pages show reasons in the reader's language, so their errors carry them as
   * data.
   */
  forPage: boolean;
  /** The error envelope of the response. */
  errorBody: Readonly<Record<string, unknown>> | null;
  /** The operations that it ran in process. */
  ran: RanOperation[];
  started: number;
  /** Null if requests are not traced. */
  span: RequestSpan | null;
}

/** The client disconnected; nobody is left to respond to. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The status that is logged if the client disconnected before the response, as proxies log it. */
export const CLIENT_GONE_STATUS = 499;

/** Returns whether an exchange failed for this reason, even if the error passed through a procedure. */
export function isClientGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'ClientGone' || (error.cause instanceof Error && error.cause.name === 'ClientGone');
}

/** Created on first use: most exchanges never need it. */
function disconnectSignal(res: ServerResponse): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const aborter = new AbortController();
    controller = aborter;
    const leave = () => aborter.abort(new ClientGone('The client closed the connection.'));
    if (res.destroyed) leave();
    else res.once('close', () => !res.writableFinished && leave());
    return aborter.signal;
  };
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** A credential sent as a request id would end up in every log, so it is not accepted as one. */
const isRequestId = (text: string) => REQUEST_ID.test(text) && maskShapes(text) === text;

/** A request target may be a full URL, as proxies receive it; only its path counts. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Begins an exchange. Uses the client's X-Request-Id if valid, otherwise generates one, and sends it back. */
export function beginExchange(req: IncomingMessage, res: ServerResponse, address: string): Exchange {
  const given = req.headers['x-request-id'];
  const requestId = typeof given === 'string' && isRequestId(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', requestId);
  if (ORIGIN.test(req.url ?? '')) req.url = req.url!.replace(ORIGIN, '').replace(/^(?!\/)/, '/');
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  return {
    req,
    res,
    requestId,
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark + 1),
    route: '-',
    address,
    key: null,
    user: null,
    bearer: null,
    callerCheck: null,
    body: null,
    gone: disconnectSignal(res),
    storeResponse: null,
    forPage: false,
    errorBody: null,
    ran: [],
    started: performance.now(),
    span: beginRequest(req.headers),
  };
}
