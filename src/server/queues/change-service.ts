import type pg from 'pg';
import { type Actor, writeAudits } from '../audit/audit';
import { ServiceError, validationError } from '../core/errors';
import { inTransaction } from '../core/postgres';
import { because, problemAt } from '../core/reason';
import type { Database } from '../db/client';
import type { QueueName } from './queue';
import * as sql from './queues.queries';
import { WORKING_ROLES } from './service';

/** An entry of a queue, by its order. */
interface EntryReference {
  shop_id: number;
  order_id: string;
}

/** An entry as the caller has seen it: what happens after `latest_at` opens it again. */
interface SeenEntry extends EntryReference {
  latest_at: string;
}

/** The ids of the orders whose entries changed. */
interface Changed {
  changed: string[];
}

interface Work<Entry extends EntryReference> {
  queue: QueueName;
  entries: readonly Entry[];
  action: 'order.handle' | 'order.snooze' | 'order.assign' | 'order.put_back';
  /** What the audit log says besides the queue. */
  after?: Record<string, string | null>;
  /** Changes entries of one shop. @returns the ids of the changed orders */
  change: (
    client: pg.PoolClient,
    shop: { shopId: number; entries: readonly Entry[]; orderIds: string[] },
  ) => Promise<{ order_id: string }[]>;
}

/**
 * Changes entries shop by shop in one transaction, and writes each that changed to the audit log.
 *
 * @throws ServiceError `not_found` naming the orders that their shops do not have; nothing changes then
 */
function changeEntries<Entry extends EntryReference>(
  db: Database,
  actor: Actor,
  { queue, entries, action, after = {}, change }: Work<Entry>,
): Promise<Changed> {
  return inTransaction(db.pool, async (client) => {
    const changed: string[] = [];
    for (const shopId of [...new Set(entries.map((entry) => entry.shop_id))].sort((a, b) => a - b)) {
      const own = entries.filter((entry) => entry.shop_id === shopId);
      const orderIds = own.map((entry) => entry.order_id);
      await requireOrders(client, shopId, orderIds);
      const rows = await change(client, { shopId, entries: own, orderIds });
      changed.push(...rows.map((row) => row.order_id));
    }
    await writeAudits(
      client,
      actor,
      changed.map((id) => ({ action, recordType: 'order', recordId: id, after: { queue, ...after } })),
    );
    return { changed };
  });
}

async function requireOrders(client: pg.PoolClient, shopId: number, orderIds: string[]): Promise<void> {
  const found = new Set((await sql.findOrders.run(client, { shopId, orderIds })).map(({ id }) => id));
  const missing = orderIds.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new ServiceError('not_found', because('answer.noOrders', { id: missing.slice(0, 5).join(', ') }));
}

/** Marks entries as handled. They come back when something new happens. */
export function handleEntries(
  db: Database,
  actor: Actor & { id: number },
  input: { queue: QueueName; entries: readonly SeenEntry[] },
): Promise<Changed> {
  return changeEntries(db, actor, { ...input, action: 'order.handle', change: setAside(input, actor, null) });
}

/**
 * Puts entries off until an instant, or until something new happens, whichever comes first.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError `validation_failed` if the instant is not in the future
 */
export function snoozeEntries(
  db: Database,
  actor: Actor & { id: number },
  input: { queue: QueueName; entries: readonly SeenEntry[]; until: string },
  now: number,
): Promise<Changed> {
  const { until } = input;
  if (Date.parse(until) <= now) throw validationError([problemAt('until', because('key.future'))]);
  return changeEntries(db, actor, {
    ...input,
    action: 'order.snooze',
    after: { snoozed_until: until },
    change: setAside(input, actor, until),
  });
}

function setAside(
  { queue }: { queue: QueueName },
  actor: { id: number },
  until: string | null,
): Work<SeenEntry>['change'] {
  return (client, { shopId, entries, orderIds }) =>
    sql.setAside.run(client, {
      shopId,
      queue,
      orderIds,
      seenAts: entries.map((entry) => entry.latest_at),
      userId: actor.id,
      until,
    });
}

/** Opens entries again that were handled or snoozed. */
export function putBackEntries(
  db: Database,
  actor: Actor,
  input: { queue: QueueName; entries: readonly EntryReference[] },
): Promise<Changed> {
  return changeEntries(db, actor, {
    ...input,
    action: 'order.put_back',
    change: (client, { shopId, orderIds }) =>
      sql.putBack.run(client, { shopId, queue: input.queue, orderIds }),
  });
}

/**
 * Assigns entries to a person, or to nobody.
 *
 * @throws ServiceError `not_found` if there is no such person, or their role does not work on orders
 */
export async function assignEntries(
  db: Database,
  actor: Actor,
  input: { queue: QueueName; entries: readonly EntryReference[]; userId: number | null },
): Promise<Changed> {
  const { queue, userId } = input;
  const [person] = userId === null ? [] : await sql.findPerson.run(db.pool, { userId, roles: WORKING_ROLES });
  if (userId !== null && !person)
    throw new ServiceError('not_found', because('answer.noUser', { id: userId }));
  return changeEntries(db, actor, {
    ...input,
    action: 'order.assign',
    after: { assigned_to: person?.name ?? null },
    change: (client, { shopId, orderIds }) => sql.assign.run(client, { shopId, queue, orderIds, userId }),
  });
}
