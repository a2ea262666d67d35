// Written by `npm run sql` from oauth-records.sql: change that file instead.
import { Statement } from '../../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type stringArray = (string)[];

export interface SaveRecordParams {
  clientId: string | null;
  expiresIn: number | null;
  grantId: string | null;
  idHash: Buffer;
  model: string;
  payload: Json | Uint8Array;
  uid: string | null;
  userId: number | null;
}

export const saveRecord = new Statement<SaveRecordParams, never>('oauth-records.saveRecord', `
INSERT INTO oauth_records (model, id_hash, payload, grant_id, uid, client_id, user_id, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7,
        now() + make_interval(secs => $8::double precision))
ON CONFLICT (model, id_hash) DO UPDATE
   SET payload = EXCLUDED.payload, grant_id = EXCLUDED.grant_id, uid = EXCLUDED.uid, client_id = EXCLUDED.client_id,
       user_id = EXCLUDED.user_id, expires_at = EXCLUDED.expires_at`, ["model","idHash","payload","grantId","uid","clientId","userId","expiresIn"]);

export interface FindRecordParams {
  idHash: Buffer;
  model: string;
}

export interface FindRecordRow {
  consumed_at: Date | null;
  payload: Json;
}

export const findRecord = new Statement<FindRecordParams, FindRecordRow>('oauth-records.findRecord', `
SELECT payload, consumed_at FROM oauth_records WHERE model = $1 AND id_hash = $2`, ["model","idHash"]);

export interface FindRecordByUidParams {
  model: string;
  uid: string;
}

export interface FindRecordByUidRow {
  consumed_at: Date | null;
  payload: Json;
}

export const findRecordByUid = new Statement<FindRecordByUidParams, FindRecordByUidRow>('oauth-records.findRecordByUid', `
SELECT payload, consumed_at FROM oauth_records WHERE model = $1 AND uid = $2 ORDER BY created_at DESC LIMIT 1`, ["model","uid"]);

export interface DeleteRecordParams {
  idHash: Buffer;
  model: string;
}

export const deleteRecord = new Statement<DeleteRecordParams, never>('oauth-records.deleteRecord', `
DELETE FROM oauth_records WHERE model = $1 AND id_hash = $2`, ["model","idHash"]);

export interface DeleteSessionParams {
  uid: string;
}

export const deleteSession = new Statement<DeleteSessionParams, never>('oauth-records.deleteSession', `
DELETE FROM oauth_records WHERE model = 'Session' AND uid = $1`, ["uid"]);

export interface DeleteRecordsOfGrantParams {
  grantId: string;
  model: string;
}

export const deleteRecordsOfGrant = new Statement<DeleteRecordsOfGrantParams, never>('oauth-records.deleteRecordsOfGrant', `
DELETE FROM oauth_records WHERE model = $1 AND grant_id = $2`, ["model","grantId"]);

export interface ConsumeRecordParams {
  idHash: Buffer;
  model: string;
}

export interface ConsumeRecordRow {
  consumed_at: Date | null;
}

export const consumeRecord = new Statement<ConsumeRecordParams, ConsumeRecordRow>('oauth-records.consumeRecord', `
UPDATE oauth_records SET consumed_at = now()
 WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL
RETURNING consumed_at`, ["model","idHash"]);

export interface EndGrantOfRecordParams {
  idHash: Buffer;
  model: string;
}

export const endGrantOfRecord = new Statement<EndGrantOfRecordParams, never>('oauth-records.endGrantOfRecord', `
-- Deletes the record's grant and everything issued under it.
DELETE FROM oauth_records r USING oauth_records used
 WHERE used.model = $1 AND used.id_hash = $2
   AND (r.grant_id = used.grant_id
        OR (r.model = 'Grant' AND r.id_hash = sha256(convert_to(used.grant_id, 'UTF8'))))`, ["model","idHash"]);

export interface FindAccessTokenParams {
  idHash: Buffer;
}

export interface FindAccessTokenRow {
  scope: string | null;
  user_id: number | null;
}

export const findAccessToken = new Statement<FindAccessTokenParams, FindAccessTokenRow>('oauth-records.findAccessToken', `
SELECT t.user_id, t.payload ->> 'scope' AS scope
  FROM oauth_records t
  JOIN oauth_clients c ON c.id = t.client_id AND c.revoked_at IS NULL
 WHERE t.model IN ('AccessToken', 'ClientCredentials') AND t.id_hash = $1 AND t.expires_at > now()
   AND (t.model = 'ClientCredentials' OR EXISTS (
        SELECT FROM oauth_records g
         WHERE g.model = 'Grant' AND g.id_hash = sha256(convert_to(t.grant_id, 'UTF8')) AND g.expires_at > now()))`, ["idHash"]);

export const deleteExpiredRecords = new Statement<undefined, never>('oauth-records.deleteExpiredRecords', `
DELETE FROM oauth_records WHERE expires_at < now()`);

export interface ListConsentsParams {
  userId: number;
}

export interface ListConsentsRow {
  client_id: string;
  name: string;
  scopes: stringArray;
  since: Date;
  until: Date;
}

export const listConsents = new Statement<ListConsentsParams, ListConsentsRow>('oauth-records.listConsents', `
-- Lists each client once, with everything that the user has allowed it in any browser.
SELECT g.client_id AS "client_id", c.name, min(g.created_at) AS "since", max(g.expires_at) AS "until",
       coalesce(array_agg(DISTINCT s.scope ORDER BY s.scope) FILTER (WHERE s.scope <> ''), '{}') AS "scopes"
  FROM oauth_records g
  JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
  LEFT JOIN LATERAL unnest(string_to_array(g.payload #>> '{openid,scope}', ' ')) AS s(scope) ON true
 WHERE g.model = 'Grant' AND g.user_id = $1 AND g.expires_at > now()
 GROUP BY g.client_id, c.name ORDER BY c.name, g.client_id`, ["userId"]);

export interface LockClientParams {
  id: string;
}

export interface LockClientRow {
  id: string;
}

export const lockClient = new Statement<LockClientParams, LockClientRow>('oauth-records.lockClient', `
SELECT id FROM oauth_clients WHERE id = $1 FOR NO KEY UPDATE`, ["id"]);
