import type { z } from 'zod';
import { DAY_MS } from '../core/days';
import { decodeCursor, encodeCursor } from '../core/lists/cursor';
import type { Database } from '../db/client';
import { rolesWith } from '../identity/roles';
import { listNewestReplies } from './entries.queries';
import { countOpenOrders, readOpenEntries } from './entry-service';
import { listOrderEntries } from './list-service';
import { findNewProblems } from './problem-service';
import { isOrderQueue, type OrderQueue, QUEUES, type QueueName } from './queue';
import * as sql from './queues.queries';
import type { queueCountsOutput, queueListInput, queueListOutput, queuePeopleOutput } from './schema';
import { countUnmatchedNumbers } from './unmatched.queries';
import { listUnmatchedEntries } from './unmatched-service';

type Query = z.output<typeof queueListInput>;
type QueueList = z.output<typeof queueListOutput>;

/** The roles that may change orders. Entries can be assigned to users with these roles. */
export const ORDER_WRITER_ROLES = rolesWith('orders.write');

/**
 * Returns how many entries are open in each queue, and in all; an order that is in several queues counts once in `total`. The
 * navigation, the pages of queues, the overview and the daily summary use these counts. Unmatched callbacks belong to no shop, so
 * they always count.
 */
export async function countOpenEntries(
  db: Database,
  shopIds: readonly number[] | null,
): Promise<{ countByQueue: Record<QueueName, number>; total: number }> {
  const [orderCounts, [unmatchedRow]] = await Promise.all([
    countOpenOrders(db.pool, shopIds),
    countUnmatchedNumbers.run(db.pool),
  ]);
  const countOf = (queue: QueueName) =>
    isOrderQueue(queue) ? (orderCounts.countByQueue.get(queue) ?? 0) : unmatchedRow!.open_count;
  const counts = QUEUES.map((queue) => [queue, countOf(queue)]);
  return {
    countByQueue: Object.fromEntries(counts) as Record<QueueName, number>,
    total: orderCounts.orderCount + unmatchedRow!.open_count,
  };
}

/** Returns the counts of all queues, and how many entries a user has handled since midnight in `timeZone`. */
export async function countQueues(
  db: Database,
  query: { shops?: readonly number[] | undefined; userId: number; timeZone: string },
): Promise<z.output<typeof queueCountsOutput>> {
  const [openCounts, [handledRow]] = await Promise.all([
    countOpenEntries(db, query.shops?.length ? query.shops : null),
    sql.countHandledToday.run(db.pool, { userId: query.userId, timeZone: query.timeZone }),
  ]);
  return {
    queues: QUEUES.map((queue) => ({ queue, open: openCounts.countByQueue[queue] })),
    total: openCounts.total,
    handled_today: handledRow!.handled_count,
  };
}

/** The numbers of new open entries: exceptions and failed deliveries of the last 24 hours, and replies with warnings. */
export interface NewEntryCounts {
  exception: number;
  delivery_failed: number;
  /** Replies to review with warnings. */
  to_review: number;
}

/** Counts the new open entries, which the overview's tiles show next to the totals. */
export async function countNewEntries(
  db: Database,
  shopIds: readonly number[] | null,
  now: number,
): Promise<NewEntryCounts> {
  const [problems, warnedReplyCount] = await Promise.all([
    findNewProblems(db.pool, shopIds, new Date(now - DAY_MS)),
    countWarnedReplies(db, shopIds),
  ]);
  const countOf = (queue: OrderQueue) => problems.filter((entry) => entry.queue === queue).length;
  return {
    exception: countOf('exception'),
    delivery_failed: countOf('delivery_failed'),
    to_review: warnedReplyCount,
  };
}

async function countWarnedReplies(db: Database, shopIds: readonly number[] | null): Promise<number> {
  const entries = await readOpenEntries(db.pool, 'to_review', shopIds);
  const replies = await listNewestReplies.run(db.pool, {
    shopIds: [...new Set(entries.map((entry) => entry.shop_id))],
    orderIds: entries.map((entry) => entry.order_id),
  });
  return replies.filter(({ warning_count }) => warning_count > 0).length;
}

/** A cursor names its queue, so that no other queue accepts it. */
const cursorName = (queue: QueueName) => `queue.${queue}`;

/** Returns the cursor's position and id, or two nulls without a cursor. */
function readCursor({ queue, cursor }: Query): [position: string, id: string] | [null, null] {
  if (cursor === undefined) return [null, null];
  const idPattern = isOrderQueue(queue) ? /^\d{1,18}$/ : /^\S{1,100}$/;
  return decodeCursor(cursor, cursorName(queue), [/^-?\d{1,18}$/, idPattern]) as [string, string];
}

/**
 * Returns a page of a queue. It starts after the last entry of the previous page, so entries that come and go between two pages
 * cause neither repeats nor gaps.
 *
 * @param userId the current user, for entries assigned to them
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listEntries(db: Database, query: Query, userId: number): Promise<QueueList> {
  const { queue, limit } = query;
  const [cursorPosition, cursorId] = readCursor(query);
  const pageRequest = { cursorPosition, cursorId, limit: limit + 1 };
  const { causes, entries } = isOrderQueue(queue)
    ? await listOrderEntries(db, { ...query, queue }, userId, pageRequest)
    : { causes: [], entries: await listUnmatchedEntries(db, query, userId, pageRequest) };
  const page = entries.slice(0, limit);
  const lastEntry = page.at(-1);
  return {
    entries: page.map(({ position: _, ...entry }) => entry),
    causes,
    next:
      entries.length > limit && lastEntry
        ? encodeCursor(cursorName(queue), [lastEntry.position, lastEntry.id])
        : null,
  };
}

/** Returns the users to whom entries can be assigned, sorted by name. */
export async function listUsers(db: Database, userId: number): Promise<z.output<typeof queuePeopleOutput>> {
  const rows = await sql.listUsers.run(db.pool, { roles: ORDER_WRITER_ROLES });
  return rows.map((row) => ({ ...row, me: row.id === userId }));
}
