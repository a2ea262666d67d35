import type { z } from 'zod';
import { decodeCursor, encodeCursor } from '../core/cursor';
import type { Database } from '../db/client';
import { rolesWith } from '../identity/roles';
import { NEWEST_FIRST, QUEUES, type QueueName } from './queue';
import * as sql from './queues.queries';
import type { queueCountsOutput, queueListInput, queueListOutput, queuePeopleOutput } from './schema';

type Query = z.output<typeof queueListInput>;
type QueueList = z.output<typeof queueListOutput>;
type Entry = QueueList['entries'][number];

/** The roles that work on orders, to whom entries can be assigned. */
export const WORKING_ROLES = rolesWith('orders.write');

/** Returns how many entries are open in each queue: the only count of them, whichever page shows it. */
export async function countOpenEntries(
  db: Database,
  shops: readonly number[] | null,
): Promise<{ queues: Record<QueueName, number>; orders: number }> {
  const rows = await sql.countOpen.run(db.pool, { shopIds: shops });
  const of = (queue: QueueName | null) => rows.find((row) => row.queue === queue)?.open ?? 0;
  return {
    queues: Object.fromEntries(QUEUES.map((queue) => [queue, of(queue)])) as Record<QueueName, number>,
    orders: of(null),
  };
}

/** Returns the counts of all queues, and what a user has handled today. */
export async function countQueues(
  db: Database,
  query: { shops?: readonly number[] | undefined; userId: number },
): Promise<z.output<typeof queueCountsOutput>> {
  const [open, [today]] = await Promise.all([
    countOpenEntries(db, query.shops?.length ? query.shops : null),
    sql.countHandledToday.run(db.pool, { userId: query.userId }),
  ]);
  return {
    queues: QUEUES.map((queue) => ({ queue, open: open.queues[queue] })),
    orders: open.orders,
    handled_today: today!.handled,
  };
}

/** The cursor of each queue names it, so that no other queue accepts it. */
const cursorName = (queue: QueueName) => `queue.${queue}`;

/**
 * Returns a page of a queue. It starts after the last entry of the previous page, so entries that come and go in between
 * neither repeat nor hide any.
 *
 * @param userId the reader, for entries assigned to them
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listEntries(db: Database, query: Query, userId: number): Promise<QueueList> {
  const { queue, cursor, limit, cause, assigned, state, shops } = query;
  const [cursorPosition, cursorId] =
    cursor === undefined
      ? [null, null]
      : (decodeCursor(cursor, cursorName(queue), [/^-?\d{1,18}$/, /^\d{1,18}$/]) as [string, string]);
  const [row] = await sql.listEntries.run(db.pool, {
    queue,
    state,
    direction: NEWEST_FIRST.includes(queue) ? -1 : 1,
    shopIds: shops?.length ? shops : null,
    assignedTo: assigned === 'me' ? userId : null,
    unassigned: assigned === 'nobody',
    cause: cause ?? null,
    cursorPosition,
    cursorId,
    limit: limit + 1,
  });
  const { causes, entries } = row as unknown as {
    causes: QueueList['causes'];
    entries: (Entry & { position: string })[];
  };
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ position: _, ...entry }) => entry),
    causes,
    next:
      entries.length > limit && last ? encodeCursor(cursorName(queue), [last.position, last.order_id]) : null,
  };
}

/** Returns the people to whom entries can be assigned, by name. */
export async function listPeople(db: Database, userId: number): Promise<z.output<typeof queuePeopleOutput>> {
  const rows = await sql.listPeople.run(db.pool, { roles: WORKING_ROLES });
  return rows.map((row) => ({ ...row, me: row.id === userId }));
}
