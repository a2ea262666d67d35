import type { z } from 'zod';
import { exportProducts } from '../catalog/export';
import { productsDownloadQuery } from '../catalog/product-schema';
import { methodNotAllowed, ServiceError, validationError } from '../core/errors';
import { because, problemAt } from '../core/reason';
import type { Permission } from '../identity/roles';
import { exportFilteredOrders } from '../orders/export/export';
import { ordersDownloadQuery } from '../orders/list/schema';
import { daysDownloadQuery } from '../statistics/day-schema';
import { exportDays } from '../statistics/export';
import type { Services } from '../trpc/context';
import { refusalOfPerson } from '../trpc/procedures';
import { problemsOf } from '../trpc/public-error';
import { findPerson, requireSameOrigin } from './admission';
import { answerError, type Handler } from './api';
import { readAuthority } from './authority';
import type { Exchange } from './exchange';
import { DOWNLOAD_PREFIX } from './paths';

/** A browser that reads nothing of a download for this long is disconnected, which frees the database connection. */
const STALLED_MS = 60_000;

type Write = (chunk: string | Uint8Array) => Promise<void>;

const FORMATS = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A file that is generated while it is sent. */
interface Download {
  may: Permission;
  query: z.ZodType;
  /** The file's name; the date is appended. */
  fileName: (query: unknown) => string;
  /** CSV by default. */
  format?: (query: unknown) => keyof typeof FORMATS;
  write(services: Services, query: unknown, write: Write): Promise<void>;
}

function download<Schema extends z.ZodType>(made: {
  may: Permission;
  query: Schema;
  fileName: (query: z.output<Schema>) => string;
  format?: (query: z.output<Schema>) => keyof typeof FORMATS;
  write(services: Services, query: z.output<Schema>, write: Write): Promise<void>;
}): Download {
  return made as Download;
}

/** Every download by its path below the prefix. */
const DOWNLOADS = new Map<string, Download>([
  [
    'orders',
    download({
      may: 'orders.read',
      query: ordersDownloadQuery,
      fileName: () => 'orders',
      format: ({ format }) => format,
      write: ({ db }, { filter, format }, write) =>
        exportFilteredOrders(db.bulkPool, filter ?? {}, format, write),
    }),
  ],
  [
    'statistics',
    download({
      may: 'statistics.read',
      query: daysDownloadQuery,
      fileName: ({ kind }) => `${kind}-statistics`,
      write: ({ db }, { shop_id, listing_id, ...query }, write) =>
        exportDays(db.bulkPool, { ...query, shop_ids: shop_id, listing_ids: listing_id }, write),
    }),
  ],
  [
    'products',
    download({
      may: 'catalog.read',
      query: productsDownloadQuery,
      fileName: () => 'products',
      write: ({ db }, query, write) => exportProducts(db.bulkPool, query, write),
    }),
  ],
]);

/** The parameters of a query, each with all its values. */
function parametersOf(query: string): Record<string, string[]> {
  const given = new URLSearchParams(query);
  return Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]));
}

function readQuery({ query }: Download, exchange: Exchange): unknown {
  const read = query.safeParse(parametersOf(exchange.query));
  if (read.success) return read.data;
  const problems = problemsOf(read.error.issues as Parameters<typeof problemsOf>[0]);
  // Every parameter was parsed as a list; list indexes mean nothing to the caller.
  throw validationError(problems.map((problem) => problemAt(problem.path.split('.')[0]!, problem)));
}

/** Waits when the browser is slower than the database. */
function writerTo({ res }: Exchange): Write {
  return (chunk) =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error('The client closed the connection.'));
      if (res.destroyed) return gone();
      if (res.write(chunk)) return resolve();
      const settle = () => {
        res.off('close', gone);
        resolve();
      };
      res.once('drain', settle).once('close', gone);
    });
}

/** Finds the caller and checks their permission. */
async function admit(
  services: Services,
  exchange: Exchange,
  { may }: Download,
  appUrl: string,
): Promise<void> {
  exchange.person = await findPerson(services, exchange);
  if (!exchange.person) throw new ServiceError('unauthorized', because('service.signedOut'));
  requireSameOrigin(exchange, appUrl);
  const refusal = refusalOfPerson(exchange.person, { may });
  if (refusal) throw refusal;
}

async function send(
  services: Services,
  exchange: Exchange,
  found: Download,
  reread: () => Promise<void>,
): Promise<void> {
  const { req, res } = exchange;
  const query = readQuery(found, exchange);
  const day = new Date(services.now()).toISOString().slice(0, 10);
  const format = found.format?.(query) ?? 'csv';
  const headers = {
    'Content-Type': FORMATS[format],
    'Content-Disposition': `attachment; filename="${found.fileName(query)}-${day}.${format}"`,
    'Cache-Control': 'no-store',
  };
  if (req.method === 'HEAD') {
    res.writeHead(200, headers).end();
    return;
  }
  const write = writerTo(exchange);
  await found.write(services, query, async (chunk) => {
    // The response starts with the first chunk: earlier failures still get an error response. The wait for a connection may
    // have been long.
    if (!res.headersSent) {
      await reread();
      res.writeHead(200, headers);
      res.setTimeout(STALLED_MS, () => res.destroy());
    }
    return write(chunk);
  });
  res.end();
}

/**
 * Streams CSV files to signed-in users as the rows are read. A download that fails midway is cut off, so that it never looks
 * complete.
 */
export function createDownloads(services: Services, { appUrl }: { appUrl: string }): Handler {
  return async (exchange) => {
    const name = exchange.path.slice(DOWNLOAD_PREFIX.length);
    const found = DOWNLOADS.get(name);
    exchange.route = found ? DOWNLOAD_PREFIX + name : DOWNLOAD_PREFIX;
    try {
      if (!found) throw new ServiceError('not_found', because('answer.noDownload'));
      if (exchange.req.method !== 'GET' && exchange.req.method !== 'HEAD')
        throw methodNotAllowed(['GET', 'HEAD']);
      const read = () => admit(services, exchange, found, appUrl);
      await readAuthority(exchange, read);
      await send(services, exchange, found, read);
    } catch (error) {
      if (!exchange.res.headersSent) return answerError(exchange, services, error);
      if (!exchange.res.destroyed)
        services.log.error({ err: error, requestId: exchange.requestId }, 'download failed');
      exchange.res.destroy();
    }
  };
}
