import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isHttps } from '../../core/http/web-address';
import type { Log } from '../../core/log';
import { respondWithError } from '../api';
import type { CallRecorder } from '../call-record';
import type { AddressOf } from '../caller/client-address';
import { beginExchange, CLIENT_GONE_STATUS, type Exchange } from '../exchange';
import { deferContinue } from '../expect-continue';
import { setSecurityHeaders } from '../security-headers';
import { trackConnections } from './connections';
import { type DispatchOptions, dispatch } from './dispatch';
import { listenError, type ReservedPort } from './listening';
import { UnorderedCollection } from './unordered-collection';
import { respondInsteadOfNode, respondOnSocket, upgradeRefusedError } from './unreadable';

/** How long the shutdown waits for a request that may have been sent, but has not been read yet. */
const UNREAD_REQUEST_WAIT_MS = 100;

/**
 * How long an idle connection is kept: longer than nginx's and AWS's load balancers keep theirs (60 seconds). If we closed one
 * while the load balancer was sending a request on it, that request would fail. Only the load balancer knows whether it is sending
 * one, so it should be the side that closes.
 */
const KEEP_ALIVE_MS = 65_000;

interface ServerOptions extends DispatchOptions {
  host: string;
  port: number;
  /** The reserved port to take over, instead of `host` and `port`. */
  reservedPort?: ReservedPort;
  appUrl: string;
  /** How long `stop` keeps accepting requests, so that load balancers can notice the stop. */
  shutdownDelayMs: number;
  shutdownTimeoutMs: number;
  log: Log;
  addressOf: AddressOf;
  bodyTimeoutMs: number;
  /** How long a whole request may take to arrive, whatever the limit of its body. */
  requestTimeoutMs: number;
  /** Called with every exchange that has ended. */
  callRecorders: readonly CallRecorder[];
}

export interface RunningServer {
  port: number;
  /**
   * Makes /readyz respond with 503 immediately, and stops accepting connections after the configured delay. Running requests, and
   * those that have begun to arrive, may finish within the configured time; then their connections are closed.
   */
  stop(): Promise<void>;
}

/** Records an exchange that has ended: passes it to the recorders, ends its span and logs it. */
function recordExchange({ callRecorders }: ServerOptions, requestLog: Log, exchange: Exchange): void {
  const { req, res, requestId, route, key, user, startedAtMs, span } = exchange;
  const status = res.writableFinished ? res.statusCode : CLIENT_GONE_STATUS;
  const durationMs = performance.now() - startedAtMs;
  const method = req.method ?? 'GET';
  for (const recordCall of callRecorders) recordCall(exchange, status, durationMs);
  const entry = {
    requestId,
    method,
    route,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(key ? { keyId: key.id } : {}),
    ...(user ? { userId: user.userId } : {}),
    ...(span ? { traceId: span.traceId } : {}),
  };
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  };
  span?.end(`${method} ${route}`, attributes, status >= 500);
  if (status >= 500) requestLog.warn(entry, 'request');
  else requestLog.info(entry, 'request');
}

/**
 * Stops reading a body whose response has been sent: after `timeoutMs`, or as soon as the connection is closed. After a response, such
 * as the 400 for a body that was broken off, Node no longer tells the request that its connection is closed.
 */
function limitRemainingBody(req: IncomingMessage, timeoutMs: number): void {
  const { socket } = req;
  const stopReading = () => void req.destroy();
  const timer = setTimeout(stopReading, timeoutMs).unref();
  socket.once('close', stopReading);
  req.once('close', () => {
    clearTimeout(timer);
    // The connection may carry many more requests.
    socket.off('close', stopReading);
  });
  if (socket.destroyed) stopReading();
}

/**
 * Starts the server, which dispatches each request by its path.
 *
 * @throws Error if we cannot listen on the address
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { log } = options;
  const usesHttps = isHttps(options.appUrl);
  // Request log entries have no field that could hold a secret, and redacting them would take as long as writing them.
  const requestLog = log.child({}, { redact: [] });
  let isStopping = false;
  const pendingExchanges = new UnorderedCollection<Exchange>();

  const beginPendingExchange = (req: IncomingMessage, res: ServerResponse): Exchange => {
    const exchange = beginExchange(req, res, options.addressOf(req));
    setSecurityHeaders(exchange, usesHttps);
    if (isStopping) res.setHeader('Connection', 'close');
    const removeFromPending = pendingExchanges.add(exchange);
    connections.trackRequest(req, res);
    // After the response, the rest of the body is read so that the client can read the response, but only for a limited time.
    res.once('finish', () => !req.complete && limitRemainingBody(req, options.bodyTimeoutMs));
    res.once('close', () => {
      removeFromPending();
      recordExchange(options, requestLog, exchange);
      options.unauthenticatedLimit.countIfInvalid(exchange);
    });
    return exchange;
  };
  // Without a Host header, dispatch refuses the request with an error that says why.
  const settings = {
    requireHostHeader: false,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const handleRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const exchange = beginPendingExchange(req, res);
    const respond = () =>
      dispatch(exchange, options, isStopping).catch((error: unknown) =>
        respondWithError(exchange, { log }, error),
      );
    void (exchange.span ? exchange.span.run(respond) : respond());
  };
  const server: Server = createServer(settings, handleRequest);
  // Without a listener, Node would ask for the body before anything is checked.
  server.on('checkContinue', (req, res) => {
    deferContinue(req, res);
    handleRequest(req, res);
  });
  respondInsteadOfNode(server, { beginPendingExchange, pendingExchanges, log });
  const connections = trackConnections(server);
  const upgrade = options.pages?.upgrade;
  server.on('upgrade', (req, socket, head) => {
    if (upgrade) upgrade(req, socket, head).catch(() => socket.destroy());
    else respondOnSocket(socket, upgradeRefusedError(), log);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, options)));
    if (options.reservedPort) server.listen(options.reservedPort.server, resolve);
    else server.listen(options.port, options.host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      isStopping = true;
      if (options.shutdownDelayMs > 0) await sleep(options.shutdownDelayMs);
      // Not http.Server's own close, which cuts off responses that are complete but not yet fully sent.
      const closedPromise = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(server, () => resolve()),
      );
      const unusedConnectionsTimer = setTimeout(
        // After the event loop has read what arrived in the meantime: this process may have been waiting for a processor.
        () => setImmediate(() => connections.closeUnusedConnections()),
        UNREAD_REQUEST_WAIT_MS,
      );
      // Tells clients not to reuse the connections that close after these responses.
      for (const { res } of pendingExchanges) if (!res.headersSent) res.setHeader('Connection', 'close');
      const shutdownTimer = setTimeout(() => {
        log.warn('shutdown timed out with requests still running; their connections are closed');
        server.closeAllConnections();
      }, options.shutdownTimeoutMs);
      await closedPromise;
      clearTimeout(unusedConnectionsTimer);
      clearTimeout(shutdownTimer);
      // Ends Node's regular check for late requests.
      server.close();
    },
  };
}
