import type pg from 'pg';
import { z } from 'zod';
import * as sql from './entries.queries';
import {
  ENTRY_STATES,
  type EntryState,
  NOT_SCANNED_DAYS,
  ORDER_QUEUES,
  type OrderQueue,
  UNSCANNED_STATUSES,
} from './queue';

type Connection = Pick<pg.Pool, 'query'>;

// The database reports only that these columns are JSON and text, so their content is checked when it is read.
const entryShipments = z.array(z.strictObject({ number: z.string(), created_at: z.string() }));
const recordState = z.enum(ENTRY_STATES);

/** What the shop's records say about an entry, before carriers' reports are taken into account. */
interface EntryRecord {
  queue: OrderQueue;
  record_state: EntryState;
  seen_at: string | null;
  tracking_status: string | null;
  /** The shipments of the entry's order, if they can change its state. */
  shipments: z.output<typeof entryShipments>;
}

/** An entry of an order queue. Instants are ISO strings with microseconds, so that they sort as strings. */
export interface OrderEntry extends EntryRecord {
  shop_id: number;
  order_id: string;
  state: EntryState;
  /** When the entry began to wait; null if that depends on the order's shipments. */
  since: string | null;
  updated_at: string;
  assigned_to: number | null;
  handled_at: string | null;
  snoozed_until: string | null;
}

/** Returns the states of the entries' tracking numbers, by number. */
export async function readTrackingNumbers(
  connection: Connection,
  entries: readonly Pick<EntryRecord, 'shipments'>[],
): Promise<Map<string, sql.ReadTrackingNumbersRow>> {
  const trackingNumbers = numbersOf(entries);
  if (trackingNumbers.length === 0) return new Map();
  const rows = await sql.readTrackingNumbers.run(connection, { trackingNumbers, days: NOT_SCANNED_DAYS });
  return new Map(rows.map((row) => [row.tracking_number, row]));
}

const numbersOf = (entries: readonly Pick<EntryRecord, 'shipments'>[]): string[] => [
  ...new Set(entries.flatMap(({ shipments }) => shipments.map(({ number }) => number))),
];

/**
 * Returns the handled and snoozed entries, except those of Replies to review, with a shipment that a carrier has since reported on or
 * a user has since corrected.
 */
async function findReportedEntries<Entry extends EntryRecord>(
  connection: Connection,
  entries: readonly Entry[],
): Promise<Set<Entry>> {
  const dismissedEntries = entries.filter(
    ({ queue, record_state }) => record_state !== 'open' && queue !== 'to_review',
  );
  const lookups = dismissedEntries.flatMap((entry) =>
    entry.shipments.map(({ number }) => ({ entry, number })),
  );
  if (lookups.length === 0) return new Set();
  const rows = await sql.findReportedNumbers.run(connection, {
    trackingNumbers: lookups.map(({ number }) => number),
    instants: lookups.map(({ entry }) => entry.seen_at!),
  });
  return new Set(rows.map(({ position }) => lookups[position - 1]!.entry));
}

/**
 * Returns since when a shipment has had a label that the carrier has not scanned; null if it has been scanned. That is when the
 * number was added to the order or, if earlier, when its status began: a later report without a scan, such as that the number has
 * expired, does not make the label newer.
 */
export const unscannedSince = (
  { created_at }: EntryRecord['shipments'][number],
  { status, status_at }: Pick<sql.ReadTrackingNumbersRow, 'status' | 'status_at'>,
): string | null =>
  !UNSCANNED_STATUSES.includes(status)
    ? null
    : status_at !== null && status_at < created_at
      ? status_at
      : created_at;

/** Returns a row of a statement as an entry, with its JSON checked. */
const entryOf = <Row extends { shipments: unknown; record_state: string }>(row: Row) => ({
  ...row,
  shipments: entryShipments.parse(row.shipments),
  record_state: recordState.parse(row.record_state),
});

/** Adds each entry's state, and drops entries of "Not scanned" whose labels have not waited long enough. */
async function applyReports<Entry extends EntryRecord>(
  connection: Connection,
  entries: readonly Entry[],
): Promise<(Entry & { state: EntryState })[]> {
  const unscannedEntries = entries.filter(({ queue }) => queue === 'not_scanned');
  const stateByNumber = await readTrackingNumbers(connection, unscannedEntries);
  const isWaiting = ({ shipments }: Entry) =>
    shipments.some((shipment) => {
      const state = stateByNumber.get(shipment.number);
      const labelledAt = state && unscannedSince(shipment, state);
      return labelledAt != null && labelledAt < state!.label_before;
    });
  const keptEntries = entries.filter((entry) => entry.queue !== 'not_scanned' || isWaiting(entry));
  const reportedEntries = await findReportedEntries(connection, keptEntries);
  return keptEntries.map((entry) => ({
    ...entry,
    state: reportedEntries.has(entry) ? 'open' : entry.record_state,
  }));
}

/**
 * Returns the entries of queues, in any state and in no particular order, optionally only those of some shops or orders.
 *
 * @param connection a pool, or a connection inside a transaction
 */
export async function readEntries(
  connection: Connection,
  query: {
    queues: readonly OrderQueue[];
    shopIds: readonly number[] | null;
    orderIds?: readonly string[];
  },
): Promise<OrderEntry[]> {
  const rows = await sql.listEntries.run(connection, { orderIds: null, ...query });
  return applyReports(connection, rows.map(entryOf));
}

/**
 * The condition on `queue_records` for entries that are open no matter what carriers have reported. A test checks that
 * `countOpenOrders` and `findOpenOrders` in entries.sql have the same condition.
 */
export const OPEN_BY_RECORDS = `record_state = 'open' AND queue <> 'not_scanned'`;

/** An entry whose state depends on carriers' reports. */
export type ReportedEntry = Pick<OrderEntry, 'shop_id' | 'order_id' | 'since' | keyof EntryRecord>;

/**
 * Returns the open entries that {@link OPEN_BY_RECORDS} does not cover, because they depend on carriers' reports, in no
 * particular order.
 */
export async function findEntriesOpenDueToReports(
  connection: Connection,
  queues: readonly OrderQueue[],
  shopIds: readonly number[] | null,
): Promise<ReportedEntry[]> {
  // Carriers' reports do not reopen entries of Replies to review.
  const reopenableQueues = queues.filter((queue) => queue !== 'not_scanned' && queue !== 'to_review');
  const [unscannedRows, dismissedRows] = await Promise.all([
    queues.includes('not_scanned')
      ? sql.listEntries.run(connection, { queues: ['not_scanned'], shopIds, orderIds: null })
      : [],
    reopenableQueues.length > 0
      ? sql.listDismissedEntries.run(connection, { queues: reopenableQueues, shopIds })
      : [],
  ]);
  const entries = await applyReports(connection, [...unscannedRows, ...dismissedRows].map(entryOf));
  return entries.filter(({ state }) => state === 'open');
}

/** Returns the open entries of a queue. */
export async function readOpenEntries(
  connection: Connection,
  queue: OrderQueue,
  shopIds: readonly number[] | null,
): Promise<OrderEntry[]> {
  const entries = await readEntries(connection, { queues: [queue], shopIds });
  return entries.filter(({ state }) => state === 'open');
}

/** Returns the number of open entries of each order queue that has any, and the number of orders that are open in any queue. */
export async function countOpenOrders(
  connection: Connection,
  shopIds: readonly number[] | null,
): Promise<{ countByQueue: Map<OrderQueue, number>; orderCount: number }> {
  const [combinations, entriesOpenDueToReports] = await Promise.all([
    sql.countOpenOrders.run(connection, { shopIds }),
    findEntriesOpenDueToReports(connection, ORDER_QUEUES, shopIds),
  ]);
  const countedIds = new Set(await findCountedIds(connection, entriesOpenDueToReports));
  const uncountedIds = new Set(
    entriesOpenDueToReports.map((entry) => entry.order_id).filter((id) => !countedIds.has(id)),
  );
  const countByQueue = new Map<OrderQueue, number>();
  const addCount = (queue: OrderQueue, count: number) =>
    countByQueue.set(queue, (countByQueue.get(queue) ?? 0) + count);
  for (const { queues, order_count } of combinations)
    for (const queue of queues) addCount(queue as OrderQueue, order_count);
  for (const { queue } of entriesOpenDueToReports) addCount(queue, 1);
  const orderCount = combinations.reduce((sum, { order_count }) => sum + order_count, uncountedIds.size);
  return { countByQueue, orderCount };
}

/** Returns the ids of the entries' orders that also have an entry that {@link OPEN_BY_RECORDS} covers. */
async function findCountedIds(connection: Connection, entries: readonly ReportedEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const shopIds = [...new Set(entries.map((entry) => entry.shop_id))];
  const rows = await sql.findOpenOrders.run(connection, {
    shopIds,
    orderIds: entries.map((entry) => entry.order_id),
  });
  return rows.map((row) => row.order_id);
}
