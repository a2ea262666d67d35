import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAudits } from '../../audit/audit';
import { instantText } from '../../core/cursor';
import { ServiceError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { because } from '../../core/reason';
import { takeLock } from '../../db/advisory-locks';
import type { Database } from '../../db/client';
import { lockWaybills, recomputeStatuses, type WaybillChange } from '../merge-service';
import { foldedWord, mappedSource } from '../merge-sql';
import type { TrackingStatus } from '../status';
import type { mappedOutput, mappingsOutput, unmappedOutput } from './schema';

/** A provider's word, in any case. */
export interface ProviderWord {
  source: string;
  providerStatus: string;
}

type Mapped = z.output<typeof mappedOutput>;

/** Most words that the queue shows, and parcels that an answer names. */
const SHOWN = 500;
/** Waybills that one transaction brings in line, so that callbacks of them do not wait for long. */
const WAYBILLS_AT_ONCE = 500;

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

/** The queue: providers' words that mean nothing to us yet, with what they came with. */
export async function listUnmapped(db: Database): Promise<z.output<typeof unmappedOutput>> {
  const { rows } = await db.pool.query(UNMAPPED);
  return { words: rows };
}

/** What people have decided that providers' words mean. */
export async function listMappings(db: Database): Promise<z.output<typeof mappingsOutput>> {
  const { rows } = await db.pool.query(
    `SELECT source, provider_status, status, created_by, ${instantText('created_at')} AS created_at
       FROM status_mappings ORDER BY source, provider_status`,
  );
  return { mappings: rows };
}

/**
 * $1 source, $2 word. Events of this word, as far as a mapping may decide on them: the provider's own sub-status, and the
 * status that the code has read, stand above it.
 */
const OF_WORD = `${mappedSource('e.source')} = $1 AND ${foldedWord('e.provider_status')} = ${foldedWord('$2::text')}
 AND e.sub_status IS NULL`;

/** The word's meaning now: several changes at once end with the last one. */
const MEANING = `(SELECT m.status FROM status_mappings m WHERE m.source = $1 AND m.provider_status = ${foldedWord('$2::text')})`;

/** $3 the status that the word had so far, or null. */
const NOT_IN_LINE = `(e.status IS NULL OR e.status = $3::tracking_status) AND e.status IS DISTINCT FROM ${MEANING}`;

const NUMBERS_NOT_IN_LINE = `
SELECT DISTINCT e.tracking_number FROM tracking_events e WHERE ${OF_WORD} AND ${NOT_IN_LINE} ORDER BY 1`;

/** $4 numbers of locked waybills. */
const BRING_IN_LINE = `
UPDATE tracking_events e SET status = ${MEANING}
 WHERE e.tracking_number = ANY($4::text[]) AND ${OF_WORD} AND ${NOT_IN_LINE}`;

/** Brings the stored events of a word in line with its mapping, and with them parcels and orders. */
async function bringInLine(
  db: Database,
  { source, providerStatus }: ProviderWord,
  previous: TrackingStatus | null,
): Promise<Mapped> {
  const word = [source, providerStatus, previous];
  const { rows } = await db.pool.query<{ tracking_number: string }>(NUMBERS_NOT_IN_LINE, word);
  const numbers = rows.map((row) => row.tracking_number);
  const changes: WaybillChange[] = [];
  let events = 0;
  let orders = 0;
  for (let start = 0; start < numbers.length; start += WAYBILLS_AT_ONCE) {
    const group = numbers.slice(start, start + WAYBILLS_AT_ONCE);
    await inTransaction(db.pool, async (client) => {
      const locked = await lockWaybills(client, group);
      const { rowCount } = await client.query(BRING_IN_LINE, [...word, group]);
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

/** Waits for the merges that are under way, which have read the mappings as they were; those that come wait in turn. */
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
 * Decides what a provider's word means: from the next callback and carrier's answer on, in every process, and at once for the
 * stored events. Deciding again replaces what was decided. Where that is cut off halfway, deciding the same again gives the
 * events their status that have none yet.
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
  return bringInLine(db, word, previous);
}

const REMOVE = `
DELETE FROM status_mappings m WHERE m.source = $1 AND m.provider_status = ${foldedWord('$2::text')}
RETURNING status, provider_status`;

/**
 * Takes a decision back: the word means nothing again, and its stored events lose the status that they had from it.
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
  return bringInLine(db, word, previous);
}
