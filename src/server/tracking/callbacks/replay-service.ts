import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAudits } from '../../audit/audit';
import { isServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import { inRetriedTransaction } from '../../core/postgres';
import { parseJsonObject } from '../../core/text/json-object';
import type { Database } from '../../db/client';
import { groupByNumber, type MergeResult, mergeWithin, type ReportedObservations } from '../merge-service';
import { MAX_REPLAYED } from './bounds';
import type { ParsedCallback } from './callback';
import * as sql from './callbacks.queries';
import { keptLeftOut } from './left-out';
import type { replayOutput } from './schema';
import { parseBody } from './service';

export type ReplayedRecord = z.output<typeof replayOutput>['records'][number];

/** Bytes of bodies per transaction: as much as a few callbacks of the largest size. */
const BYTES_AT_ONCE = 8 * 1024 * 1024;

type LockedCallback = sql.LockCallbacksRow;

const NOTHING: ParsedCallback = {
  form: 'unknown',
  trackingNumbers: [],
  observations: [],
  leftOut: [],
  reason: null,
};

/**
 * Returns what a record says under today's code. Stored bodies were JSON on arrival, but a broken one must not stop the others.
 */
function parseStored(record: LockedCallback): ParsedCallback {
  try {
    return parseBody(parseJsonObject(record.body), record.body, record.received_at);
  } catch (error) {
    if (isServiceError(error)) return { ...NOTHING, reason: error.reason };
    throw error;
  }
}

function replayed(id: string, understood: ParsedCallback, merged: MergeResult): ReplayedRecord {
  const numbers = new Set(understood.trackingNumbers);
  const updated = merged.orders.filter(
    ({ trackingNumber, orderId }) => numbers.has(trackingNumber) && merged.changedOrderIds.has(orderId),
  );
  return {
    id,
    found: true,
    form: understood.form,
    tracking_numbers: understood.trackingNumbers,
    new_events: merged.newEvents.reduce((sum, { recordId, count }) => sum + (recordId === id ? count : 0), 0),
    updated_orders: new Set(updated.map(({ orderId }) => orderId)).size,
    changes: merged.changes
      .filter(({ trackingNumber }) => numbers.has(trackingNumber))
      .map(({ trackingNumber, before, after }) => ({ tracking_number: trackingNumber, before, after })),
    error: understood.reason,
  };
}

/** Returns what is stored about a replay. A record whose first processing was interrupted gets its missing result. */
function keptResult(
  record: LockedCallback,
  { leftOut }: ParsedCallback,
  outcome: ReplayedRecord,
  merged: MergeResult,
): unknown {
  const { form, tracking_numbers, new_events, updated_orders, changes } = outcome;
  const understood = { form, tracking_numbers, ...keptLeftOut(leftOut) };
  const replay = { new_events, updated_orders, changes: changes.length };
  if (record.processed) return { ...understood, replay };
  const numbers = new Set(tracking_numbers);
  const matched = merged.orders.filter(({ trackingNumber }) => numbers.has(trackingNumber));
  const matched_orders = new Set(matched.map(({ orderId }) => orderId)).size;
  return { ...understood, matched_orders, updated_orders, new_events, replay };
}

async function replayGroup(
  client: pg.PoolClient,
  actor: Actor,
  ids: readonly string[],
): Promise<ReplayedRecord[]> {
  const locked = await sql.lockCallbacks.run(client, { ids });
  const read = locked.map((record) => ({ record, understood: parseStored(record) }));
  const observations: ReportedObservations[] = read.flatMap(({ record, understood }) =>
    groupByNumber(understood.trackingNumbers, understood.observations, record.id),
  );
  const merged = await mergeWithin(client, observations);
  const outcomes = read.map(({ record, understood }) => replayed(record.id, understood, merged));
  const finished = read.map(({ record, understood }, index) => ({
    id: record.id,
    result: keptResult(record, understood, outcomes[index]!, merged),
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

/** Groups ids so that the bodies of a group fit into memory together; a group has at least one id. */
function groupsOf(found: readonly { id: string; size: number }[]): string[][] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { id, size } of found) {
    if (bytes + size > BYTES_AT_ONCE) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(id);
    bytes += size;
  }
  return groups;
}

/**
 * Reads stored callbacks again with today's code and mappings, and merges their events. Repeating it, even concurrently,
 * changes nothing more. After a failure, the groups of records already done are kept.
 *
 * @returns the changes of each record, in id order; missing records are marked as not found
 */
export async function replayRecords(
  db: Database,
  actor: Actor,
  given: readonly string[],
): Promise<ReplayedRecord[]> {
  const ids = [...new Set(given)];
  const found = await sql.findCallbacks.run(db.pool, { ids });
  const outcomes = new Map<string, ReplayedRecord>();
  for (const group of groupsOf(found)) {
    const done = await inRetriedTransaction(db.pool, (client) => replayGroup(client, actor, group));
    for (const outcome of done) outcomes.set(outcome.id, outcome);
  }
  const missing = (id: string): ReplayedRecord => ({
    id,
    found: false,
    form: null,
    tracking_numbers: [],
    new_events: 0,
    updated_orders: 0,
    changes: [],
    error: because('callback.gone'),
  });
  return ids
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .map((id) => outcomes.get(id) ?? missing(id));
}

/** Replays the callbacks whose events have this word and no status, up to the limit of one call. */
export async function replayUnmapped(
  db: Database,
  actor: Actor,
  word: { source: string; providerStatus: string },
): Promise<{ records: ReplayedRecord[]; left: number }> {
  const rows = await sql.findCallbacksWithWord.run(db.pool, {
    source: word.source,
    word: word.providerStatus,
    limit: MAX_REPLAYED,
  });
  const ids = rows.map(({ id }) => id);
  return { records: await replayRecords(db, actor, ids), left: (rows[0]?.total ?? 0) - rows.length };
}
