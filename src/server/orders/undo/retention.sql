/* @name listShops */
-- The shops with imports whose row history is to be deleted: it is too old, or its deletion has begun.
SELECT DISTINCT shop_id FROM imports
 WHERE row_history = 'expiring' OR row_history = 'kept' AND created_at < now() - make_interval(days => :days!)
 ORDER BY shop_id;

/* @name lockExpiredImports */
-- Skips imports that are being undone, which are locked; the next run finds them.
SELECT id::text AS "id!" FROM imports
 WHERE shop_id = :shopId! AND row_history = 'kept' AND created_at < now() - make_interval(days => :days!)
 FOR NO KEY UPDATE SKIP LOCKED;

/* @name markExpiring */
-- From now on these imports cannot be undone.
UPDATE imports SET row_history = 'expiring' WHERE shop_id = :shopId! AND id = ANY(:importIds!::bigint[]);

/* @name listExpiringImports */
SELECT id::text AS "id!" FROM imports WHERE shop_id = :shopId! AND row_history = 'expiring' ORDER BY imports.id;

/* @name deleteChanges */
WITH deleted_row AS (
  DELETE FROM import_changes
   WHERE shop_id = :shopId!
     AND id IN (SELECT id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId! LIMIT :limit!)
  RETURNING id
)
SELECT count(*)::int AS "count!" FROM deleted_row;

/* @name deleteIssues */
WITH deleted_row AS (
  DELETE FROM import_issues
   WHERE shop_id = :shopId! AND import_id = :importId!
     AND position IN (SELECT position FROM import_issues WHERE shop_id = :shopId! AND import_id = :importId! LIMIT :limit!)
  RETURNING position
)
SELECT count(*)::int AS "count!" FROM deleted_row;

/* @name markRowHistoryDeleted */
UPDATE imports SET row_history = 'deleted' WHERE shop_id = :shopId! AND id = :importId!;
