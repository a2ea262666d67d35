/* @name claimCall */
-- Claims the call if it is new or expired, or if its body is the same and the lease of an unfinished claim has run out; otherwise
-- returns no row. Later changes identify a claim by its instant: a process whose claim was taken over must not renew,
-- complete or release the new one.
INSERT INTO idempotent_requests AS r (api_key_id, operation, key, body_hash, leased_until)
VALUES (:apiKeyId!, :operation!, :key!, :bodyHash!, now() + make_interval(secs => :leaseSeconds!))
ON CONFLICT (api_key_id, operation, key) DO UPDATE SET
  body_hash = excluded.body_hash, status = NULL, body = NULL, created_at = now(), leased_until = excluded.leased_until
  WHERE r.created_at < now() - make_interval(hours => :retentionHours!)
     OR (r.status IS NULL AND r.leased_until < now() AND r.body_hash = excluded.body_hash)
RETURNING created_at::text AS "claimed_at!";

/* @name findCall */
SELECT body_hash, status, body FROM idempotent_requests
 WHERE api_key_id = :apiKeyId! AND operation = :operation! AND key = :key!;

/* @name renewLease */
UPDATE idempotent_requests SET leased_until = now() + make_interval(secs => :leaseSeconds!)
 WHERE api_key_id = :apiKeyId! AND operation = :operation! AND key = :key!
   AND created_at = :claimedAt!::timestamptz AND status IS NULL;

/* @name storeResponse */
-- Returns no row if the call already has a response, or another process has taken it over.
UPDATE idempotent_requests SET status = :status!, body = :body!
 WHERE api_key_id = :apiKeyId! AND operation = :operation! AND key = :key!
   AND created_at = :claimedAt!::timestamptz AND status IS NULL
RETURNING created_at;

/* @name releaseCall */
-- Returns no row if the call has a response, or another process has taken it over.
DELETE FROM idempotent_requests
 WHERE api_key_id = :apiKeyId! AND operation = :operation! AND key = :key!
   AND created_at = :claimedAt!::timestamptz AND status IS NULL
RETURNING created_at;

/* @name deleteExpiredCalls */
DELETE FROM idempotent_requests WHERE created_at < now() - make_interval(hours => :retentionHours!);
