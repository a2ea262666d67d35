import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAudits } from '../../audit/service';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { inRetriedTransaction } from '../../db/transaction';
import { groupByNumber, type MergeResult, mergeWithin, type ReportedObservations } from '../merge-service';
import { MAX_REPLAYED } from './bounds';
import type { ParsedCallback } from './callback';
import * as sql from './callbacks.queries';
import { toStoredLeftOut } from './left-out';
import type { MappingKey } from './mapping-service';
import type { replayOutput } from './schema';
import { parseStored } from './service';

export type ReplayedRecord = z.output<typeof replayOutput>['records'][number];

/** The maximum total size of the bodies replayed in one transaction: a few callbacks of the maximum size. */
const BYTES_PER_TRANSACTION = 8 * 1024 * 1024;

type LockedCallback = sql.LockCallbacksRow;

function outcomeOf(id: string, parsed: ParsedCallback, merged: MergeResult): ReplayedRecord {
  const numbers = new Set(parsed.trackingNumbers);
  const updatedOrders = merged.orders.filter(
    ({ trackingNumber, orderId }) => numbers.has(trackingNumber) && merged.changedOrderIds.has(orderId),
  );
  return {
    id,
    found: true,
    form: parsed.form,
    tracking_numbers: parsed.trackingNumbers,
    new_events: merged.newEvents.reduce((sum, { recordId, count }) => sum + (recordId === id ? count : 0), 0),
    updated_orders: new Set(updatedOrders.map(({ orderId }) => orderId)).size,
    changes: merged.changes
      .filter(({ trackingNumber }) => numbers.has(trackingNumber))
      .map(({ trackingNumber, before, after }) => ({ tracking_number: trackingNumber, before, after })),
    error: parsed.reason,
  };
}

/** Returns the result to store for a replay. Adds the result of the first processing if that was interrupted. */
function resultToStore(
  record: LockedCallback,
  { leftOut }: ParsedCallback,
  outcome: ReplayedRecord,
  merged: MergeResult,
): unknown {
  const { form, tracking_numbers, new_events, updated_orders, changes } = outcome;
  const parsed = { form, tracking_numbers, ...toStoredLeftOut(leftOut) };
  const replay = { new_events, updated_orders, changes: changes.length };
  if (record.processed) return { ...parsed, replay };
  const numbers = new Set(tracking_numbers);
  const matched = merged.orders.filter(({ trackingNumber }) => numbers.has(trackingNumber));
  const matched_orders = new Set(matched.map(({ orderId }) => orderId)).size;
  return { ...parsed, matched_orders, updated_orders, new_events, replay };
}

async function replayGroup(
  client: pg.PoolClient,
  actor: Actor,
  ids: readonly string[],
): Promise<ReplayedRecord[]> {
  const locked = await sql.lockCallbacks.run(client, { ids });
  const parsedRecords = locked.map((record) => ({
    record,
    parsed: parseStored(record.body, record.received_at),
  }));
  const observations: ReportedObservations[] = parsedRecords.flatMap(({ record, parsed }) =>
    groupByNumber(parsed.trackingNumbers, parsed.observations, record.id),
  );
  const merged = await mergeWithin(client, observations);
  const outcomes = parsedRecords.map(({ record, parsed }) => outcomeOf(record.id, parsed, merged));
  const finished = parsedRecords.map(({ record, parsed }, index) => ({
    id: record.id,
    result: resultToStore(record, parsed, outcomes[index]!, merged),
    error: outcomes[index]!.error,
  }));
  await sql.finishReplays.run(client, { records: JSON.stringify(finished) });
  await writeAudits(client, actor, [
    {
      action: 'callbacks.replay',
      recordType: 'inbound_record',
      recordId: locked.length === 1 ? locked[0]!.id : `${locked.length} records`,
      after: {
        ids: locked.map(({ id }) => id),
        new_events: outcomes.reduce((sum, { new_events }) => sum + new_events, 0),
        changed_shipments: merged.changes.length,
        updated_orders: merged.changedOrderIds.size,
      },
    },
  ]);
  return outcomes;
}

/** Groups callbacks so that the bodies of each group fit into one transaction. A body over the limit gets a group of its own. */
function groupsOf(callbacks: readonly { id: string; size: number }[]): string[][] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { id, size } of callbacks) {
    if (bytes + size > BYTES_PER_TRANSACTION) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(id);
    bytes += size;
  }
  return groups;
}

/**
 * Parses stored callbacks again with the current code and mappings, and merges their events. Idempotent, even when run
 * concurrently. After a failure, the groups that are already done stay replayed.
 *
 * @returns the changes made by each record, in id order; missing records are marked as not found
 */
export async function replayRecords(
  db: Database,
  actor: Actor,
  requestedIds: readonly string[],
): Promise<ReplayedRecord[]> {
  const ids = [...new Set(requestedIds)];
  const callbacks = await sql.findCallbacks.run(db.pool, { ids });
  const outcomes = new Map<string, ReplayedRecord>();
  for (const group of groupsOf(callbacks)) {
    const groupOutcomes = await inRetriedTransaction(db.pool, (client) => replayGroup(client, actor, group));
    for (const outcome of groupOutcomes) outcomes.set(outcome.id, outcome);
  }
  const missingRecord = (id: string): ReplayedRecord => ({
    id,
    found: false,
    form: null,
    tracking_numbers: [],
    new_events: 0,
    updated_orders: 0,
    changes: [],
    error: createReason('callback.gone'),
  });
  return ids
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .map((id) => outcomes.get(id) ?? missingRecord(id));
}

/**
 * Replays at most {@link MAX_REPLAYED} callbacks with events of this provider status that still have no meaning. `left` counts
 * the rest. Pass the first call's `started_at` as `since` to replay the rest only.
 */
export async function replayUnmapped(
  db: Database,
  actor: Actor,
  key: MappingKey,
  since: Date | null,
): Promise<{ records: ReplayedRecord[]; left: number; started_at: string | null }> {
  const rows = await sql.findCallbacksWithStatus.run(db.pool, { ...key, since, limit: MAX_REPLAYED });
  const [first] = rows;
  if (!first) return { records: [], left: 0, started_at: null };
  const ids = rows.map(({ id }) => id);
  return {
    records: await replayRecords(db, actor, ids),
    left: first.total - rows.length,
    started_at: (since ?? first.now).toISOString(),
  };
}
