/* @name addCalls */
-- Skips the calls of keys that no longer exist.
INSERT INTO api_key_calls (api_key_id, created_at, request_id, method, route, status, duration_ms, error, address)
SELECT r.api_key_id, to_timestamp(r.at / 1000.0), r.request_id, r.method, r.route, r.status, r.duration_ms, r.error, r.address
  FROM json_to_recordset(:calls!::json) AS r(index int, api_key_id int, at float8, request_id text, method text,
       route text, status int, duration_ms int, error jsonb, address text)
  JOIN api_keys k ON k.id = r.api_key_id
 ORDER BY r.index;

/* @name listKeyIds */
SELECT id FROM api_keys ORDER BY id;

/* @name trimCalls */
-- Deletes all but the last `maxCalls` calls of these keys. Without MATERIALIZED, a key's limit would be looked up for each of
-- its calls.
WITH limits AS MATERIALIZED (
  SELECT k.id AS key_id, (SELECT o.id FROM api_key_calls o WHERE o.api_key_id = k.id
                        ORDER BY o.id DESC OFFSET :maxCalls! LIMIT 1) AS newest_excess_id
    FROM unnest(:keyIds!::int[]) AS k(id)
)
DELETE FROM api_key_calls WHERE id IN (
  SELECT c.id FROM limits l JOIN api_key_calls c ON c.api_key_id = l.key_id AND c.id <= l.newest_excess_id
     FOR UPDATE OF c SKIP LOCKED);

/* @name deleteOldCalls */
WITH deleted AS (
  DELETE FROM api_key_calls WHERE id IN (
    SELECT id FROM api_key_calls WHERE created_at < now() - make_interval(days => :days!) LIMIT :limit! FOR UPDATE SKIP LOCKED)
  RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted;

/* @name listCalls */
-- Applies the limits on age and number too, because calls beyond them may not have been deleted yet.
SELECT c.id::text AS "id!", created_at, request_id, method, route, status, duration_ms, error, address
  FROM api_key_calls c
 WHERE api_key_id = :keyId! AND created_at > now() - make_interval(days => :days!)
   AND c.id > coalesce((SELECT o.id FROM api_key_calls o WHERE o.api_key_id = :keyId!
                       ORDER BY o.id DESC OFFSET :maxCalls! LIMIT 1), 0)
   AND c.id < :beforeId!::bigint AND (status >= 400 OR NOT :errorsOnly!::boolean)
 ORDER BY c.id DESC LIMIT :limit!;
