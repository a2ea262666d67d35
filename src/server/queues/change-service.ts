import type { Actor } from '../audit/service';
import { invalidField, notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Database } from '../db/client';
import {
  type ChangeResult,
  changeEntries,
  type EntryChange,
  type EntryReference,
} from './entry-change-service';
import { readEntries } from './entry-service';
import type { QueueName } from './queue';
import * as sql from './queues.queries';
import { ORDER_WRITER_ROLES } from './service';
import * as unmatchedSql from './unmatched.queries';

/** An entry as the caller has seen it. News after `latest_at` reopens it. */
interface SeenEntry extends EntryReference {
  latest_at: string;
}

/** Marks entries as handled. They reopen when something new happens. */
export function handleEntries(
  db: Database,
  actor: Actor & { id: number },
  input: { queue: QueueName; entries: readonly SeenEntry[] },
): Promise<ChangeResult> {
  return changeEntries(db, actor, { ...input, action: 'handle', ...createDismissal(actor, null) });
}

/**
 * Snoozes entries until an instant, or until something new happens, whichever comes first.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError `validation_failed` if the instant is not in the future
 */
export function snoozeEntries(
  db: Database,
  actor: Actor & { id: number },
  input: { queue: QueueName; entries: readonly SeenEntry[]; until: string },
  now: number,
): Promise<ChangeResult> {
  const { until } = input;
  if (Date.parse(until) <= now) throw invalidField('until', createReason('key.future'));
  return changeEntries(db, actor, {
    ...input,
    action: 'snooze',
    after: { snoozed_until: until },
    ...createDismissal(actor, until),
  });
}

/** Returns the functions that snooze entries until `until`, or mark them as handled if it is null. */
function createDismissal(
  { id: userId }: { id: number },
  until: string | null,
): Pick<EntryChange<SeenEntry>, 'changeOrders' | 'changeNumbers'> {
  const seenAtsOf = (entries: readonly SeenEntry[]) => entries.map((entry) => entry.latest_at);
  return {
    changeOrders: async (client, { queue, shopId, entries, orderIds, now }) => {
      const currentEntries = await readEntries(client, { queues: [queue], shopIds: [shopId], orderIds });
      const openOrderIds = new Set(
        currentEntries.flatMap(({ state, order_id }) => (state === 'open' ? order_id : [])),
      );
      const openEntries = entries.filter(({ id }) => openOrderIds.has(id));
      const params = {
        shopId,
        queue,
        orderIds: openEntries.map(({ id }) => id),
        seenAts: seenAtsOf(openEntries),
      };
      await sql.endSnoozes.run(client, { ...params, now });
      return sql.dismissOrders.run(client, { ...params, userId, until, now });
    },
    changeNumbers: (client, entries, trackingNumbers, now) =>
      unmatchedSql.dismissNumbers.run(client, {
        trackingNumbers,
        seenAts: seenAtsOf(entries),
        userId,
        until,
        now,
      }),
  };
}

/** Reopens entries that were handled or snoozed. */
export function putBackEntries(
  db: Database,
  actor: Actor,
  input: { queue: QueueName; entries: readonly EntryReference[] },
): Promise<ChangeResult> {
  return changeEntries(db, actor, {
    ...input,
    action: 'put_back',
    changeOrders: (client, { queue, shopId, orderIds }) =>
      sql.putOrdersBack.run(client, { shopId, queue, orderIds }),
    changeNumbers: (client, _, trackingNumbers) =>
      unmatchedSql.putNumbersBack.run(client, { trackingNumbers }),
  });
}

/**
 * Assigns entries to a user, or to nobody.
 *
 * @throws ServiceError `not_found` if there is no active user with this id whose role may change orders
 */
export async function assignEntries(
  db: Database,
  actor: Actor,
  input: { queue: QueueName; entries: readonly EntryReference[]; userId: number | null },
): Promise<ChangeResult> {
  const { userId } = input;
  const [user] =
    userId === null ? [] : await sql.findAssignableUser.run(db.pool, { userId, roles: ORDER_WRITER_ROLES });
  if (userId !== null && !user) throw notFound(createReason('answer.noUser', { id: userId }));
  return changeEntries(db, actor, {
    ...input,
    action: 'assign',
    after: { assigned_to: user?.name ?? null },
    changeOrders: async (client, { queue, shopId, orderIds }) => {
      const entries = await readEntries(client, { queues: [queue], shopIds: [shopId], orderIds });
      return sql.assignOrders.run(client, {
        shopId,
        queue,
        orderIds: entries.map((entry) => entry.order_id),
        userId,
      });
    },
    changeNumbers: (client, _, trackingNumbers) =>
      unmatchedSql.assignNumbers.run(client, { trackingNumbers, userId }),
  });
}
