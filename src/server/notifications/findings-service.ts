import type pg from 'pg';
import { listShopsMissingStatistics } from '../overview/attention-service';
import { firstRecentDay } from '../overview/recent-imports';
import { type OrderEntry, readOpenEntries } from '../queues/entry-service';
import { type Alert, KEY_EXPIRY_WARNING_DAYS, QUEUE_ALERTS, type QueueAlert } from './kind';
import type { Line } from './message';
import * as sql from './notifications.queries';
import { formatDate, formatDay, type Reader } from './summary';
import { textsIn } from './texts';

/** Something that needs attention now. */
interface Finding {
  /** The id of the order, import or key, or the marketplace's identifier of the shop. */
  entry: string;
  /** When it was last handled, if it is open again. */
  handledAt?: Date | null;
}

/** Everything of one kind that needs attention now, and a function that describes the entries that it is given. */
export interface Findings {
  findings: Finding[];
  describeEntries(entries: readonly string[]): Promise<Line[]>;
}

/** Statistics of a day are expected by noon of the next day, because the marketplace's reports are not available at midnight. */
const GRACE_MS = 12 * 3_600_000;

const isQueueAlert = (kind: Alert): kind is QueueAlert => (QUEUE_ALERTS as readonly string[]).includes(kind);

/** Returns the entries' lines, in the same order. Leaves out entries without a line. */
const linesOf = (entries: readonly string[], lineOf: (entry: string) => Line | undefined) =>
  entries.flatMap((entry) => lineOf(entry) ?? []);

async function readOpenOrders(
  client: pg.PoolClient,
  queue: QueueAlert,
  shopIds: number[] | null,
  reader: Reader,
) {
  const openEntries = await readOpenEntries(client, queue, shopIds);
  const waitStartOf = (entry: OrderEntry) => entry.since ?? entry.updated_at;
  // Orders that have waited longest come first.
  const rows = openEntries
    .sort(
      (a, b) =>
        waitStartOf(a).localeCompare(waitStartOf(b)) || Number(BigInt(a.order_id) - BigInt(b.order_id)),
    )
    .map(({ order_id: entry, shop_id, handled_at }) => ({
      entry,
      shop_id,
      handled_at: handled_at === null ? null : new Date(handled_at),
    }));
  const texts = textsIn(reader.locale);
  return {
    findings: rows.map(({ entry, handled_at: handledAt }) => ({ entry, handledAt })),
    async describeEntries(entries: readonly string[]) {
      const describedRows = rows.filter(({ entry }) => entries.includes(entry));
      const orders = await sql.describeOrders.run(client, {
        shopIds: [...new Set(describedRows.map((row) => row.shop_id))],
        orderIds: describedRows.map(({ entry }) => entry),
      });
      return linesOf(entries, (entry) => {
        const order = orders.find(({ id }) => id === entry);
        return order && { text: texts.order(order.receipt_id, order.shop_name), path: `/orders/${entry}` };
      });
    },
  };
}

async function readFailedImports(
  client: pg.PoolClient,
  shopIds: number[] | null,
  reader: Reader,
  now: number,
) {
  const since = firstRecentDay(now, reader.timeZone).toJSDate();
  const rows = await sql.listFailedImports.run(client, { since, shopIds });
  return {
    findings: rows,
    describeEntries: async (entries: readonly string[]) =>
      linesOf(entries, (entry) => {
        const failedImport = rows.find((row) => row.entry === entry);
        return (
          failedImport && {
            text: textsIn(reader.locale).failedImport(failedImport.file_name, failedImport.shop_name),
            path: `/imports/${entry}`,
          }
        );
      }),
  };
}

async function readMissingStatistics(
  client: pg.PoolClient,
  shopIds: number[] | null,
  reader: Reader,
  now: number,
) {
  const rows = await listShopsMissingStatistics(client, shopIds, { now: now - GRACE_MS, limit: null });
  return {
    findings: rows.map(({ shop_id: entry }) => ({ entry })),
    describeEntries: async (entries: readonly string[]) =>
      linesOf(entries, (entry) => {
        const shop = rows.find((row) => row.shop_id === entry);
        return (
          shop && {
            text: textsIn(reader.locale).shopDay(shop.name, formatDate(reader, shop.day)),
            path: `/statistics/missing?shop=${encodeURIComponent(entry)}`,
          }
        );
      }),
  };
}

async function readExpiringKeys(client: pg.PoolClient, reader: Reader) {
  const rows = await sql.listExpiringKeys.run(client, { days: KEY_EXPIRY_WARNING_DAYS });
  return {
    findings: rows,
    describeEntries: async (entries: readonly string[]) =>
      linesOf(entries, (entry) => {
        const key = rows.find((row) => row.entry === entry);
        const text = key && textsIn(reader.locale).expiringKey(key.name, formatDay(reader, key.expires_at));
        return text === undefined ? undefined : { text, path: `/keys/${entry}` };
      }),
  };
}

/**
 * Returns what needs attention now: open entries of a work queue, recent failed imports, API keys that expire soon, or shops
 * without statistics. Queue entries match those on the pages; missing statistics are reported twelve hours after the overview
 * shows them.
 *
 * @param shopIds null for all shops
 */
export function readFindings(
  client: pg.PoolClient,
  kind: Alert,
  reader: Reader,
  { shopIds, now }: { shopIds: number[] | null; now: number },
): Promise<Findings> {
  if (isQueueAlert(kind)) return readOpenOrders(client, kind, shopIds, reader);
  switch (kind) {
    case 'statistics_missing':
      return readMissingStatistics(client, shopIds, reader, now);
    case 'import_failed':
      return readFailedImports(client, shopIds, reader, now);
    case 'key_expiring':
      return readExpiringKeys(client, reader);
  }
}
