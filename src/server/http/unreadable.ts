import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope, ServiceError } from '../core/errors';
import type { Log } from '../core/log';
import { because } from '../core/reason';
import { sendError } from './answer';
import type { Exchange } from './exchange';

/** How long a sender has to read why it was refused before its connection is cut. */
const READ_MS = 2_000;

/** What Node's parser found wrong, as an error of ours. */
export function unreadable(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', because('request.largeHeaders'));
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', because('request.late'));
    default:
      return new ServiceError('bad_request', because('request.notHttp'));
  }
}

/**
 * Answers a connection on which no request could be read, and which therefore has no response to write to: the envelope with an
 * id of its own, then the end of the connection.
 */
export function answerUnreadable(socket: Duplex, error: ServiceError, log: Log): void {
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
  // Cut at once, what it has sent and nobody read would have its system throw the answer away.
  setTimeout(() => socket.destroy(), READ_MS).unref();
  log.info({ requestId, status: error.status, code: error.code }, 'connection refused');
}

/** The answer to an upgrade, which would hang if nobody answered. */
export function upgradeRefused(): ServiceError {
  return new ServiceError('upgrade_refused', because('request.noUpgrade'), {
    headers: { Upgrade: 'HTTP/1.1' },
  });
}

interface Connections {
  begin(req: IncomingMessage, res: ServerResponse): Exchange;
  unanswered: ReadonlySet<Exchange>;
  log: Log;
}

/** Has the server answer with the envelope also where Node would answer by itself: what it cannot read, CONNECT, Expect. */
export function refuseUnreadable(server: Server, { begin, unanswered, log }: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const begun = [...unanswered].filter(({ req }) => req.socket === socket);
    const [exchange] = begun;
    // Behind an answer that is half sent nothing of ours could be read.
    if (error.code === 'ECONNRESET' || begun.some(({ res }) => res.headersSent)) socket.destroy(error);
    else if (!exchange) answerUnreadable(socket, unreadable(error.code), log);
    else {
      exchange.res.setHeader('Connection', 'close');
      sendError(exchange, unreadable(error.code));
    }
  });
  server.on('checkExpectation', (req, res) => {
    const message = because('request.expect');
    sendError(begin(req, res), new ServiceError('expectation_failed', message));
  });
  server.on('connect', (_req, socket) => {
    const refused = new ServiceError('method_not_allowed', because('request.noProxy'), {
      headers: { Allow: 'GET, HEAD, POST' },
    });
    answerUnreadable(socket, refused, log);
  });
}
