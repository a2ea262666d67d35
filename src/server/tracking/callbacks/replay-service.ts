import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { inTransactionWithLimitedWait } from '../../db/locks/lock-waits';
import {
  groupByNumber,
  type MergeResult,
  mergeObservationsInTransaction,
  type ReportedObservations,
} from '../merge-service';
import { MAX_REPLAYED_CALLBACKS } from './bounds';
import type { ParsedCallback } from './callback';
import * as sql from './callbacks.queries';
import type { MappingKey } from './mapping-service';
import type { replayOutput } from './schema';
import { parseStoredBody } from './service';
import { toStoredSkippedParts } from './skipped-parts';

export type ReplayedRecord = z.output<typeof replayOutput>['records'][number];

/**
 * The maximum total size of the bodies replayed in one transaction: that of one callback of the usual maximum size, because other
 * requests wait while they are parsed.
 */
const BYTES_PER_TRANSACTION = 1024 * 1024;

type LockedCallback = sql.LockCallbacksRow;

function outcomeOf(id: string, callback: ParsedCallback, mergeResult: MergeResult): ReplayedRecord {
  const numbers = new Set(callback.trackingNumbers);
  const updatedOrders = mergeResult.orders.filter(
    ({ trackingNumber, orderId }) => numbers.has(trackingNumber) && mergeResult.changedOrderIds.has(orderId),
  );
  return {
    id,
    found: true,
    form: callback.form,
    tracking_numbers: callback.trackingNumbers,
    new_events: mergeResult.newEventCounts.reduce(
      (sum, { recordId, count }) => sum + (recordId === id ? count : 0),
      0,
    ),
    updated_orders: new Set(updatedOrders.map(({ orderId }) => orderId)).size,
    changes: mergeResult.changes
      .filter(({ trackingNumber }) => numbers.has(trackingNumber))
      .map(({ trackingNumber, before, after }) => ({ tracking_number: trackingNumber, before, after })),
    error: callback.reason,
  };
}

/** Returns the result to store for a replay. Adds the result of the first processing if that was interrupted. */
function toStoredResult(
  record: LockedCallback,
  { skipped }: ParsedCallback,
  outcome: ReplayedRecord,
  mergeResult: MergeResult,
): unknown {
  const { form, tracking_numbers, new_events, updated_orders, changes } = outcome;
  const callbackFields = { form, tracking_numbers, ...toStoredSkippedParts(skipped) };
  const replay = { new_events, updated_orders, changes: changes.length };
  if (record.is_processed) return { ...callbackFields, replay };
  const numbers = new Set(tracking_numbers);
  const matchedOrders = mergeResult.orders.filter(({ trackingNumber }) => numbers.has(trackingNumber));
  const matched_orders = new Set(matchedOrders.map(({ orderId }) => orderId)).size;
  return { ...callbackFields, matched_orders, updated_orders, new_events, replay };
}

async function replayGroup(
  client: pg.PoolClient,
  actor: Actor,
  ids: readonly string[],
): Promise<ReplayedRecord[]> {
  const lockedCallbacks = await sql.lockCallbacks.run(client, { ids });
  const parsedRecords = lockedCallbacks.map((record) => ({
    record,
    callback: parseStoredBody(record.body, record.received_at),
  }));
  // An old callback does not replace the carrier that was reported since. Only one that has never been processed names a carrier at
  // all, because that of the others was stored when they arrived.
  const reports: ReportedObservations[] = parsedRecords.flatMap(({ record, callback }) =>
    groupByNumber({ ...callback, carrier: record.is_processed ? null : callback.carrier }, record.id).map(
      (report) => ({ ...report, keepsStoredCarrier: true }),
    ),
  );
  const mergeResult = await mergeObservationsInTransaction(client, reports);
  const outcomes = parsedRecords.map(({ record, callback }) => outcomeOf(record.id, callback, mergeResult));
  const finishedReplays = parsedRecords.map(({ record, callback }, index) => ({
    id: record.id,
    result: toStoredResult(record, callback, outcomes[index]!, mergeResult),
    error: outcomes[index]!.error,
  }));
  await sql.finishReplays.run(client, { records: JSON.stringify(finishedReplays) });
  await writeAuditEntries(client, actor, [
    {
      action: 'callbacks.replay',
      recordType: 'inbound_record',
      recordId: lockedCallbacks.length === 1 ? lockedCallbacks[0]!.id : `${lockedCallbacks.length} records`,
      after: {
        ids: lockedCallbacks.map(({ id }) => id),
        new_events: outcomes.reduce((sum, { new_events }) => sum + new_events, 0),
        changed_shipments: mergeResult.changes.length,
        updated_orders: mergeResult.changedOrderIds.size,
      },
    },
  ]);
  return outcomes;
}

/** Groups callbacks so that the bodies of each group fit into one transaction. A body over the limit gets a group of its own. */
function groupsOf(callbacks: readonly { id: string; size: number }[]): string[][] {
  const groups: string[][] = [];
  let groupSize = Number.POSITIVE_INFINITY;
  for (const { id, size } of callbacks) {
    if (groupSize + size > BYTES_PER_TRANSACTION) {
      groups.push([]);
      groupSize = 0;
    }
    groups.at(-1)!.push(id);
    groupSize += size;
  }
  return groups;
}

/**
 * Parses stored callbacks again with the current code and mappings, and merges their events. Idempotent, even when run
 * concurrently. After a failure, the groups that are already done stay replayed.
 *
 * @returns what changed for each record, in id order; missing records are marked as not found
 * @throws ServiceError `service_unavailable` if an import has locked their tracking numbers for too long
 */
export async function replayRecords(
  db: Database,
  actor: Actor,
  requestedIds: readonly string[],
): Promise<ReplayedRecord[]> {
  const ids = [...new Set(requestedIds)];
  const callbacks = await sql.findCallbacks.run(db.pool, { ids });
  const outcomeById = new Map<string, ReplayedRecord>();
  for (const group of groupsOf(callbacks)) {
    const groupOutcomes = await inTransactionWithLimitedWait(db.pool, (client) =>
      replayGroup(client, actor, group),
    );
    for (const outcome of groupOutcomes) outcomeById.set(outcome.id, outcome);
  }
  const createNotFoundOutcome = (id: string): ReplayedRecord => ({
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
    .map((id) => outcomeById.get(id) ?? createNotFoundOutcome(id));
}

/**
 * Replays at most {@link MAX_REPLAYED_CALLBACKS} callbacks with events of this provider status that still have no meaning. `left`
 * counts the rest. Pass the first call's `started_at` as `since` to replay only the rest.
 */
export async function replayUnmappedCallbacks(
  db: Database,
  actor: Actor,
  key: MappingKey,
  since: Date | null,
): Promise<{ records: ReplayedRecord[]; left: number; started_at: string | null }> {
  const rows = await sql.findCallbacksWithStatus.run(db.pool, {
    ...key,
    since,
    limit: MAX_REPLAYED_CALLBACKS,
  });
  const [firstRow] = rows;
  if (!firstRow) return { records: [], left: 0, started_at: null };
  const ids = rows.map(({ id }) => id);
  return {
    records: await replayRecords(db, actor, ids),
    left: firstRow.total - rows.length,
    started_at: (since ?? firstRow.now).toISOString(),
  };
}
