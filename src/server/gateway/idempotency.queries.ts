// Written by `npm run sql` from idempotency.sql: change that file instead.
import { Statement } from '../db/statement';

export interface ClaimCallParams {
  apiKeyId: number;
  bodyHash: Buffer;
  key: string;
  leaseSeconds: number;
  operation: string;
  retentionHours: number;
}

export interface ClaimCallRow {
  created_at: Date;
}

export const claimCall = new Statement<ClaimCallParams, ClaimCallRow>('idempotency.claimCall', `
-- Claims the call if it is new, expired, or left behind by a process that died; otherwise returns no row.
INSERT INTO idempotent_requests AS r (api_key_id, operation, key, body_hash, leased_until)
VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
ON CONFLICT (api_key_id, operation, key) DO UPDATE SET
  body_hash = excluded.body_hash, status = NULL, body = NULL, created_at = now(), leased_until = excluded.leased_until
  WHERE r.created_at < now() - make_interval(hours => $6)
     OR (r.status IS NULL AND r.leased_until < now() AND r.body_hash = excluded.body_hash)
RETURNING created_at`, ["apiKeyId","operation","key","bodyHash","leaseSeconds","retentionHours"]);

export interface FindCallParams {
  apiKeyId: number;
  key: string;
  operation: string;
}

export interface FindCallRow {
  body: string | null;
  body_hash: Buffer;
  status: number | null;
}

export const findCall = new Statement<FindCallParams, FindCallRow>('idempotency.findCall', `
SELECT body_hash, status, body FROM idempotent_requests
 WHERE api_key_id = $1 AND operation = $2 AND key = $3`, ["apiKeyId","operation","key"]);

export interface RenewLeaseParams {
  apiKeyId: number;
  key: string;
  leaseSeconds: number;
  operation: string;
}

export const renewLease = new Statement<RenewLeaseParams, never>('idempotency.renewLease', `
UPDATE idempotent_requests SET leased_until = now() + make_interval(secs => $1)
 WHERE api_key_id = $2 AND operation = $3 AND key = $4 AND status IS NULL`, ["leaseSeconds","apiKeyId","operation","key"]);

export interface StoreResponseParams {
  apiKeyId: number;
  body: string;
  key: string;
  operation: string;
  status: number;
}

export interface StoreResponseRow {
  created_at: Date;
}

export const storeResponse = new Statement<StoreResponseParams, StoreResponseRow>('idempotency.storeResponse', `
-- Returns no row if the call has a response already.
UPDATE idempotent_requests SET status = $1, body = $2
 WHERE api_key_id = $3 AND operation = $4 AND key = $5 AND status IS NULL
RETURNING created_at`, ["status","body","apiKeyId","operation","key"]);

export interface ReleaseCallParams {
  apiKeyId: number;
  key: string;
  operation: string;
}

export interface ReleaseCallRow {
  created_at: Date;
}

export const releaseCall = new Statement<ReleaseCallParams, ReleaseCallRow>('idempotency.releaseCall', `
-- Returns no row if the call has a response.
DELETE FROM idempotent_requests
 WHERE api_key_id = $1 AND operation = $2 AND key = $3 AND status IS NULL
RETURNING created_at`, ["apiKeyId","operation","key"]);

export interface DeleteExpiredCallsParams {
  retentionHours: number;
}

export const deleteExpiredCalls = new Statement<DeleteExpiredCallsParams, never>('idempotency.deleteExpiredCalls', `
DELETE FROM idempotent_requests WHERE created_at < now() - make_interval(hours => $1)`, ["retentionHours"]);
