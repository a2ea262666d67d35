import type { z } from 'zod';
import type { Actor } from '../../audit/service';
import { exportProducts } from '../../catalog/export-service';
import { productsDownloadQuery } from '../../catalog/product-schema';
import { methodNotAllowed, notFound, validationError } from '../../core/errors/errors';
import { createReason, problemAt } from '../../core/errors/reason';
import type { SheetFormat } from '../../core/spreadsheet/formats';
import { failedOnReplica } from '../../db/replica';
import type { Permission } from '../../identity/roles';
import { rejectedRowsDownloadQuery } from '../../orders/drafts/schema';
import { buildRejectedRowsFileName, writeRejectedRows } from '../../orders/drafts/service';
import { ordersDownloadQuery } from '../../orders/export/schema';
import { writeOrdersDownload } from '../../orders/export/service';
import { countriesTableQuery } from '../../overview/schema';
import { exportCountries } from '../../overview/table-export-service';
import { exportShop } from '../../shop-data/export-service';
import { shopDownloadQuery } from '../../shop-data/schema';
import { daysDownloadQuery } from '../../statistics/day-schema';
import { exportDays } from '../../statistics/export/day-export-service';
import {
  exportListingDays,
  exportListings,
  exportShopDays,
} from '../../statistics/export/table-export-service';
import {
  listingDaysTableQuery,
  listingsTableQuery,
  shopDaysTableQuery,
} from '../../statistics/export/table-schema';
import type { Services } from '../../trpc/context';
import { actorOf } from '../../trpc/procedures';
import { problemsOf } from '../../trpc/public-error';
import { type Handler, respondWithError } from '../api';
import { requireUser } from '../caller/authentication';
import { checkCaller } from '../caller/caller-check';
import type { Exchange } from '../exchange';
import { valuesByName } from '../parameters';
import { DOWNLOADS_PREFIX } from '../paths';

/**
 * A download is cut off if no data is sent for this long, so that a browser that has stopped reading does not hold on to a
 * database connection.
 */
const STALL_TIMEOUT_MS = 60_000;

type Write = (chunk: string | Uint8Array) => Promise<void>;

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'ndjson.gz': 'application/gzip',
} as const;

interface Caller {
  userId: number;
  actor: Actor;
  /** Aborts when the browser has disconnected. */
  signal: AbortSignal;
}

/** A file that is generated for each request. */
interface Download {
  permission: Permission;
  querySchema: z.ZodType;
  /** The file's name, without the date and the extension. */
  fileName: (query: unknown, services: Services, caller: Caller) => string | Promise<string>;
  /** CSV by default. */
  format?: (query: unknown) => keyof typeof CONTENT_TYPES;
  /** Whether it may read from a replica that has caught up with the primary (docs/replica.md). */
  fromReplica?: boolean;
  write(services: Services, query: unknown, write: Write, caller: Caller): Promise<void>;
}

function declareDownload<Schema extends z.ZodType>(declaration: {
  permission: Permission;
  querySchema: Schema;
  fileName: (query: z.output<Schema>, services: Services, caller: Caller) => string | Promise<string>;
  format?: (query: z.output<Schema>) => keyof typeof CONTENT_TYPES;
  fromReplica?: boolean;
  write(services: Services, query: z.output<Schema>, write: Write, caller: Caller): Promise<void>;
}): Download {
  return declaration as Download;
}

/** Declares the download of a page's table, with the columns that the page shows. */
function declareTableDownload<Schema extends z.ZodType<{ format: SheetFormat }>>(
  name: string,
  permission: Permission,
  querySchema: Schema,
  write: (services: Services, query: z.output<Schema>, write: Write) => Promise<void>,
): [string, Download] {
  return [
    name,
    declareDownload({
      permission,
      querySchema,
      fileName: () => name,
      format: ({ format }) => format,
      fromReplica: true,
      write,
    }),
  ];
}

/** The downloads, by their path below the prefix. */
const DOWNLOADS = new Map<string, Download>([
  [
    'orders',
    declareDownload({
      permission: 'orders.read',
      querySchema: ordersDownloadQuery,
      fileName: ({ template }) =>
        template === 'raw' || typeof template === 'number' ? 'orders' : `orders-${template}`,
      format: ({ format }) => format,
      fromReplica: true,
      write: ({ db }, query, write) => writeOrdersDownload(db, query, write),
    }),
  ],
  [
    'statistics',
    declareDownload({
      permission: 'statistics.read',
      querySchema: daysDownloadQuery,
      fileName: ({ kind }) => `${kind}-statistics`,
      fromReplica: true,
      write: ({ db }, { shop_id, listing_id, ...query }, write) =>
        exportDays(db.bulkPool, { ...query, shop_ids: shop_id, listing_ids: listing_id }, write),
    }),
  ],
  declareTableDownload('shop-days', 'statistics.read', shopDaysTableQuery, exportShopDays),
  declareTableDownload('listing-days', 'statistics.read', listingDaysTableQuery, exportListingDays),
  declareTableDownload('listings', 'statistics.read', listingsTableQuery, exportListings),
  declareTableDownload('countries', 'orders.read', countriesTableQuery, exportCountries),
  [
    'shop',
    declareDownload({
      permission: 'shops.write',
      querySchema: shopDownloadQuery,
      fileName: ({ id }) => `shop-${id}`,
      format: () => 'ndjson.gz',
      write: async ({ db }, { id }, write, { actor }) => {
        await exportShop(db, actor, id, write);
      },
    }),
  ],
  [
    'bad-rows',
    declareDownload({
      permission: 'imports.write',
      querySchema: rejectedRowsDownloadQuery,
      fileName: ({ draft }, services, { userId }) => buildRejectedRowsFileName(services, userId, draft),
      format: () => 'xlsx',
      write: async (services, { draft }, write, { userId, signal }) =>
        write(await writeRejectedRows(services, userId, draft, signal)),
    }),
  ],
  [
    'products',
    declareDownload({
      permission: 'catalog.read',
      querySchema: productsDownloadQuery,
      fileName: () => 'products',
      fromReplica: true,
      write: ({ db }, query, write) => exportProducts(db.bulkPool, query, write),
    }),
  ],
]);

function readQuery({ querySchema }: Download, exchange: Exchange): unknown {
  const parseResult = querySchema.safeParse(
    Object.fromEntries(valuesByName(new URLSearchParams(exchange.query))),
  );
  if (parseResult.success) return parseResult.data;
  const problems = problemsOf(parseResult.error.issues as Parameters<typeof problemsOf>[0]);
  // Every parameter was parsed as a list, but list indexes mean nothing to the caller.
  throw validationError(problems.map((problem) => problemAt(problem.path.split('.')[0]!, problem)));
}

/** Returns a function that writes to the response and waits while the client reads too slowly. */
function createWriter({ res }: Exchange): Write {
  return (chunk) =>
    new Promise((resolve, reject) => {
      const onClose = () => reject(new Error('The client closed the connection.'));
      if (res.destroyed) return onClose();
      if (res.write(chunk)) return resolve();
      const onDrain = () => {
        res.off('close', onClose);
        resolve();
      };
      res.once('drain', onDrain).once('close', onClose);
    });
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

async function sendDownload(
  services: Services,
  exchange: Exchange,
  download: Download,
  recheckAccess: () => Promise<void>,
): Promise<void> {
  const { req, res } = exchange;
  const query = readQuery(download, exchange);
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
    res.writeHead(200, headers).end();
    return;
  }
  const write = createWriter(exchange);
  let pendingChunk: string | Uint8Array | null = null;
  const sendPendingChunk = async () => {
    if (pendingChunk === null) return;
    // The caller may have lost access during a long wait for a database connection.
    if (!res.headersSent) {
      await recheckAccess();
      res.writeHead(200, headers);
      res.setTimeout(STALL_TIMEOUT_MS, () => res.destroy());
    }
    const chunk = pendingChunk;
    pendingChunk = null;
    await write(chunk);
  };
  // Sends each chunk only when the next one arrives. A table's first chunk is its header, which is written before any rows are
  // read. As long as it is held back, a failing query can still get an error response.
  const holdChunk = async (chunk: string | Uint8Array) => {
    await sendPendingChunk();
    pendingChunk = chunk;
  };
  const db = download.fromReplica ? await services.replica?.findUpToDateDatabase() : null;
  try {
    await download.write(db ? { ...services, db } : services, query, holdChunk, caller);
  } catch (error) {
    if (!db || res.headersSent || !failedOnReplica(error)) throw error;
    pendingChunk = null;
    await download.write(services, query, holdChunk, caller);
  }
  await sendPendingChunk();
  res.end();
}

/**
 * Creates the handler that sends files to signed-in users, most of them while the rows are still being read. It cuts off a
 * download that fails midway, so that the file never looks complete.
 */
export function createDownloadHandler(services: Services, { appUrl }: { appUrl: string }): Handler {
  return async (exchange) => {
    const name = exchange.path.slice(DOWNLOADS_PREFIX.length);
    const download = DOWNLOADS.get(name);
    exchange.route = download ? DOWNLOADS_PREFIX + name : DOWNLOADS_PREFIX;
    try {
      if (!download) throw notFound(createReason('answer.noDownload'));
      if (exchange.req.method !== 'GET' && exchange.req.method !== 'HEAD')
        throw methodNotAllowed(['GET', 'HEAD']);
      const checkAccess = () => requireUser(services, exchange, download.permission, appUrl);
      await checkCaller(exchange, checkAccess);
      await sendDownload(services, exchange, download, checkAccess);
    } catch (error) {
      if (!exchange.res.headersSent) return respondWithError(exchange, services, error);
      if (!exchange.res.destroyed)
        services.log.error({ err: error, requestId: exchange.requestId }, 'download failed');
      exchange.res.destroy();
    }
  };
}
