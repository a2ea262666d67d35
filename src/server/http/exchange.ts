import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskShapes } from '../core/credentials';
import type { KeepAnswer } from '../gateway/idempotency-service';
import type { BearerPrincipal, KeyPrincipal, PersonPrincipal } from '../identity/principals';

/** An operation that a request ran in process, as an MCP tool does. */
interface RanOperation {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  errorBody: Readonly<Record<string, unknown>> | null;
}

/** When the authority behind a request was read, and how it is read again. */
interface AuthorityReading {
  /** Finds the caller anew and keeps them with the exchange; throws where the request may not go on. */
  read: () => Promise<void>;
  /** Whether the last byte of the request had arrived when the reading began. */
  ofWholeRequest: boolean;
  /** Whether a call that changes something has relied on this reading already. */
  used: boolean;
}

/** One request and its answer, with what is found out about it on the way. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** Path without query, as sent. */
  path: string;
  query: string;
  /** The route's own path, for the log; never what a caller put into a path. */
  route: string;
  /** The client's address; empty where it has none. */
  address: string;
  key: KeyPrincipal | null;
  /** Who is signed in, where the operation asks for that. */
  person: PersonPrincipal | null;
  /** Whom the bearer token stands for, where the operation asks for one. */
  bearer: BearerPrincipal | null;
  /** When and how the caller was found; null before. */
  authority: AuthorityReading | null;
  /** The body, for operations that take it as it came. */
  body: Uint8Array | null;
  /** Is aborted, with ClientGone, where the client leaves before it has its answer. */
  gone(): AbortSignal;
  /** Keeps the answer for the request's Idempotency-Key; null where it has none. */
  keepAnswer: KeepAnswer | null;
  /** Whether a page of ours asks, which says reasons in the reader's language: errors bring them as data. */
  forPage: boolean;
  /** The error envelope that it was answered with. */
  errorBody: Readonly<Record<string, unknown>> | null;
  /** What it ran in process. */
  ran: RanOperation[];
  started: number;
}

/** The client went away; nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Whether this is why an exchange failed, also where it passed through a procedure. */
export function isClientGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'ClientGone' || (error.cause instanceof Error && error.cause.name === 'ClientGone');
}

/** Made where it is asked for: most exchanges never do. */
function goneSignal(res: ServerResponse): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const made = new AbortController();
    controller = made;
    const leave = () => made.abort(new ClientGone('The client closed the connection.'));
    if (res.destroyed) leave();
    else res.once('close', () => !res.writableFinished && leave());
    return made.signal;
  };
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** A credential that somebody sends as a request's id would stand in every log. */
const isRequestId = (text: string) => REQUEST_ID.test(text) && maskShapes(text) === text;

/** A target may be a whole address, as proxies get it: everybody else means its path. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Begins an exchange: takes the client's X-Request-Id where it is one, makes one otherwise, and answers with it. */
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
    person: null,
    bearer: null,
    authority: null,
    body: null,
    gone: goneSignal(res),
    keepAnswer: null,
    forPage: false,
    errorBody: null,
    ran: [],
    started: performance.now(),
  };
}
