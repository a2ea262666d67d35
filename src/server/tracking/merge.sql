/*
 * The statements that merge observations of tracking numbers. To prevent deadlocks, every transaction that changes tracking data
 * and may wait for locks takes them in the same order: first tracking numbers, sorted, then orders by shop and id. addObservations
 * and writeStatuses store the time of the statement, because now() returns the time at which the transaction began, before it
 * waited for locks.
 */

/* @name findStoredNumbers */
SELECT tracking_number FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]) ORDER BY tracking_number;

/* @name lockStoredNumber */
-- Like lockNumbers, but returns no row if the number is not stored. Takes one number, because the numbers of a list may be on
-- several servers (docs/distribution.md).
SELECT tracking_number, status, sub_status, carrier_code FROM tracking_numbers
 WHERE tracking_number = :trackingNumber! FOR NO KEY UPDATE;

/* @name lockNumbers */
-- Inserts new numbers and locks all given numbers until the end of the transaction. Returns each with its previous status
-- and carrier.
INSERT INTO tracking_numbers (tracking_number)
SELECT number FROM unnest(:trackingNumbers!::text[]) AS number ORDER BY number
    ON CONFLICT (tracking_number) DO UPDATE SET updated_at = excluded.updated_at
RETURNING tracking_number, status, sub_status, carrier_code;

/* @name addObservations */
-- Inserts new observations and merges the others with the stored ones. Each observation has the id of the inbound record that
-- reported it, or null, and belongs to the record that reported it first. Returns the new events: `xmax` is zero for new rows.
--
-- A provider status without a built-in meaning gets the status that a user has mapped it to, before versions are compared; events
-- in the plain form have the source `callback` and are mapped as `plain`.
--
-- Several versions of one observation become one, with the most advanced status, the greatest sub-status and provider status
-- reported with it, and the greatest of each other text. A version with that status but no provider status is one whose status
-- Brickdesk recognised. The result then has no provider status either, so that no mapping changes it. The result does not depend
-- on the order in which versions arrive, or on whether they arrive together: GROUP BY merges the versions in one request in the
-- same way as ON CONFLICT merges a version with the stored one.
WITH merged_events AS (
  INSERT INTO tracking_events AS t (tracking_number, kind, identity, occurred_at, status, sub_status, stage,
                                    provider_status, description, location, source, inbound_record_id, received_at)
  SELECT v.tracking_number, v.kind, decode(v.identity, 'hex'), min(v.occurred_at), max(v.status),
         (array_agg(v.sub_status ORDER BY v.status DESC NULLS LAST, v.sub_status DESC NULLS LAST))[1], max(v.stage),
         (array_agg(v.provider_status ORDER BY v.status DESC NULLS LAST, v.status IS NOT NULL AND v.provider_status IS NULL DESC,
                                               v.provider_status DESC NULLS LAST))[1],
         max(v.description), max(v.location), (array_agg(v.source ORDER BY v.record_id))[1],
         min(v.record_id), statement_timestamp()
    FROM (
      SELECT e.tracking_number, e.kind, e.identity, e.occurred_at, coalesce(e.status, m.status) AS status, e.sub_status,
             e.stage, e.provider_status, e.description, e.location, e.source, e.record_id
        FROM json_to_recordset(:observations::json) AS e(
          tracking_number text, kind observation_kind, identity text, occurred_at timestamptz, status tracking_status,
          sub_status text, stage text, provider_status text, description text, location text, source text, record_id bigint)
        LEFT JOIN status_mappings m ON e.status IS NULL AND m.provider_status = lower(btrim(e.provider_status))
                                   AND m.source = CASE e.source WHEN 'callback' THEN 'plain' ELSE e.source END) v
   GROUP BY v.tracking_number, v.kind, v.identity ORDER BY min(v.occurred_at), v.identity
  ON CONFLICT (tracking_number, identity) DO UPDATE SET
    occurred_at = least(t.occurred_at, excluded.occurred_at),
    sub_status = CASE WHEN excluded.status IS NOT DISTINCT FROM t.status THEN greatest(t.sub_status, excluded.sub_status)
                      WHEN t.status IS NULL OR excluded.status > t.status THEN excluded.sub_status
                      ELSE t.sub_status END,
    status = greatest(t.status, excluded.status),
    stage = greatest(t.stage, excluded.stage),
    provider_status = CASE WHEN excluded.status = t.status AND num_nulls(t.provider_status, excluded.provider_status) > 0 THEN NULL
                           WHEN excluded.status IS NOT DISTINCT FROM t.status
                             THEN greatest(t.provider_status, excluded.provider_status)
                           WHEN t.status IS NULL OR excluded.status > t.status THEN excluded.provider_status
                           ELSE t.provider_status END,
    description = greatest(t.description, excluded.description),
    location = greatest(t.location, excluded.location)
  RETURNING xmax = 0 AS is_new, kind, tracking_number, inbound_record_id, identity
)
SELECT tracking_number AS "tracking_number!", inbound_record_id AS record_id, encode(identity, 'hex') AS "identity!"
  FROM merged_events WHERE is_new AND kind = 'event';

/* @name readObservations */
-- The newest observations of each number, kind and status; returns (`returnSubStatuses`, folded like
-- foldSubStatus does) count as a status of their own. If there
-- are more than `limit`, the next one is included, and its `position` is `limit` + 1.
SELECT o.tracking_number, o.kind, encode(o.identity, 'hex') AS "identity!",
       extract(epoch FROM o.occurred_at)::float8 * 1000 AS "occurred_at!", o.status, o.sub_status, o.nth::int AS "position!"
  FROM (SELECT e.tracking_number, e.kind, e.identity, e.occurred_at, e.status, e.sub_status,
               row_number() OVER (
                 PARTITION BY e.tracking_number, e.kind, e.status,
                              (e.status = 'exception' AND regexp_replace(lower(e.sub_status), '[^a-z]', '', 'g') = ANY(:returnSubStatuses!::text[])) IS TRUE
                     ORDER BY e.occurred_at DESC, e.identity DESC) AS nth
          FROM tracking_events e WHERE e.tracking_number = ANY(:trackingNumbers!::text[])) o
 WHERE o.nth <= :limit!::int + 1;

/* @name deleteOldObservations */
-- Deletes the given observations, each the newest that readObservations left out of its kind and status, and all older ones of the
-- same number, kind and status.
DELETE FROM tracking_events t
 USING tracking_events o
 WHERE o.tracking_number = ANY(:trackingNumbers!::text[]) AND encode(o.identity, 'hex') = ANY(:identities!::text[])
   AND t.tracking_number = ANY(:trackingNumbers!::text[]) AND t.tracking_number = o.tracking_number
   AND t.kind = o.kind AND t.status IS NOT DISTINCT FROM o.status
   AND ((t.status = 'exception' AND regexp_replace(lower(t.sub_status), '[^a-z]', '', 'g') = ANY(:returnSubStatuses!::text[])) IS TRUE)
     = ((o.status = 'exception' AND regexp_replace(lower(o.sub_status), '[^a-z]', '', 'g') = ANY(:returnSubStatuses!::text[])) IS TRUE)
   AND (t.occurred_at, t.identity) <= (o.occurred_at, o.identity);

/* @name writeStatuses */
-- `since` is in milliseconds; `carrier` is the carrier's name, or null to keep the stored one. `trackingNumbers` repeats the
-- numbers because it tells a cluster which servers to query.
UPDATE tracking_numbers t
   SET status = n.status, sub_status = n.sub_status, status_at = to_timestamp(n.since / 1000),
       carrier_code = coalesce(n.carrier, t.carrier_code), updated_at = statement_timestamp()
  FROM json_to_recordset(:statuses::json)
       AS n(tracking_number text, status tracking_status, sub_status text, since float8, carrier text)
 WHERE t.tracking_number = n.tracking_number AND t.tracking_number = ANY(:trackingNumbers!::text[]);
