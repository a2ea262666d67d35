/*
 * The deletion of a shop with all its data. First the shop is marked; then its data is deleted in batches, each in a transaction of
 * its own, and finally the shop itself. After a crash, the mark shows which shops are left.
 */

/* @name markShop */
-- After this, no import of the shop stores anything. None is storing now, because the caller holds the shop's lock.
UPDATE shops SET deleting_at = now(), archived_at = coalesce(archived_at, :now!), updated_at = now() WHERE id = :shopId!;

/* @name readShop */
SELECT s.name, s.shop_id, s.deleting_at, (SELECT count(*)::int FROM orders o WHERE o.shop_id = :shopId!) AS "order_count!"
  FROM shops s WHERE s.id = :shopId!;

/* @name listMarkedShops */
SELECT id FROM shops WHERE deleting_at IS NOT NULL ORDER BY id;

/* @name lockMarketplaceShopId */
-- Until the transaction ends, the shop keeps its shop_id.
SELECT shop_id AS marketplace_shop_id FROM shops WHERE id = :shopId! AND deleting_at IS NOT NULL FOR KEY SHARE;

/* @name listOrders */
SELECT id::text AS "id!" FROM orders WHERE shop_id = :shopId! ORDER BY orders.id LIMIT :limit!;

/* @name listNumbers */
SELECT DISTINCT tracking_number FROM shipments WHERE shop_id = :shopId! AND order_id = ANY(:orderIds!::bigint[]);

/* @name deleteShipments */
DELETE FROM shipments WHERE shop_id = :shopId! AND order_id = ANY(:orderIds!::bigint[]);

/* @name deleteItems */
DELETE FROM order_items WHERE shop_id = :shopId! AND order_id = ANY(:orderIds!::bigint[]);

/* @name deleteSearchDocuments */
DELETE FROM order_search WHERE shop_id = :shopId! AND order_id = ANY(:orderIds!::bigint[]);

/* @name deleteOrders */
DELETE FROM orders WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]);

/* @name deleteNumbersWithoutShop */
-- With their events, unless another shop has shipments with them.
DELETE FROM tracking_numbers t
 WHERE t.tracking_number = ANY(:trackingNumbers!::text[])
   AND NOT EXISTS (SELECT FROM tracking_number_shops n WHERE n.tracking_number = t.tracking_number);

/* @name deleteChanges */
WITH deleted_rows AS (
  DELETE FROM import_changes
   WHERE shop_id = :shopId! AND id IN (SELECT id FROM import_changes WHERE shop_id = :shopId! LIMIT :limit!) RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteIssues */
WITH deleted_rows AS (
  DELETE FROM import_issues
   WHERE shop_id = :shopId!
     AND (import_id, position) IN (SELECT import_id, position FROM import_issues WHERE shop_id = :shopId! LIMIT :limit!)
  RETURNING position
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteDrafts */
WITH deleted_rows AS (
  DELETE FROM import_drafts
   WHERE shop_id = :shopId! AND id IN (SELECT id FROM import_drafts WHERE shop_id = :shopId! LIMIT :limit!) RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteImports */
WITH deleted_rows AS (
  DELETE FROM imports
   WHERE shop_id = :shopId! AND id IN (SELECT id FROM imports WHERE shop_id = :shopId! LIMIT :limit!) RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteReplies */
-- Including replies to requests that named the shop but no stored order.
WITH deleted_rows AS (
  DELETE FROM replies WHERE id IN (
    SELECT id FROM replies
     WHERE shop_id = :shopId! OR shop_id IS NULL AND shop_name IN (
             SELECT name FROM shops WHERE id = :shopId! UNION ALL SELECT name FROM shop_former_names WHERE shop_id = :shopId!)
     LIMIT :limit!)
  RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteShopDays */
WITH deleted_rows AS (
  DELETE FROM shop_daily_statistics
   WHERE shop_id = :marketplaceShopId!
     AND date IN (SELECT date FROM shop_daily_statistics WHERE shop_id = :marketplaceShopId! LIMIT :limit!)
  RETURNING date
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteListingDays */
WITH deleted_rows AS (
  DELETE FROM product_daily_statistics
   WHERE shop_id = :marketplaceShopId!
     AND (date, listing_id) IN (
           SELECT date, listing_id FROM product_daily_statistics WHERE shop_id = :marketplaceShopId! LIMIT :limit!)
  RETURNING date
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name deleteRestatements */
WITH deleted_rows AS (
  DELETE FROM statistic_restatements
   WHERE shop_id = :marketplaceShopId!
     AND id IN (SELECT id FROM statistic_restatements WHERE shop_id = :marketplaceShopId! LIMIT :limit!)
  RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted_rows;

/* @name lockChannels */
-- The channels whose messages may be about the shop. Waits while others change them or write their messages.
SELECT id FROM notification_channels WHERE :shopId!::int = ANY(shop_ids) OR shop_ids = '{}' ORDER BY id FOR NO KEY UPDATE;

/* @name removeFromChannels */
-- A channel without shops is for all shops, so one that was only for this shop becomes inactive.
UPDATE notification_channels
   SET shop_ids = array_remove(shop_ids, :shopId!::int), active = active AND shop_ids <> ARRAY[:shopId!::int]
 WHERE :shopId!::int = ANY(shop_ids);

/* @name deleteUnsentMessages */
-- Also forgets what alerts of their kinds have reported, so that it is reported again, without the shop. An inactive channel
-- forgets everything. notifications/unwanted-messages-service.ts does the same when a user changes a channel.
WITH deleted_messages AS (
  DELETE FROM notifications
   WHERE channel_id = ANY(:channelIds!::int[]) AND kind <> 'test' AND state IN ('waiting', 'sending')
  RETURNING channel_id, kind
)
DELETE FROM notification_entries e
 WHERE e.channel_id = ANY(:channelIds!::int[])
   AND (EXISTS (SELECT FROM deleted_messages m WHERE m.channel_id = e.channel_id AND m.kind = e.kind)
        OR EXISTS (SELECT FROM notification_channels c WHERE c.id = e.channel_id AND NOT c.active));

/* @name deleteShop */
-- With its former names, prompt and daily sums.
DELETE FROM shops WHERE id = :shopId!;
