import type pg from 'pg';
import { maskBytes } from '../core/credentials';
import type { Reason } from '../core/errors/reason';
import type { ReceivedRequest } from '../core/http/received-request';
import type { Database } from '../db/client';
import { inTransaction } from '../db/transaction';
import * as sql from './inbound.queries';
import type { RecordKind } from './kind';

/** A request that is stored as it was received, except that credentials are masked. */
export interface InboundRequest {
  kind: RecordKind;
  receivedRequest: ReceivedRequest;
  body: Uint8Array;
  apiKeyId: number;
  requestId: string;
}

/** Returns text that PostgreSQL can hold: U+0000, which a query may contain, and lone surrogates are replaced. */
const toStorableText = (text: string) => text.replaceAll('\u0000', '\ufffd').toWellFormed();

/**
 * Stores a request and commits it before it is processed. The body is stored byte for byte, except that credentials are masked.
 * Returns the record's id, when it was received (in milliseconds since the Unix epoch), and the body as stored: the same array if
 * nothing was masked.
 */
export async function storeInboundRequest(
  db: Database,
  request: InboundRequest,
): Promise<{ id: string; receivedAt: number; body: Uint8Array }> {
  const body = maskBytes(request.body);
  const { method, query, headers } = request.receivedRequest;
  const storableHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, toStorableText(value)]),
  );
  const [row] = await sql.addRecord.runPrepared(db.pool, {
    kind: request.kind,
    method,
    query: JSON.stringify(query.map((parameter) => parameter.map(toStorableText))),
    headers: JSON.stringify(storableHeaders),
    body: Buffer.from(body),
    apiKeyId: request.apiKeyId,
    requestId: request.requestId,
  });
  const { id, received_at: receivedAt } = row!;
  return { id, receivedAt, body };
}

/** Writes the outcome of processing a record: the result, and why it is empty or incomplete. */
export async function finishInboundRequest(
  db: pg.Pool | pg.PoolClient,
  id: string,
  outcome: { result: unknown; error: Reason | null },
): Promise<void> {
  await sql.finishRecord.runPrepared(db, {
    id,
    result: JSON.stringify(outcome.result),
    error: outcome.error && JSON.stringify(outcome.error),
  });
}

/** Returns an id as responses contain it: a number up to 2^53-1, otherwise a string (docs/api-conventions.md). */
export function toPublicId(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}

const BATCH_SIZE = 1_000;

/** Deletes up to {@link BATCH_SIZE} expired records, and returns how many. Events that they reported stay, without a record. */
async function deleteBatch(client: pg.PoolClient, retentionDays: number): Promise<number> {
  const records = await sql.lockOldRecords.run(client, { days: retentionDays, limit: BATCH_SIZE });
  const ids = records.map(({ id }) => id);
  await sql.detachEvents.run(client, { ids });
  await sql.deleteRecords.run(client, { ids });
  return ids.length;
}

/**
 * Deletes records older than `retentionDays`, a thousand at a time so that no lock lasts long.
 *
 * @returns how many were deleted
 */
export async function deleteExpiredRecords(db: Database, retentionDays: number): Promise<number> {
  let deletedCount = 0;
  for (;;) {
    const count = await inTransaction(db.pool, (client) => deleteBatch(client, retentionDays));
    deletedCount += count;
    if (count < BATCH_SIZE) return deletedCount;
  }
}
