/* @name countByStatus */
SELECT status, count(*)::int AS "count!" FROM tracking_numbers GROUP BY status;

/* @name countByStatusInShops */
SELECT n.status, count(*)::int AS "count!" FROM tracking_numbers n
 WHERE n.tracking_number IN (
   SELECT h.tracking_number FROM tracking_number_shops h WHERE h.shop_id = ANY(:shopIds!::int[]))
 GROUP BY n.status;

/* @name listCarriers */
-- The codes of all shops. Each distinct code takes one step in the index, however many rows have it.
WITH RECURSIVE reported AS (
  (SELECT carrier_code FROM tracking_numbers WHERE carrier_code IS NOT NULL ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (SELECT n.carrier_code FROM tracking_numbers n WHERE n.carrier_code > reported.carrier_code ORDER BY 1 LIMIT 1)
    FROM reported WHERE reported.carrier_code IS NOT NULL
), imported AS (
  (SELECT carrier_code FROM shipments WHERE carrier_code IS NOT NULL ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (SELECT s.carrier_code FROM shipments s WHERE s.carrier_code > imported.carrier_code ORDER BY 1 LIMIT 1)
    FROM imported WHERE imported.carrier_code IS NOT NULL
)
SELECT DISTINCT ON (lower(c.carrier_code)) c.carrier_code AS "code!"
  FROM ((SELECT carrier_code FROM reported WHERE carrier_code IS NOT NULL LIMIT :limit!)
         UNION (SELECT carrier_code FROM imported WHERE carrier_code IS NOT NULL LIMIT :limit!)) c
 ORDER BY lower(c.carrier_code), c.carrier_code LIMIT :limit!;

/* @name readShipment */
-- The carrier's code is from the carrier's answer, else from the newest shipment.
SELECT n.tracking_number, n.status, n.sub_status,
       to_char(coalesce(n.status_at, n.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "since!",
       coalesce(n.carrier_code, (
         SELECT s.carrier_code FROM shipments s
          WHERE s.tracking_number = n.tracking_number AND s.carrier_code IS NOT NULL
          ORDER BY s.id DESC LIMIT 1)) AS carrier_code,
       to_char(n.asked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS asked_at,
       to_char(n.registered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS registered_at
  FROM tracking_numbers n WHERE n.tracking_number = :trackingNumber!;

/* @name listOrdersOfNumber */
-- The newest hundred in all shops, and how many there are.
SELECT o.id::text AS "id!", o.receipt_id, o.shop_id, p.name AS shop, o.status, count(*) OVER ()::int AS "total!"
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = :trackingNumber! ORDER BY o.id DESC LIMIT 100;

/* @name listObservations */
-- The newest five hundred, as event-order.ts says, and how many there are.
SELECT t.id::text AS "id!", t.kind,
       to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "occurred_at!",
       to_char(t.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "received_at!",
       t.status, t.sub_status, t.stage, t.provider_status, t.description, t.location, t.source,
       t.inbound_record_id::text AS record_id, count(*) OVER ()::int AS "total!"
  FROM tracking_events t WHERE t.tracking_number = :trackingNumber!
 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position(:progress!::text[], t.sub_status) DESC NULLS LAST, t.identity DESC LIMIT 500;
