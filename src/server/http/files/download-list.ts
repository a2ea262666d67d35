import type { z } from 'zod';
import type { Actor } from '../../audit/service';
import { exportProducts } from '../../catalog/export-service';
import { productsDownloadQuery } from '../../catalog/product-schema';
import type { SheetFormat } from '../../core/spreadsheet/formats';
import { requireTimeZone } from '../../db/time-zones';
import type { Permission } from '../../identity/roles';
import { rejectedRowsDownloadQuery } from '../../orders/drafts/schema';
import { buildRejectedRowsFileName, writeRejectedRows } from '../../orders/drafts/service';
import { ordersDownloadQuery } from '../../orders/export/schema';
import { writeOrdersDownload } from '../../orders/export/service';
import { readTemplate } from '../../orders/export/template-service';
import { countriesTableQuery } from '../../overview/schema';
import { exportCountries } from '../../overview/table-export-service';
import { exportShop, requireStoredShop } from '../../shop-data/export-service';
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

type Write = (chunk: string | Uint8Array) => Promise<void>;

export const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'ndjson.gz': 'application/gzip',
} as const;

/** Who downloads a file. */
interface Caller {
  userId: number;
  actor: Actor;
  /** Aborts when the browser has disconnected. */
  signal: AbortSignal;
}

/** A file that is generated for each request. */
export interface Download {
  permission: Permission;
  querySchema: z.ZodType;
  /** The file's name, without the date and the extension. */
  fileName: (query: unknown, services: Services, caller: Caller) => string | Promise<string>;
  /** CSV by default. */
  format?: (query: unknown) => keyof typeof CONTENT_TYPES;
  /** Checks on the primary what the schema cannot check, and returns the query to use. */
  prepare?: (services: Services, query: unknown) => Promise<unknown>;
  /**
   * Throws `not_found` if the record that the file is about does not exist. Called for HEAD only, because `write` throws the same for
   * GET.
   */
  check?: (services: Services, query: unknown) => Promise<unknown>;
  /** Whether it may read from a replica that has caught up with the primary (docs/replica.md). */
  fromReplica?: boolean;
  write(services: Services, query: unknown, write: Write, caller: Caller): Promise<void>;
}

function declareDownload<Schema extends z.ZodType>(declaration: {
  permission: Permission;
  querySchema: Schema;
  fileName: (query: z.output<Schema>, services: Services, caller: Caller) => string | Promise<string>;
  format?: (query: z.output<Schema>) => keyof typeof CONTENT_TYPES;
  prepare?: (services: Services, query: z.output<Schema>) => Promise<z.output<Schema>>;
  check?: (services: Services, query: z.output<Schema>) => Promise<unknown>;
  fromReplica?: boolean;
  write(services: Services, query: z.output<Schema>, write: Write, caller: Caller): Promise<void>;
}): Download {
  return declaration as Download;
}

/** Declares the download of a page's table, with the columns that the page shows. */
function declareTableDownload<Schema extends z.ZodType<{ format: SheetFormat; zone: string }>>(
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
      prepare: async ({ db }, query) => ({
        ...query,
        zone: await requireTimeZone(db.prisma, query.zone, 'zone'),
      }),
      write,
    }),
  ];
}

/** The downloads, by their path below the prefix. */
export const DOWNLOADS: ReadonlyMap<string, Download> = new Map<string, Download>([
  [
    'orders',
    declareDownload({
      permission: 'orders.read',
      querySchema: ordersDownloadQuery,
      fileName: ({ template }) =>
        template === 'raw' || typeof template === 'number' ? 'orders' : `orders-${template}`,
      format: ({ format }) => format,
      check: async ({ db }, { template }) => template === 'raw' || readTemplate(db, template),
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
      check: ({ db }, { id }) => requireStoredShop(db.pool, id),
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
