import type { z } from 'zod';
import { decodeTimeCursor, encodeTimeCursor, instantText } from '../core/cursor';
import { ServiceError } from '../core/errors';
import { because } from '../core/reason';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import type { CALLBACK_OUTCOMES, recordListOutput, recordOutput } from './record-schema';

/** Which records to list. */
export interface RecordFilter {
  kind: 'tracks' | 'marketplace';
  from?: string;
  to?: string;
  outcome?: (typeof CALLBACK_OUTCOMES)[number];
  /** As stored: without spaces, in upper case. */
  trackingNumber?: string;
}

type ListedRecord = z.output<typeof recordListOutput>['records'][number];
type RecordView = z.output<typeof recordOutput>;

/** Most tracking numbers in a list entry. */
const LISTED_NUMBERS = 10;

const NUMBERS = `coalesce(r.result->'tracking_numbers', '[]')`;

/** `placeholder` holds a tracking number that was understood, or that occurs in a part left out. */
const namesNumber = (placeholder: string) => `(${NUMBERS} @> to_jsonb(${placeholder}::text)
  OR r.result->'left_out' @> jsonb_build_array(jsonb_build_object('tracking_number', ${placeholder}::text)))`;

const OUTCOME = `
CASE WHEN r.kind <> 'tracks' THEN NULL
     WHEN r.processed_at IS NULL THEN 'failed'
     WHEN jsonb_array_length(${NUMBERS}) > 0 THEN 'understood'
     ELSE 'nothing' END`;

const LISTED = `
r.id::text, r.kind, r.method, ${instantText('r.received_at')} AS received_at, octet_length(r.body) AS size,
k.name AS api_key, r.request_id, ${OUTCOME} AS outcome, r.result->>'form' AS form,
ARRAY(SELECT jsonb_array_elements_text(${NUMBERS}) LIMIT ${LISTED_NUMBERS}) AS tracking_numbers,
jsonb_array_length(${NUMBERS}) AS tracking_number_count,
(r.result->>'matched_orders')::int AS matched_orders, (r.result->>'updated_orders')::int AS updated_orders,
(r.result->>'new_events')::int AS new_events, r.error, r.replays, ${instantText('r.replayed_at')} AS replayed_at`;

const RECORD_ID = /^[1-9]\d{0,17}$/;

function conditionsOf(filter: RecordFilter, values: unknown[]): string[] {
  const value = (given: unknown) => `$${values.push(given)}`;
  const midnight = (day: string) => `${day}::timestamp AT TIME ZONE '${NEW_YORK}'`;
  const conditions = [`r.kind = ${value(filter.kind)}`];
  if (filter.from !== undefined)
    conditions.push(`r.received_at >= ${midnight(`${value(filter.from)}::date`)}`);
  if (filter.to !== undefined)
    conditions.push(`r.received_at < ${midnight(`(${value(filter.to)}::date + 1)`)}`);
  if (filter.outcome !== undefined) conditions.push(`${OUTCOME} = ${value(filter.outcome)}`);
  if (filter.trackingNumber !== undefined) conditions.push(namesNumber(value(filter.trackingNumber)));
  return conditions;
}

/**
 * Returns a page of stored records, newest first. The cursor is the position of the last record.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listRecords(
  db: Database,
  query: RecordFilter & { cursor?: string; limit: number },
): Promise<{ records: ListedRecord[]; next: string | null }> {
  const values: unknown[] = [];
  const conditions = conditionsOf(query, values);
  if (query.cursor !== undefined) {
    const { at, id } = decodeTimeCursor(query.cursor, RECORD_ID);
    conditions.push(
      `(r.received_at, r.id) < ($${values.push(at)}::timestamptz, $${values.push(id)}::bigint)`,
    );
  }
  const limit = `$${values.push(query.limit + 1)}`;
  // Finds the page's records by their index first, without reading their bodies.
  const { rows } = await db.pool.query<ListedRecord>(
    `SELECT ${LISTED}
       FROM (SELECT r.* FROM inbound_records r WHERE ${conditions.join(' AND ')}
              ORDER BY r.received_at DESC, r.id DESC LIMIT ${limit}) r
       LEFT JOIN api_keys k ON k.id = r.api_key_id
      ORDER BY r.received_at DESC, r.id DESC`,
    values,
  );
  const records = rows.slice(0, query.limit);
  const last = records.at(-1);
  const next =
    rows.length > query.limit && last ? encodeTimeCursor({ at: last.received_at, id: last.id }) : null;
  return { records, next };
}

/** Returns a body as a page can show it: unchanged if it is JSON in UTF-8, else in base64. */
function shownBody(body: Uint8Array): Pick<RecordView, 'body_encoding' | 'body'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return { body_encoding: 'text', body: text };
  } catch {
    return { body_encoding: 'base64', body: Buffer.from(body).toString('base64') };
  }
}

const ONE = `
SELECT ${LISTED}, ${instantText('r.processed_at')} AS processed_at, r.query, r.headers, r.body, r.result
  FROM inbound_records r LEFT JOIN api_keys k ON k.id = r.api_key_id
 WHERE r.id = $1 AND ($2::inbound_kind IS NULL OR r.kind = $2)`;

/**
 * Returns one stored record with its body.
 *
 * @param kind the required kind, or null for any
 * @throws ServiceError `not_found`
 */
export async function readRecord(db: Database, id: string, kind: RecordFilter['kind'] | null) {
  const { rows } = await db.pool.query<Omit<RecordView, 'body' | 'body_encoding'> & { body: Buffer }>(ONE, [
    id,
    kind,
  ]);
  const record = rows[0];
  if (!record) throw new ServiceError('not_found', because('answer.noRecord', { id }));
  return { ...record, ...shownBody(record.body) };
}
