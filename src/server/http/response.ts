import { createHash } from 'node:crypto';
import { errorEnvelope, pageEnvelope, type ServiceError } from '../core/errors/errors';
import type { Exchange } from './exchange';

const JSON_TYPE = 'application/json; charset=utf-8';

interface ResponseOptions {
  headers?: Record<string, string>;
  contentType?: string;
  /** Adds a strong ETag and responds to a matching If-None-Match with 304. */
  hasEtag?: boolean;
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const candidate = part.trim().replace(/^W\//, '');
    return candidate === '*' || candidate === etag;
  });
}

/**
 * Sends a complete response with its length; for HEAD, without its body. Caches must not store it, unless it has an ETag: then a
 * browser may store it and must revalidate it.
 */
export function sendResponse(
  exchange: Exchange,
  status: number,
  body: string,
  options: ResponseOptions = {},
): void {
  const { req, res } = exchange;
  if (res.headersSent || res.destroyed) return;
  for (const [name, value] of Object.entries(options.headers ?? {})) res.setHeader(name, value);
  res.setHeader('Cache-Control', options.hasEtag ? 'private, no-cache' : 'no-store');
  if (options.hasEtag) {
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    res.setHeader('ETag', etag);
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      res.writeHead(304);
      queueResponseEnd(exchange, undefined);
      return;
    }
  }
  res.setHeader('Content-Type', options.contentType ?? JSON_TYPE);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.writeHead(status);
  queueResponseEnd(exchange, req.method === 'HEAD' ? undefined : body);
}

/** The responses that are written at the end of this iteration of the event loop, each with its body. */
let pendingResponses: [Exchange, body: string | undefined][] = [];

/**
 * Queues the rest of a response, which is written together with the other responses of this iteration of the event loop. A client
 * that waits for several responses is then woken only once: waking it takes longer than all other work on a refused request.
 */
function queueResponseEnd(exchange: Exchange, body: string | undefined): void {
  if (pendingResponses.push([exchange, body]) === 1) setImmediate(endPendingResponses);
}

function endPendingResponses(): void {
  const responses = pendingResponses;
  pendingResponses = [];
  for (const [exchange, body] of responses) {
    discardBody(exchange);
    exchange.res.end(body);
  }
}

/** Returns the error envelope of docs/api-conventions.md as JSON text. */
export function errorJson(exchange: Exchange, error: ServiceError): string {
  return JSON.stringify(errorEnvelope(error, exchange.requestId));
}

/** Sends the error envelope of docs/api-conventions.md; our own pages also get the reasons. */
export function sendError(exchange: Exchange, error: ServiceError): void {
  exchange.error = error;
  const envelopeOf = exchange.isForPage ? pageEnvelope : errorEnvelope;
  const body = JSON.stringify(envelopeOf(error, exchange.requestId));
  sendResponse(exchange, error.status, body, { headers: error.headers });
}

/** How many bytes of an unread body we discard so that the client can read the response; then we close the connection. */
const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;

function discardBody({ req }: Exchange): void {
  if (req.complete || req.destroyed) return;
  let discardedBytes = 0;
  req.on('data', (chunk: Buffer) => {
    discardedBytes += chunk.length;
    if (discardedBytes > MAX_DISCARDED_BYTES) req.destroy();
  });
  req.on('error', () => undefined);
  req.resume();
}
