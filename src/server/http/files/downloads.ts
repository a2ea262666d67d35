import pLimit from 'p-limit';
import { methodNotAllowed, notFound, validationError } from '../../core/errors/errors';
import { createReason, problemAt } from '../../core/errors/reason';
import { createRunInTurn } from '../../core/run-in-turn';
import { failedOnReplica } from '../../db/replica';
import type { Services } from '../../trpc/context';
import { actorOf } from '../../trpc/procedures';
import { problemsOf } from '../../trpc/public-error';
import { type Handler, respondWithError } from '../api';
import { requireUser } from '../caller/authentication';
import { checkCaller } from '../caller/caller-check';
import type { Exchange } from '../exchange';
import { valuesByName } from '../parameters';
import { DOWNLOADS_PREFIX } from '../paths';
import { ConcurrentFiles } from './concurrent-files';
import { CONTENT_TYPES, DOWNLOADS, type Download } from './download-list';
import { SpooledResponse } from './spooled-response';

/** How many files a user may download at the same time: each takes up disk space until the browser has read it. */
const MAX_CONCURRENT_DOWNLOADS = 4;

function readQuery({ querySchema }: Download, exchange: Exchange): unknown {
  const parseResult = querySchema.safeParse(
    Object.fromEntries(valuesByName(new URLSearchParams(exchange.query))),
  );
  if (parseResult.success) return parseResult.data;
  const problems = problemsOf(parseResult.error.issues as Parameters<typeof problemsOf>[0]);
  // Every parameter was parsed as a list, but list indexes mean nothing to the caller.
  throw validationError(problems.map((problem) => problemAt(problem.path.split('.')[0]!, problem)));
}

/** Returns the header that names the file. A name with quotes, backslashes or non-ASCII characters is sent in encoded form too. */
function attachmentHeader(fileName: string): string {
  const plainName = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const header = `attachment; filename="${plainName}"`;
  if (plainName === fileName) return header;
  const encodedName = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${header}; filename*=UTF-8''${encodedName}`;
}

/** Runs the generation of a user's file when it is its turn. */
type GenerateInTurn = (userId: number, generate: () => Promise<void>) => Promise<void>;

/**
 * Limits how many files are generated at the same time. Files of one user are generated one after the other, and users take turns,
 * so that a small file never waits for all the large ones of somebody else.
 */
function createGenerateInTurn(maxCount: number): GenerateInTurn {
  const generations = pLimit(maxCount);
  const runInTurn = createRunInTurn();
  return (userId, generate) => runInTurn(String(userId), () => generations(generate));
}

async function sendDownload(
  services: Services,
  exchange: Exchange,
  download: Download,
  recheckAccess: () => Promise<void>,
  generateInTurn: GenerateInTurn,
): Promise<void> {
  const { req, res } = exchange;
  const sentQuery = readQuery(download, exchange);
  const query = download.prepare ? await download.prepare(services, sentQuery) : sentQuery;
  const today = new Date(services.now()).toISOString().slice(0, 10);
  const format = download.format?.(query) ?? 'csv';
  const user = exchange.user!;
  const caller = { userId: user.userId, actor: actorOf(user, exchange), signal: exchange.abortSignal() };
  const fileName = await download.fileName(query, services, caller);
  const headers = {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Disposition': attachmentHeader(`${fileName}-${today}.${format}`),
    'Cache-Control': 'no-store',
  };
  if (req.method === 'HEAD') {
    await download.check?.(services, query);
    res.writeHead(200, headers).end();
    return;
  }
  const response = new SpooledResponse(res);
  let pendingChunk: string | Uint8Array | null = null;
  const sendPendingChunk = async () => {
    if (pendingChunk === null) return;
    // The caller may have lost access during a long wait for a database connection.
    if (!res.headersSent) {
      await recheckAccess();
      response.begin(headers);
    }
    const chunk = pendingChunk;
    pendingChunk = null;
    await response.write(chunk);
  };
  // Sends each chunk only when the next one arrives. A table's first chunk is its header, which is written before any rows are
  // read. As long as it is held back, a failing query can still get an error response.
  const holdChunk = async (chunk: string | Uint8Array) => {
    await sendPendingChunk();
    pendingChunk = chunk;
  };
  await generateInTurn(user.userId, async () => {
    // The client may be gone by the time it is its turn.
    caller.signal.throwIfAborted();
    const db = download.fromReplica ? await services.replica?.findUpToDateDatabase() : null;
    try {
      await download.write(db ? { ...services, db } : services, query, holdChunk, caller);
    } catch (error) {
      if (!db || res.headersSent || !failedOnReplica(error)) throw error;
      pendingChunk = null;
      await download.write(services, query, holdChunk, caller);
    }
    await sendPendingChunk();
  });
  await response.end();
}

/**
 * Creates the handler that sends files to signed-in users, most of them while the rows are still being read. It cuts off a
 * download that fails midway, so that the file never looks complete.
 */
export function createDownloadHandler(services: Services, { appUrl }: { appUrl: string }): Handler {
  const downloads = new ConcurrentFiles(MAX_CONCURRENT_DOWNLOADS, 'file.downloads');
  // Half of the connections for bulk work are left to imports.
  const generateInTurn = createGenerateInTurn(Math.max(1, Math.floor(services.db.bulkPool.options.max / 2)));
  return async (exchange) => {
    const name = exchange.path.slice(DOWNLOADS_PREFIX.length);
    const download = DOWNLOADS.get(name);
    exchange.route = download ? DOWNLOADS_PREFIX + name : DOWNLOADS_PREFIX;
    exchange.isForPage = true;
    try {
      if (!download) throw notFound(createReason('answer.noDownload'));
      if (exchange.req.method !== 'GET' && exchange.req.method !== 'HEAD')
        throw methodNotAllowed(['GET', 'HEAD']);
      const checkAccess = () => requireUser(services, exchange, download.permission, appUrl);
      await checkCaller(exchange, checkAccess);
      await downloads.run(exchange.user!.userId, () =>
        sendDownload(services, exchange, download, checkAccess, generateInTurn),
      );
    } catch (error) {
      if (!exchange.res.headersSent) return respondWithError(exchange, services, error);
      if (!exchange.res.destroyed)
        services.log.error({ err: error, requestId: exchange.requestId }, 'download failed');
      exchange.res.destroy();
    }
  };
}
