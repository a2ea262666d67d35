import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAudits } from '../../audit/audit';
import { instantText } from '../../core/cursor';
import { ServiceError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { because } from '../../core/reason';
import type { TrackingStatus } from '../../core/statuses';
import { takeLock } from '../../db/advisory-locks';
import type { Database } from '../../db/client';
import { lockNumbers, recomputeStatuses, type ShipmentChange } from '../merge-service';
import { foldedWord, mappedSource } from '../merge-sql';
import type { mappedOutput, mappingsOutput, unmappedOutput } from './schema';

/** A provider's status word, in any case. */
export interface ProviderWord {
  source: string;
  providerStatus: string;
}

type Mapped = z.output<typeof mappedOutput>;

/** Most words in the queue, and most shipments in one response. */
const SHOWN = 500;
/** Shipments updated per transaction, so that callbacks about them do not wait long. */
const BATCH_SIZE = 500;

const UNMAPPED = `
WITH words AS (
  SELECT ${mappedSource('source')} AS source, ${foldedWord('provider_status')} AS word, count(*)::int AS events,
         count(DISTINCT tracking_number)::int AS parcels, min(received_at) AS since, max(received_at) AS newest,
         max(id) AS example
    FROM tracking_events WHERE status IS NULL AND provider_status IS NOT NULL
   GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${SHOWN}
)
SELECT w.source, e.provider_status, w.events, w.parcels,
       ${instantText('w.since')} AS since, ${instantText('w.newest')} AS newest,
       json_build_object('tracking_number', e.tracking_number, 'description', e.description,
                         'occurred_at', ${instantText('e.occurred_at')}, 'record_id', e.inbound_record_id::text) AS example
  FROM words w JOIN tracking_events e ON e.id = w.example
 ORDER BY w.events DESC, w.source, w.word`;

/** Returns the queue: status words of providers that have no meaning yet, with where they occurred. */
export async function listUnmapped(db: Database): Promise<z.output<typeof unmappedOutput>> {
  const { rows } = await db.pool.query(UNMAPPED);
  return { words: rows };
}

/** Returns the meanings that users have given to providers' words. */
export async function listMappings(db: Database): Promise<z.output<typeof mappingsOutput>> {
  const { rows } = await db.pool.query(
    `SELECT source, provider_status, status, created_by, ${instantText('created_at')} AS created_at
       FROM status_mappings ORDER BY source, provider_status`,
  );
  return { mappings: rows };
}

/**
 * $1 source, $2 word. Events with this word that a mapping may decide: the provider's own sub-status and the status that the
 * code has read take precedence.
 */
const OF_WORD = `${mappedSource('e.source')} = $1 AND ${foldedWord('e.provider_status')} = ${foldedWord('$2::text')}
 AND e.sub_status IS NULL`;

/** The word's current meaning. It is read in the statement, so that after several concurrent changes the last one applies. */
const MEANING = `(SELECT m.status FROM status_mappings m WHERE m.source = $1 AND m.provider_status = ${foldedWord('$2::text')})`;

/** $3 the word's previous status, or null. */
const OUTDATED = `(e.status IS NULL OR e.status = $3::tracking_status) AND e.status IS DISTINCT FROM ${MEANING}`;

const NUMBERS_NOT_IN_LINE = `
SELECT DISTINCT e.tracking_number FROM tracking_events e WHERE ${OF_WORD} AND ${OUTDATED} ORDER BY 1`;

/** $4 tracking numbers that are locked. */
const APPLY_MAPPING = `
UPDATE tracking_events e SET status = ${MEANING}
 WHERE e.tracking_number = ANY($4::text[]) AND ${OF_WORD} AND ${OUTDATED}`;

/** Applies a word's mapping to its stored events, and updates their shipments and orders. */
async function applyMapping(
  db: Database,
  { source, providerStatus }: ProviderWord,
  previous: TrackingStatus | null,
): Promise<Mapped> {
  const word = [source, providerStatus, previous];
  const { rows } = await db.pool.query<{ tracking_number: string }>(NUMBERS_NOT_IN_LINE, word);
  const numbers = rows.map((row) => row.tracking_number);
  const changes: ShipmentChange[] = [];
  let events = 0;
  let orders = 0;
  for (let start = 0; start < numbers.length; start += BATCH_SIZE) {
    const group = numbers.slice(start, start + BATCH_SIZE);
    await inTransaction(db.pool, async (client) => {
      const locked = await lockNumbers(client, group);
      const { rowCount } = await client.query(APPLY_MAPPING, [...word, group]);
      const done = await recomputeStatuses(client, locked);
      events += rowCount ?? 0;
      orders += done.changedOrderIds.size;
      changes.push(...done.changes);
    });
  }
  return {
    changed_events: events,
    updated_orders: orders,
    changes: changes
      .slice(0, SHOWN)
      .map(({ trackingNumber, before, after }) => ({ tracking_number: trackingNumber, before, after })),
    change_count: changes.length,
  };
}

/** Waits for merges in progress, which have read the old mappings; merges that start later wait for this change. */
async function changeMappings<T>(db: Database, change: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(db.pool, async (client) => {
    await takeLock(client, 'statusMappings');
    return change(client);
  });
}

const CURRENT = `SELECT m.status FROM status_mappings m WHERE m.source = $1 AND m.provider_status = ${foldedWord('$2::text')}`;

const STORE = `
INSERT INTO status_mappings (source, provider_status, status, created_by) VALUES ($1, ${foldedWord('$2::text')}, $3, $4)
ON CONFLICT (source, provider_status)
DO UPDATE SET status = excluded.status, created_by = excluded.created_by, created_at = now()
RETURNING provider_status`;

/**
 * Sets the meaning of a provider's word: at once for stored events, and for all later callbacks and carrier responses, in every
 * process. A new meaning replaces the old one. If the update is interrupted, setting the same meaning again also updates the
 * events that still have no status.
 */
export async function mapStatus(
  db: Database,
  actor: Actor,
  word: ProviderWord,
  status: TrackingStatus,
): Promise<Mapped> {
  const { source, providerStatus } = word;
  const previous = await changeMappings(db, async (client) => {
    const current = await client.query<{ status: TrackingStatus }>(CURRENT, [source, providerStatus]);
    const before = current.rows[0]?.status ?? null;
    const stored = await client.query<{ provider_status: string }>(STORE, [
      source,
      providerStatus,
      status,
      actor.name,
    ]);
    await writeAudits(client, actor, [
      {
        action: 'status_mapping.set',
        recordType: 'status_mapping',
        recordId: `${source}: ${stored.rows[0]!.provider_status}`,
        before: { status: before },
        after: { status },
      },
    ]);
    return before;
  });
  return applyMapping(db, word, previous);
}

const REMOVE = `
DELETE FROM status_mappings m WHERE m.source = $1 AND m.provider_status = ${foldedWord('$2::text')}
RETURNING status, provider_status`;

/**
 * Removes a word's meaning. Its stored events lose the status they had from it.
 *
 * @throws ServiceError `not_found`
 */
export async function unmapStatus(db: Database, actor: Actor, word: ProviderWord): Promise<Mapped> {
  const previous = await changeMappings(db, async (client) => {
    const { rows } = await client.query<{ status: TrackingStatus; provider_status: string }>(REMOVE, [
      word.source,
      word.providerStatus,
    ]);
    const removed = rows[0];
    if (!removed) throw new ServiceError('not_found', because('answer.noMapping'));
    await writeAudits(client, actor, [
      {
        action: 'status_mapping.remove',
        recordType: 'status_mapping',
        recordId: `${word.source}: ${removed.provider_status}`,
        before: { status: removed.status },
        after: { status: null },
      },
    ]);
    return removed.status;
  });
  return applyMapping(db, word, previous);
}
