/*
 * The meanings of providers' statuses, which are compared in lower case without surrounding spaces. Events in the plain form have
 * the source `callback`; their statuses are mapped under `plain`.
 */

/* @name listUnmappedStatuses */
-- Statuses without a meaning, each with its newest event as an example. The example is looked up by number because the events' key
-- begins with it.
WITH unmapped_statuses AS (
  SELECT CASE source WHEN 'callback' THEN 'plain' ELSE source END AS source, lower(btrim(provider_status)) AS folded_status,
         count(*)::int AS events, count(DISTINCT tracking_number)::int AS shipments, min(received_at) AS since,
         max(received_at) AS newest, max(id) AS example_id,
         (array_agg(tracking_number ORDER BY id DESC))[1] AS example_number
    FROM tracking_events WHERE status IS NULL AND provider_status IS NOT NULL
   GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT :limit!
)
SELECT u.source AS "source!", e.provider_status AS "provider_status!", u.events AS "events!", u.shipments AS "shipments!",
       u.since AS "since!",
       u.newest AS "newest!",
       e.tracking_number, e.description,
       e.occurred_at,
       e.inbound_record_id::text AS record_id
  FROM unmapped_statuses u JOIN tracking_events e ON e.tracking_number = u.example_number AND e.id = u.example_id
 ORDER BY u.events DESC, u.source, u.folded_status;

/* @name listMappings */
SELECT source, provider_status, status, created_by,
       created_at
  FROM status_mappings ORDER BY source, provider_status;

/* @name findEventsToUpdate */
-- The events with this provider status whose own status is not the one to which the provider status is mapped now. A mapping
-- applies only to events whose status the code could not determine itself, including those that an interrupted change left with
-- an earlier meaning. If a carrier's event has both a status and a sub-status, the code determined the status; for plain events,
-- that does not follow. Snapshots whose status the code determined are included; the caller skips them (isRecognisedSnapshot). The
-- meaning is looked up in this statement, so that the last of several concurrent changes wins.
SELECT e.tracking_number, encode(e.identity, 'hex') AS "identity!", e.kind,
       (extract(epoch FROM e.occurred_at) * 1000)::float8 AS "occurred_at!", e.status, e.provider_status AS "provider_status!"
  FROM tracking_events e
 WHERE CASE e.source WHEN 'callback' THEN 'plain' ELSE e.source END = :source!
   AND lower(btrim(e.provider_status)) = lower(btrim(:providerStatus!))
   AND (e.status IS NULL OR e.sub_status IS NULL OR e.source = 'callback')
   AND e.status IS DISTINCT FROM (
     SELECT m.status FROM status_mappings m WHERE m.source = :source! AND m.provider_status = lower(btrim(:providerStatus!)))
 ORDER BY e.tracking_number;

/* @name applyMapping */
-- Updates the events that findEventsToUpdate found, except those that no longer need it. Their numbers must be locked. Returns how
-- many events were updated.
WITH updated_events AS (
  UPDATE tracking_events e
     SET status = (
           SELECT m.status FROM status_mappings m WHERE m.source = :source! AND m.provider_status = lower(btrim(:providerStatus!)))
   WHERE e.tracking_number = ANY(:trackingNumbers!::text[]) AND encode(e.identity, 'hex') = ANY(:identities!::text[])
     AND lower(btrim(e.provider_status)) = lower(btrim(:providerStatus!))
     AND (e.status IS NULL OR e.sub_status IS NULL OR e.source = 'callback')
     AND e.status IS DISTINCT FROM (
       SELECT m.status FROM status_mappings m WHERE m.source = :source! AND m.provider_status = lower(btrim(:providerStatus!)))
  RETURNING 1
)
SELECT count(*)::int AS "event_count!" FROM updated_events;

/* @name readMapping */
SELECT status FROM status_mappings WHERE source = :source! AND provider_status = lower(btrim(:providerStatus!));

/* @name storeMapping */
INSERT INTO status_mappings (source, provider_status, status, created_by)
VALUES (:source!, lower(btrim(:providerStatus!)), :status!, :createdBy!)
    ON CONFLICT (source, provider_status)
    DO UPDATE SET status = excluded.status, created_by = excluded.created_by, created_at = excluded.created_at
RETURNING provider_status;

/* @name removeMapping */
DELETE FROM status_mappings WHERE source = :source! AND provider_status = lower(btrim(:providerStatus!))
RETURNING status, provider_status;
