import type { z } from 'zod';
import type { Database } from '../db/client';
import * as sql from './entries.queries';
import { type OrderEntry, readEntries, readTrackingNumbers, unscannedSince } from './entry-service';
import { type Cause, type OrderQueue, QUEUES_WITH_CAUSE } from './queue';
import type { queueListInput, queueListOutput } from './schema';

type Query = z.output<typeof queueListInput> & { queue: OrderQueue };
type QueueList = z.output<typeof queueListOutput>;
type Entry = QueueList['entries'][number];

/** Which page to return: at most `limit` entries, after a cursor's position and id or, without a cursor, from the first entry. */
interface PageRequest {
  cursorPosition: string | null;
  cursorId: string | null;
  limit: number;
}

/** An entry with its cause and its position in the queue. */
interface RankedEntry extends OrderEntry {
  since: string;
  cause: Cause | null;
  /** Microseconds since the Unix epoch, negative in queues that show the newest first. */
  position: bigint;
}

const toMicroseconds = (instant: string): bigint =>
  BigInt(Date.parse(`${instant.slice(0, 23)}Z`)) * 1000n + BigInt(instant.slice(23, 26));

const compareBigInts = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares entries by the order in which the queue shows them. */
const compareByPosition = (
  a: Pick<RankedEntry, 'position' | 'order_id'>,
  b: Pick<RankedEntry, 'position' | 'order_id'>,
) => compareBigInts(a.position, b.position) || compareBigInts(BigInt(a.order_id), BigInt(b.order_id));

/**
 * Adds each entry's position, the time since which it has waited and, in queues with causes, its cause. If `since` is null, they
 * come from the order's shipments: in queues with causes from the one that has the order's tracking status, the latest if several
 * have it, and in Not scanned from the one that has waited longest. If there is none, the time is `updated_at`.
 */
async function rankEntries(
  db: Database,
  queue: OrderQueue,
  entries: readonly OrderEntry[],
): Promise<RankedEntry[]> {
  const isNewestFirst = QUEUES_WITH_CAUSE.includes(queue);
  const stateByNumber = await readTrackingNumbers(
    db.pool,
    entries.filter(({ since }) => since === null),
  );
  return entries.map((entry) => {
    const [firstShipment] = entry.shipments
      .flatMap((shipment) => {
        const state = entry.since === null ? stateByNumber.get(shipment.number) : undefined;
        if (!state) return [];
        if (!isNewestFirst) {
          const unscanned = unscannedSince(shipment, state);
          return unscanned === null ? [] : [{ since: unscanned, cause: null }];
        }
        if (state.status !== entry.tracking_status) return [];
        return [{ since: state.status_at ?? shipment.created_at, cause: state.cause as Cause | null }];
      })
      .sort((a, b) => (a.since < b.since ? -1 : 1) * (isNewestFirst ? -1 : 1));
    const since = entry.since ?? firstShipment?.since ?? entry.updated_at;
    const position = toMicroseconds(since) * (isNewestFirst ? -1n : 1n);
    const cause = isNewestFirst ? (firstShipment?.cause ?? 'other') : null;
    return { ...entry, since, cause, position };
  });
}

function countCauses(entries: readonly RankedEntry[]): QueueList['causes'] {
  const counts = new Map<Cause, number>();
  for (const { cause } of entries) if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts]
    .map(([cause, count]) => ({ cause, count }))
    .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
}

/** Adds the details of the orders that the page shows. Drops entries whose orders have been deleted in the meantime. */
async function addOrderDetails(
  db: Database,
  page: readonly RankedEntry[],
): Promise<(Entry & { position: string })[]> {
  if (page.length === 0) return [];
  const ids = {
    shopIds: [...new Set(page.map((entry) => entry.shop_id))],
    orderIds: page.map((entry) => entry.order_id),
  };
  const assigneeIds = page.flatMap((entry) => entry.assigned_to ?? []);
  const isReviewQueue = page[0]!.queue === 'to_review';
  const [orderRows, replyRows, assignees] = await Promise.all([
    sql.describeOrders.run(db.pool, ids),
    isReviewQueue ? sql.listNewestReplies.run(db.pool, ids) : [],
    assigneeIds.length > 0 ? sql.listUserNames.run(db.pool, { ids: assigneeIds }) : [],
  ]);
  const trackingNumbers = orderRows.flatMap((order) => order.tracking_numbers);
  const reportRows = isReviewQueue ? [] : await sql.findLatestReports.run(db.pool, { trackingNumbers });
  const reportTimeByNumber = new Map(reportRows.map((row) => [row.tracking_number, row.latest_at]));
  const orderById = new Map(orderRows.map((order) => [order.order_id, order]));
  return page.flatMap((entry) => {
    const order = orderById.get(entry.order_id);
    if (!order) return [];
    const reply = replyRows.find((row) => row.order_id === entry.order_id);
    const reportTimes = order.tracking_numbers.flatMap((number) => reportTimeByNumber.get(number) ?? []);
    return {
      id: entry.order_id,
      position: String(entry.position),
      number: order.number,
      status: order.status,
      shop_id: entry.shop_id,
      shop: order.shop,
      name: order.name,
      buyer: order.buyer,
      title: order.title,
      items: order.items,
      since: entry.since,
      cause: entry.cause,
      latest_at: isReviewQueue ? entry.since : [order.latest_at, ...reportTimes].sort().at(-1)!,
      assigned_to: assignees.find(({ id }) => id === entry.assigned_to) ?? null,
      handled_at: entry.handled_at,
      snoozed_until: entry.snoozed_until,
      tracking_numbers: order.tracking_numbers,
      reply: reply ? { id: reply.id, warnings: reply.warning_count } : null,
    };
  });
}

/** Returns a page of an order queue, and how many entries have each cause, whatever the filter by cause. */
export async function listOrderEntries(
  db: Database,
  { queue, cause, assigned, state, shops }: Query,
  userId: number,
  { cursorPosition, cursorId, limit }: PageRequest,
): Promise<{ causes: QueueList['causes']; entries: (Entry & { position: string })[] }> {
  const storedEntries = await readEntries(db.pool, {
    queues: [queue],
    shopIds: shops?.length ? shops : null,
  });
  const matchingEntries = storedEntries.filter((entry) => {
    if (entry.state !== state) return false;
    return assigned === undefined || entry.assigned_to === (assigned === 'me' ? userId : null);
  });
  const rankedEntries = await rankEntries(db, queue, matchingEntries);
  const cursor = cursorPosition === null ? null : { position: BigInt(cursorPosition), order_id: cursorId! };
  const page = rankedEntries
    .filter((entry) => cause === undefined || entry.cause === cause)
    .filter((entry) => cursor === null || compareByPosition(entry, cursor) > 0)
    .sort(compareByPosition)
    .slice(0, limit);
  return { causes: countCauses(rankedEntries), entries: await addOrderDetails(db, page) };
}
