import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Log } from '../../core/log';
import type { Exchange } from '../exchange';
import { sendError } from '../response';

/** How long a refused client has to read the response before we close its connection. */
const READ_TIMEOUT_MS = 2_000;

/** Converts an error of Node's HTTP parser to one of ours. */
export function unreadableError(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', createReason('request.largeHeaders'));
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', createReason('request.late'));
    default:
      return new ServiceError('bad_request', createReason('request.notHttp'));
  }
}

/**
 * Responds on a connection for which Node provides no response object. Sends the error envelope with a new request ID, then ends
 * the connection.
 */
export function respondOnSocket(socket: Duplex, error: ServiceError, log: Log): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(errorEnvelope(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.on('error', () => undefined);
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Closing the socket immediately, with data unread, would make the client's system discard the response.
  setTimeout(() => socket.destroy(), READ_TIMEOUT_MS).unref();
  log.info({ requestId, status: error.status, code: error.code }, 'connection refused');
}

/** Returns the error for an upgrade request, which would otherwise hang. */
export function upgradeRefusedError(): ServiceError {
  return new ServiceError('upgrade_refused', createReason('request.noUpgrade'), {
    headers: { Upgrade: 'HTTP/1.1' },
  });
}

interface RefusalOptions {
  beginPendingExchange(req: IncomingMessage, res: ServerResponse): Exchange;
  pendingExchanges: Iterable<Exchange>;
  log: Log;
}

/** Sends our error envelope where Node would respond itself or close the connection: unreadable requests, Expect, CONNECT. */
export function respondInsteadOfNode(
  server: Server,
  { beginPendingExchange, pendingExchanges, log }: RefusalOptions,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const exchanges = [...pendingExchanges].filter(({ req }) => req.socket === socket);
    const [exchange] = exchanges;
    // Anything sent after a half-sent response would be unreadable.
    if (error.code === 'ECONNRESET' || exchanges.some(({ res }) => res.headersSent)) socket.destroy(error);
    else if (!exchange) respondOnSocket(socket, unreadableError(error.code), log);
    else {
      exchange.res.setHeader('Connection', 'close');
      sendError(exchange, unreadableError(error.code));
    }
  });
  server.on('checkExpectation', (req, res) => {
    const reason = createReason('request.expect');
    sendError(beginPendingExchange(req, res), new ServiceError('expectation_failed', reason));
  });
  server.on('connect', (_req, socket) => {
    const error = new ServiceError('method_not_allowed', createReason('request.noProxy'), {
      headers: { Allow: 'GET, HEAD, POST' },
    });
    respondOnSocket(socket, error, log);
  });
}
