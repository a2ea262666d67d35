import type pg from 'pg';
import { maskBytes } from '../core/credentials';
import type { Reason } from '../core/reason';
import type { Received } from '../core/received';
import type { Database } from '../db/client';

/** A request to be stored as received, in the reference's test table. */
export interface InboundRequest {
  kind: 'tracks' | 'marketplace';
  received: Received;
  body: Uint8Array;
  apiKeyId: number;
  requestId: string;
}

/** When a record was received, in milliseconds since the Unix epoch. */
export const RECEIVED_AT = '(extract(epoch FROM received_at) * 1000)::float8';

/** $1 kind, $2 method, $3 query, $4 headers, $5 body, $6 API key, $7 request. */
export const INSERT_INBOUND = `
INSERT INTO inbound_records (kind, method, query, headers, body, api_key_id, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id, ${RECEIVED_AT} AS received_at`;

/** $1 record, $2 result, $3 the reason if processing failed. */
export const FINISH_INBOUND =
  'UPDATE inbound_records SET result = $2, error = $3, processed_at = now() WHERE id = $1';

/** Returns JSON that jsonb accepts: a query may contain U+0000, which PostgreSQL text cannot hold. */
function storable(value: unknown): string {
  return JSON.stringify(value).replaceAll('\\u0000', '\\ufffd');
}

/**
 * Stores a request and commits it before it is processed. The body is stored byte for byte, except that credentials are masked.
 * Returns the record's id and when it was received.
 */
export async function storeInbound(
  db: Database,
  request: InboundRequest,
): Promise<{ id: string; receivedAt: number }> {
  const { method, query, headers } = request.received;
  const { rows } = await db.pool.query<{ id: string; received_at: number }>({
    name: 'inbound-insert',
    text: INSERT_INBOUND,
    values: [
      request.kind,
      method,
      storable(query.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])),
      storable(headers),
      Buffer.from(maskBytes(request.body)),
      request.apiKeyId,
      request.requestId,
    ],
  });
  const { id, received_at: receivedAt } = rows[0]!;
  return { id, receivedAt };
}

/** Writes the outcome of processing a record: its result, or why there is none. */
export async function finishInbound(
  db: pg.Pool | pg.PoolClient,
  id: string,
  outcome: { result: unknown; error: Reason | null },
): Promise<void> {
  await db.query({
    name: 'inbound-finish',
    text: FINISH_INBOUND,
    values: [id, JSON.stringify(outcome.result), outcome.error],
  });
}

/** Ids within 2^53 are numbers in responses, others are text (docs/api-conventions.md). */
export function publicId(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}

const BATCH = 1_000;

/**
 * Deletes records older than the configured number of days, a thousand at a time so that no lock lasts long.
 *
 * @returns how many were deleted
 */
export async function deleteExpiredRecords(db: Database, days: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await db.pool.query(
      `DELETE FROM inbound_records WHERE id IN (
         SELECT id FROM inbound_records WHERE received_at < now() - make_interval(days => $1) ORDER BY id LIMIT $2
         FOR UPDATE SKIP LOCKED)`,
      [days, BATCH],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return deleted;
  }
}
