import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Handler } from '../http/api';
import type { Exchange } from '../http/exchange';

export interface InProcessRequest {
  method: string;
  path: string;
  query: string;
  /** By their names in lower case. */
  headers: Record<string, string | undefined>;
  body: Uint8Array | undefined;
}

interface InProcessAnswer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

function requestOf({ method, path, query, headers, body }: InProcessRequest): IncomingMessage {
  const bytes = body === undefined ? [] : [body];
  const more = body === undefined ? {} : { 'content-length': String(body.byteLength) };
  const given = Object.entries({ ...headers, ...more }).filter(([, value]) => value !== undefined);
  const members = {
    method,
    url: query ? `${path}?${query}` : path,
    headers: Object.fromEntries(given),
    // The outer request has been read whole.
    complete: true,
  };
  return Object.assign(Readable.from(bytes, { objectMode: false }), members) as unknown as IncomingMessage;
}

/**
 * Runs a handler on a request that came another way than over a connection of its own: with the same checks, limits and
 * answers, under the outer exchange's request id. What the handler finds out about the caller is kept for the outer log.
 */
export async function runInProcess(
  handler: Handler,
  outer: Exchange,
  request: InProcessRequest,
): Promise<InProcessAnswer> {
  const headers = new Map<string, string>();
  let ended = '';
  const response = {
    statusCode: 200,
    headersSent: false,
    destroyed: false,
    setHeader: (name: string, value: string | number) => headers.set(name.toLowerCase(), String(value)),
    end(body = '') {
      ended = body;
      response.headersSent = true;
    },
  };
  const inner: Exchange = {
    req: requestOf(request),
    res: response as unknown as ServerResponse,
    requestId: outer.requestId,
    path: request.path,
    query: request.query,
    route: '-',
    address: outer.address,
    key: null,
    person: null,
    bearer: null,
    authority: null,
    body: null,
    gone: outer.gone,
    keepAnswer: null,
    forPage: false,
    errorBody: null,
    ran: [],
    started: performance.now(),
  };
  await handler(inner);
  outer.key ??= inner.key;
  outer.ran.push({
    method: request.method,
    route: inner.route,
    status: response.statusCode,
    durationMs: performance.now() - inner.started,
    errorBody: inner.errorBody,
  });
  return { status: response.statusCode, headers, body: ended };
}
