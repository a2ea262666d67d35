/* @name countByStatus */
SELECT status, count(*)::int AS "count!" FROM tracking_numbers GROUP BY status;

/* @name countByStatusInShops */
SELECT n.status, count(*)::int AS "count!" FROM tracking_numbers n
 WHERE n.tracking_number IN (
   SELECT h.tracking_number FROM tracking_number_shops h WHERE h.shop_id = ANY(:shopIds!::int[]))
 GROUP BY n.status;

/* @name findNextCarrier */
-- The first carrier code after `afterCode` among tracking numbers and shipments in all shops. Takes one step in each index,
-- however many rows have the code.
SELECT least((SELECT min(carrier_code) FROM tracking_numbers WHERE carrier_code > :afterCode!),
             (SELECT min(carrier_code) FROM shipments WHERE carrier_code > :afterCode!)) AS code;

/* @name readShipment */
SELECT n.tracking_number, n.status, n.sub_status,
       coalesce(n.status_at, n.created_at) AS "since!",
       n.carrier_code,
       n.asked_at,
       n.registered_at
  FROM tracking_numbers n WHERE n.tracking_number = :trackingNumber!;

/* @name describeOrders */
-- For each number that has orders: how many there are in all shops, the newest of them, and the carrier code of the newest
-- shipment that has one.
SELECT s.tracking_number, count(*)::int AS "order_count!",
       (array_agg(s.carrier_code ORDER BY s.id DESC) FILTER (WHERE s.carrier_code IS NOT NULL))[1] AS carrier_code,
       (array_agg(json_build_object('id', o.id::text, 'receipt_id', o.receipt_id, 'shop_id', o.shop_id, 'shop', p.name,
                                    'status', o.status) ORDER BY o.id DESC))[1] AS "newest_order!"
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = ANY(:trackingNumbers!::text[]) GROUP BY s.tracking_number;

/* @name listCarriersOfNumbers */
-- For each number that has shipments with a carrier code: the code that describeOrders returns.
SELECT tracking_number, (array_agg(carrier_code ORDER BY id DESC))[1] AS "carrier_code!" FROM shipments
 WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND carrier_code IS NOT NULL GROUP BY tracking_number;

/* @name listLastEvents */
-- The newest event of each number, in the order of event-order.ts.
SELECT DISTINCT ON (t.tracking_number) t.tracking_number,
       json_build_object('occurred_at', iso_instant(t.occurred_at),
                         'status', t.status, 'description', t.description, 'location', t.location) AS "event!"
  FROM tracking_events t WHERE t.tracking_number = ANY(:trackingNumbers!::text[]) AND t.kind = 'event'
 ORDER BY t.tracking_number, t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position(:progress!::text[], t.sub_status) DESC NULLS LAST, t.identity DESC;

/* @name listOrdersOfNumber */
-- The newest hundred orders with the tracking number in all shops, with the total number of such orders.
SELECT o.id::text AS "id!", o.receipt_id, o.shop_id, p.name AS shop, o.status, count(*) OVER ()::int AS "total!"
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = :trackingNumber! ORDER BY o.id DESC LIMIT 100;

/* @name listObservations */
-- The newest five hundred observations, in the order of event-order.ts, with the total number of observations.
SELECT t.id::text AS "id!", t.kind,
       t.occurred_at,
       t.received_at,
       t.status, t.sub_status, t.stage, t.provider_status, t.description, t.location, t.source,
       t.inbound_record_id::text AS record_id, count(*) OVER ()::int AS "total!"
  FROM tracking_events t WHERE t.tracking_number = :trackingNumber!
 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position(:progress!::text[], t.sub_status) DESC NULLS LAST, t.identity DESC LIMIT 500;

/* @name countNumbersOfShops */
-- How many tracking numbers have shipments of these shops, at most `limit`; one that several of them have counts for each.
SELECT count(*)::int AS "count!" FROM (
  SELECT FROM tracking_number_shops WHERE shop_id = ANY(:shopIds!::int[]) LIMIT :limit!) AS numbers;

/* @name listNumbersOfShops */
SELECT DISTINCT tracking_number FROM tracking_number_shops WHERE shop_id = ANY(:shopIds!::int[]);

/* @name countNumbersOfCarrier */
-- How many tracking numbers and shipments have one of these carrier codes, at most `limit` of each.
SELECT (SELECT count(*) FROM (SELECT FROM tracking_numbers WHERE carrier_code = ANY(:codes!::text[]) LIMIT :limit!) AS numbers)::int
     + (SELECT count(*) FROM (SELECT FROM shipments WHERE carrier_code = ANY(:codes) LIMIT :limit) AS shipments)::int AS "count!";

/* @name listNumbersOfCarrier */
-- The tracking numbers that were reported or stored with one of these carrier codes.
SELECT tracking_number AS "tracking_number!" FROM tracking_numbers WHERE carrier_code = ANY(:codes!::text[])
 UNION
SELECT tracking_number FROM shipments WHERE carrier_code = ANY(:codes);
