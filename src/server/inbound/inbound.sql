/* @name addRecord */
-- Returns the record's id and when the request was received, in milliseconds since the Unix epoch.
INSERT INTO inbound_records (kind, method, query, headers, body, api_key_id, request_id)
VALUES (:kind!, :method!, :query!, :headers!, :body!, :apiKeyId!, :requestId)
RETURNING id::text AS "id!", (extract(epoch FROM received_at) * 1000)::float8 AS "received_at!";

/* @name finishRecord */
-- `error` is the reason why nothing, or not everything, was understood; null if everything was.
UPDATE inbound_records SET result = :result!, error = :error, processed_at = now() WHERE id = :id!;

/* @name lockOldRecords */
-- Returns up to `limit` records older than `days` days, without those that are in use.
SELECT id::text AS "id!" FROM inbound_records WHERE received_at < now() - make_interval(days => :days!)
 ORDER BY inbound_records.id LIMIT :limit! FOR UPDATE SKIP LOCKED;

/* @name detachEvents */
-- The foreign key does the same, but a cluster has to do without it (docs/distribution.md).
UPDATE tracking_events SET inbound_record_id = NULL WHERE inbound_record_id = ANY(:ids!::bigint[]);

/* @name deleteRecords */
DELETE FROM inbound_records WHERE id = ANY(:ids!::bigint[]);
