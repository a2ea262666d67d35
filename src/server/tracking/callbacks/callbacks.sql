/* @name listEventsOfCallback */
-- The newest five hundred observations that the callback was the first to report, in the order of event-order.ts, with the total
-- number of such observations.
SELECT t.id::text AS "id!", t.tracking_number, t.kind,
       t.occurred_at,
       t.status, t.sub_status, t.provider_status, t.description, t.location, count(*) OVER ()::int AS "total!"
  FROM tracking_events t WHERE t.inbound_record_id = :recordId!
 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position(:progress!::text[], t.sub_status) DESC NULLS LAST, t.identity DESC LIMIT 500;

/* @name findCallbacks */
-- Returns which of the records are callbacks, with the size of each body in bytes.
SELECT id::text AS "id!", octet_length(body) AS "size!" FROM inbound_records
 WHERE kind = 'tracks' AND id = ANY(:ids!::bigint[]) ORDER BY inbound_records.id;

/* @name lockCallbacks */
-- Locks the records, so that concurrent replays of one record each count only their own changes.
SELECT id::text AS "id!", body, (extract(epoch FROM received_at) * 1000)::float8 AS "received_at!",
       processed_at IS NOT NULL AS "is_processed!"
  FROM inbound_records WHERE id = ANY(:ids!::bigint[]) ORDER BY inbound_records.id FOR NO KEY UPDATE;

/* @name finishReplays */
-- Stores the changes of the replay next to the changes made on arrival.
UPDATE inbound_records r
   SET result = coalesce(r.result, '{}') || n.result, error = n.error, replays = r.replays + 1, replayed_at = now(),
       processed_at = coalesce(r.processed_at, now())
  FROM json_to_recordset(:records::json) AS n(id bigint, result jsonb, error jsonb)
 WHERE r.id = n.id;

/* @name findUnprocessedCallbacks */
-- The oldest callbacks whose processing has not finished. They were received at least a minute ago, because newer ones may still be
-- in progress, and at most two days ago, so that the index on received_at is used. Leaves out those that could not be replayed
-- `maxReplays` times.
SELECT id::text AS "id!" FROM inbound_records
 WHERE kind = 'tracks' AND processed_at IS NULL AND replays < :maxReplays!
   AND received_at BETWEEN now() - interval '2 days' AND now() - interval '1 minute'
 ORDER BY received_at, inbound_records.id LIMIT :limit!;

/* @name countFailedReplay */
UPDATE inbound_records SET replays = replays + 1, replayed_at = now() WHERE id = :id! AND processed_at IS NULL;

/* @name findCallbacksWithStatus */
-- The callbacks with events of this provider status that still have no meaning, with their total number. Those that were never
-- replayed come first. If `since` is not null, callbacks replayed at or after it are left out.
SELECT r.id::text AS "id!", count(*) OVER ()::int AS "total!", now() AS "now!" FROM inbound_records r
 WHERE (r.replayed_at IS NULL OR r.replayed_at < coalesce(:since::timestamptz, 'infinity')) AND r.id IN (
   SELECT e.inbound_record_id FROM tracking_events e
    WHERE e.status IS NULL AND CASE e.source WHEN 'callback' THEN 'plain' ELSE e.source END = :source!
      AND lower(btrim(e.provider_status)) = lower(btrim(:providerStatus!)))
 ORDER BY r.replayed_at NULLS FIRST, r.id LIMIT :limit!;
