/* @name lockTrackingNumbers */
-- Adds the tracking numbers that are new and locks all of them until the transaction ends. One pass in the order of the numbers,
-- as in tracking/merge.sql: adding the new ones first and then locking the others could deadlock with that statement.
INSERT INTO tracking_numbers (tracking_number)
SELECT DISTINCT tracking_number FROM json_to_recordset(:shipments::json) AS j(tracking_number text)
 ORDER BY tracking_number
    ON CONFLICT (tracking_number) DO UPDATE SET updated_at = tracking_numbers.updated_at WHERE false;

/* @name addShop */
-- The numbers leave the queue of unmatched callbacks.
WITH number AS MATERIALIZED (
  SELECT DISTINCT tracking_number FROM json_to_recordset(:shipments::json) AS j(tracking_number text)
), matched_number AS (
  UPDATE unmatched_numbers u SET matched_at = now()
   WHERE u.matched_at IS NULL AND u.tracking_number IN (SELECT n.tracking_number FROM number n)
)
INSERT INTO tracking_number_shops (tracking_number, shop_id)
SELECT tracking_number, :shopId!::integer FROM number
    ON CONFLICT (tracking_number, shop_id) DO NOTHING;

/* @name addUnmatched */
-- Records which of the tracking numbers callbacks have reported and no order has; `callbackNumbers` are those that a callback has just
-- reported, whose events may have been stored before by a query. The times are those of the statement: now() is when the transaction
-- began, before it waited for the numbers' locks.
INSERT INTO unmatched_numbers AS u (tracking_number, since, latest_at)
SELECT n.tracking_number, statement_timestamp(), statement_timestamp() FROM tracking_numbers n
 WHERE n.tracking_number = ANY(:trackingNumbers!::text[])
   AND NOT EXISTS (SELECT FROM tracking_number_shops h WHERE h.tracking_number = n.tracking_number)
   AND EXISTS (SELECT FROM tracking_events e
                WHERE e.tracking_number = n.tracking_number
                  AND (e.inbound_record_id IS NOT NULL OR n.tracking_number = ANY(:callbackNumbers!::text[])))
    ON CONFLICT (tracking_number) DO UPDATE
   SET latest_at = excluded.latest_at, matched_at = NULL,
       since = CASE WHEN u.matched_at IS NULL THEN u.since ELSE excluded.since END
 WHERE u.matched_at IS NOT NULL OR u.tracking_number = ANY(:numbersWithNewEvents!::text[]);

/* @name findUnusedNumbers */
-- Returns the numbers that no shipment of the shop has.
SELECT n.tracking_number AS "tracking_number!" FROM unnest(:trackingNumbers!::text[]) AS n(tracking_number)
 WHERE NOT EXISTS (
   SELECT FROM shipments s WHERE s.shop_id = :shopId! AND s.tracking_number = n.tracking_number);

/* @name removeShop */
DELETE FROM tracking_number_shops WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND shop_id = :shopId!;

/* @name deleteUnusedNumbers */
-- Deletes the given numbers that have neither a shop nor an event, so that no carrier is queried for them.
DELETE FROM tracking_numbers n WHERE n.tracking_number = ANY(:trackingNumbers!::text[])
   AND NOT EXISTS (SELECT FROM tracking_number_shops h WHERE h.tracking_number = n.tracking_number)
   AND NOT EXISTS (SELECT FROM tracking_events e WHERE e.tracking_number = n.tracking_number);

/* @name findShops */
SELECT shop_id, array_agg(tracking_number ORDER BY tracking_number) AS "tracking_numbers!"
  FROM tracking_number_shops WHERE tracking_number = ANY(:trackingNumbers!::text[])
 GROUP BY shop_id ORDER BY shop_id;

/* @name findOrders */
SELECT DISTINCT tracking_number, order_id::text AS "order_id!" FROM shipments
 WHERE shop_id = :shopId! AND tracking_number = ANY(:trackingNumbers!::text[]);
