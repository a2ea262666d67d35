import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { methodNotAllowed, notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { FIXED_PATHS } from '../../core/http/fixed-paths';
import type { Handler } from '../api';
import type { UnauthenticatedLimit } from '../caller/unauthenticated-limit';
import { handleCors } from '../cors';
import type { Exchange } from '../exchange';
import { sendContinue } from '../expect-continue';
import { type ReadinessCheck, sendHealth, sendReadiness } from '../health';
import { renderPage } from '../pages/page-bridge';
import { DOWNLOADS_PREFIX, isApi, OAUTH_PATH, SIGN_IN_PREFIX, TRPC_PREFIX, UPLOADS_PREFIX } from '../paths';
import { sendError, sendResponse } from '../response';
import { setPagePolicy } from '../security-headers';
import { unreadableError } from './unreadable';

/** What renders pages: Next. */
export interface PageRenderer {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Development only: opens the connection that tells pages to reload. */
  upgrade?(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

/** One of our own documents; JSON by default. */
interface ServedDocument {
  text(): string;
  contentType?: string;
}

/** Documents by path. */
export type ServedDocuments = ReadonlyMap<string, ServedDocument>;

/** What serves the requests. */
export interface DispatchOptions {
  corsOrigins: readonly string[];
  isDevelopment: boolean;
  api: Handler;
  nativeApi: Handler;
  mcp: Handler;
  signIn: Handler;
  uploads: Handler;
  downloads: Handler;
  oauth: Handler;
  unsubscribe: Handler;
  unauthenticatedLimit: UnauthenticatedLimit;
  documents: ServedDocuments;
  checkReadiness: ReadinessCheck;
  /** Null if no pages are served. */
  pages: PageRenderer | null;
}

/** @throws ServiceError `method_not_allowed` unless the method is GET or HEAD */
function requireReadMethod({ req }: Exchange): void {
  if (req.method === 'GET' || req.method === 'HEAD') return;
  throw methodNotAllowed(['GET', 'HEAD']);
}

/** Returns whether pages of the configured CORS origins may call a path. */
const allowsCors = (path: string) =>
  path === FIXED_PATHS.mcp ||
  (isApi(path) &&
    ![SIGN_IN_PREFIX, DOWNLOADS_PREFIX, UPLOADS_PREFIX].some((prefix) => path.startsWith(prefix)));

/**
 * Routes a request by its path: health, the API, the authorization server, unsubscribe links, the MCP server, our own documents, and
 * pages for the rest.
 *
 * @throws ServiceError if nothing serves the path or its method, and whatever the handler throws
 */
export async function dispatch(
  exchange: Exchange,
  options: DispatchOptions,
  isStopping: boolean,
): Promise<void> {
  const { path, req } = exchange;
  if (req.httpVersion === '1.1' && req.headers.host === undefined) throw unreadableError(undefined);
  if (allowsCors(path) && handleCors(exchange, options.corsOrigins)) return;
  await options.unauthenticatedLimit.check(exchange);
  const document = options.documents.get(path);
  if (path === FIXED_PATHS.health || path === FIXED_PATHS.readiness) {
    requireReadMethod(exchange);
    if (path === FIXED_PATHS.health) sendHealth(exchange);
    else await sendReadiness(exchange, options.checkReadiness, isStopping);
  } else if (path.startsWith(SIGN_IN_PREFIX)) {
    await options.signIn(exchange);
  } else if (path.startsWith(DOWNLOADS_PREFIX)) {
    await options.downloads(exchange);
  } else if (path.startsWith(UPLOADS_PREFIX)) {
    await options.uploads(exchange);
  } else if (isApi(path)) {
    await (path.startsWith(TRPC_PREFIX) ? options.nativeApi : options.api)(exchange);
  } else if (OAUTH_PATH.test(path)) {
    await options.oauth(exchange);
  } else if (path === FIXED_PATHS.unsubscribe) {
    await options.unsubscribe(exchange);
  } else if (path === FIXED_PATHS.mcp) {
    await options.mcp(exchange);
  } else if (document) {
    requireReadMethod(exchange);
    exchange.route = path;
    sendResponse(exchange, 200, document.text(), { hasEtag: true, contentType: document.contentType });
  } else if (options.pages && path.startsWith('/')) {
    exchange.route = 'page';
    // Next's development server has tools that use POST.
    if (options.isDevelopment) sendContinue(req);
    else requireReadMethod(exchange);
    setPagePolicy(exchange, options.isDevelopment);
    const { pages } = options;
    await renderPage(exchange, () => pages.handle(exchange.req, exchange.res));
  } else {
    sendError(exchange, notFound(createReason('request.noPath')));
  }
}
