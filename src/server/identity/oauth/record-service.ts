import { AsyncLocalStorage } from 'node:async_hooks';
import type { Prisma } from '../../../generated/prisma/client';
import type { Database } from '../../db/client';
import { hashSecret } from '../secret-token';
import type { FindAccessToken } from '../tokens/bearer-service';
import * as sql from './oauth-records.queries';

/** A record of the authorization server, with the keys to find it by. */
interface OAuthRecordInput {
  model: string;
  id: string;
  payload: object;
  grantId: string | null;
  uid: string | null;
  clientId: string | null;
  userId: number | null;
  /** Seconds from now; null for never. */
  expiresIn: number | null;
}

/** A stored record. */
interface OAuthRecord {
  payload: Record<string, unknown>;
  consumedAt: Date | null;
}

/** The transaction in which records are saved: oidc-provider, which calls the adapter, cannot pass it on. */
const savingTransaction = new AsyncLocalStorage<Prisma.TransactionClient>();

/** Runs a function whose records are saved in the transaction. */
export const saveOAuthRecordsIn = <Result>(
  tx: Prisma.TransactionClient,
  save: () => Promise<Result>,
): Promise<Result> => savingTransaction.run(tx, save);

/** Stores a record and replaces any with the same id. Only the hash of the id is stored. */
export async function saveOAuthRecord(db: Database, record: OAuthRecordInput): Promise<void> {
  const { id, payload, ...columns } = record;
  const row = { ...columns, idHash: hashSecret(id), payload: JSON.stringify(payload) };
  const tx = savingTransaction.getStore();
  if (tx) await sql.saveRecord.runIn(tx, row);
  else await sql.saveRecord.runPrepared(db.pool, row);
}

const recordOf = (row: sql.FindRecordRow | undefined): OAuthRecord | null =>
  row ? { payload: row.payload as Record<string, unknown>, consumedAt: row.consumed_at } : null;

/** Returns the record with this id, even if it has expired, or null if there is none. */
export async function findOAuthRecord(db: Database, model: string, id: string): Promise<OAuthRecord | null> {
  const [row] = await sql.findRecord.runPrepared(db.pool, { model, idHash: hashSecret(id) });
  return recordOf(row);
}

/**
 * Returns the newest record with this uid, even if it has expired, or null if there is none. Unlike the id, the uid is not secret.
 */
export async function findOAuthRecordByUid(
  db: Database,
  model: string,
  uid: string,
): Promise<OAuthRecord | null> {
  const [row] = await sql.findRecordByUid.run(db.pool, { model, uid });
  return recordOf(row);
}

export async function deleteOAuthRecord(db: Database, model: string, id: string): Promise<void> {
  await sql.deleteRecord.run(db.pool, { model, idHash: hashSecret(id) });
}

/** Signs a browser out of the authorization server. */
export async function deleteOAuthSession(db: Database, uid: string): Promise<void> {
  await sql.deleteSession.run(db.pool, { uid });
}

export async function deleteOAuthRecordsOfGrant(db: Database, model: string, grantId: string): Promise<void> {
  await sql.deleteRecordsOfGrant.run(db.pool, { model, grantId });
}

/**
 * Marks a code or token as used. Only the first attempt succeeds. A second attempt may mean that the code or token was stolen, so
 * everything issued under its grant is deleted.
 *
 * @returns whether the code or token exists and was unused
 */
export async function consumeOAuthRecord(db: Database, model: string, id: string): Promise<boolean> {
  const recordKey = { model, idHash: hashSecret(id) };
  const [consumedRow] = await sql.consumeRecord.run(db.pool, recordKey);
  if (consumedRow) return true;
  await sql.endGrantOfRecord.run(db.pool, recordKey);
  return false;
}

/**
 * Returns a function that finds the user and the scopes of an access token. Nothing is cached: once a token, its grant or its
 * client is revoked, every process refuses the token from the next request on.
 */
export function createFindAccessToken(db: Database): FindAccessToken {
  return async (token) => {
    const [row] = await sql.findAccessToken.runPrepared(db.lookups, { idHash: hashSecret(token) });
    return row ? { userId: row.user_id, scopes: row.scope?.split(' ') ?? [] } : null;
  };
}

/** Deletes expired records. A used refresh token stays until it expires, so that its reuse is detected. */
export async function deleteExpiredOAuthRecords(db: Database): Promise<void> {
  await sql.deleteExpiredRecords.run(db.pool);
}
