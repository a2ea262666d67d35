import type { Database } from '../../db/client';
import { hashSecret } from '../secret-token';
import type { FindAccessToken } from '../tokens/bearer-service';

/** What the authorization server stores, and the keys to find it by. */
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

const SAVE = `
INSERT INTO oauth_records (model, id_hash, payload, grant_id, uid, client_id, user_id, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8::double precision))
ON CONFLICT (model, id_hash) DO UPDATE
   SET payload = EXCLUDED.payload, grant_id = EXCLUDED.grant_id, uid = EXCLUDED.uid, client_id = EXCLUDED.client_id,
       user_id = EXCLUDED.user_id, expires_at = EXCLUDED.expires_at`;

/** Stores a record, replacing the one with the same id. Only the hash of the id is stored. */
export async function saveOAuthRecord(db: Database, record: OAuthRecordInput): Promise<void> {
  const { model, id, payload, grantId, uid, clientId, userId, expiresIn } = record;
  await db.pool.query({
    name: 'oauth-save',
    text: SAVE,
    values: [model, hashSecret(id), payload, grantId, uid, clientId, userId, expiresIn],
  });
}

const FOUND = 'SELECT payload, consumed_at AS "consumedAt" FROM oauth_records';

/** Returns the record of an id; null if there is none. It may have expired. */
export async function findOAuthRecord(db: Database, model: string, id: string): Promise<OAuthRecord | null> {
  const { rows } = await db.pool.query<OAuthRecord>({
    name: 'oauth-find',
    text: `${FOUND} WHERE model = $1 AND id_hash = $2`,
    values: [model, hashSecret(id)],
  });
  return rows[0] ?? null;
}

/** Returns the record with this uid, which unlike the id is not secret. */
export async function findOAuthRecordByUid(
  db: Database,
  model: string,
  uid: string,
): Promise<OAuthRecord | null> {
  const { rows } = await db.pool.query<OAuthRecord>(
    `${FOUND} WHERE model = $1 AND uid = $2 ORDER BY created_at DESC LIMIT 1`,
    [model, uid],
  );
  return rows[0] ?? null;
}

export async function deleteOAuthRecord(db: Database, model: string, id: string): Promise<void> {
  await db.pool.query('DELETE FROM oauth_records WHERE model = $1 AND id_hash = $2', [model, hashSecret(id)]);
}

/** Forgets who was signed in to the authorization server in a browser. */
export async function deleteOAuthSession(db: Database, uid: string): Promise<void> {
  await db.pool.query(`DELETE FROM oauth_records WHERE model = 'Session' AND uid = $1`, [uid]);
}

export async function deleteOAuthRecordsOfGrant(db: Database, model: string, grantId: string): Promise<void> {
  await db.pool.query('DELETE FROM oauth_records WHERE model = $1 AND grant_id = $2', [model, grantId]);
}

/**
 * Marks a code or token as used. Of several attempts, one succeeds; another proves that two parties hold it, so everything
 * issued under its grant ends.
 *
 * @returns whether it was unused
 */
export async function consumeOAuthRecord(db: Database, model: string, id: string): Promise<boolean> {
  const used = await db.pool.query(
    'UPDATE oauth_records SET consumed_at = now() WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL',
    [model, hashSecret(id)],
  );
  if (used.rowCount === 1) return true;
  await db.pool.query(
    `DELETE FROM oauth_records r USING oauth_records used
      WHERE used.model = $1 AND used.id_hash = $2
        AND (r.grant_id = used.grant_id
             OR (r.model = 'Grant' AND r.id_hash = sha256(convert_to(used.grant_id, 'UTF8'))))`,
    [model, hashSecret(id)],
  );
  return false;
}

const FIND_ACCESS_TOKEN = `
SELECT t.user_id AS "userId", t.payload ->> 'scope' AS scope
  FROM oauth_records t
  JOIN oauth_clients c ON c.id = t.client_id AND c.revoked_at IS NULL
 WHERE t.model IN ('AccessToken', 'ClientCredentials') AND t.id_hash = $1 AND t.expires_at > now()
   AND (t.model = 'ClientCredentials' OR EXISTS (
        SELECT FROM oauth_records g
         WHERE g.model = 'Grant' AND g.id_hash = sha256(convert_to(t.grant_id, 'UTF8')) AND g.expires_at > now()))`;

/**
 * Finds the user of an access token, without a cache: a token that was revoked, alone or with its grant or client, is refused
 * at the next request, in every process.
 */
export function createFindAccessToken(db: Database): FindAccessToken {
  return async (token) => {
    const { rows } = await db.pool.query<{ userId: number | null; scope: string | null }>({
      name: 'oauth-access-token',
      text: FIND_ACCESS_TOKEN,
      values: [hashSecret(token)],
    });
    const found = rows[0];
    return found ? { userId: found.userId, scopes: found.scope?.split(' ') ?? [] } : null;
  };
}

/** Deletes expired records. A used refresh token is kept until it expires, so that its reuse is noticed. */
export async function deleteExpiredOAuthRecords(db: Database): Promise<void> {
  await db.pool.query('DELETE FROM oauth_records WHERE expires_at < now()');
}
