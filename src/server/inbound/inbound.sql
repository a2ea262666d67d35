/* @name addRecord */
-- Returns the record's id and when the request was received, in milliseconds since the Unix epoch.
INSERT INTO inbound_records (kind, method, query, headers, body, api_key_id, request_id)
VALUES (:kind!, :method!, :query!, :headers!, :body!, :apiKeyId!, :requestId)
RETURNING id::text AS "id!", (extract(epoch FROM received_at) * 1000)::float8 AS "received_at!";

/* @name finishRecord */
-- `error` is the reason why nothing, or not everything, was understood; null if everything was.
UPDATE inbound_records SET result = :result!, error = :error, processed_at = now() WHERE id = :id!;

/* @name deleteOldRecords */
-- Deletes up to `limit` records older than `days` days; returns how many.
WITH deleted AS (
  DELETE FROM inbound_records WHERE id IN (
    SELECT id FROM inbound_records WHERE received_at < now() - make_interval(days => :days!) ORDER BY id LIMIT :limit!
    FOR UPDATE SKIP LOCKED)
  RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted;
