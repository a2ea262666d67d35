/* @name beginImport */
-- The import's row, written first so that its records can refer to it. Shop 0 stands for no shop: the request named none that
-- exists, or the shop is being deleted. Inserts and returns nothing if the shop `shopId` is being deleted or is gone.
INSERT INTO imports (shop_id, source, outcome, actor, api_key_id, user_id, request_id, file_name, content_hash, rows,
                     errors, failure, duration_ms)
SELECT coalesce(:shopId::int, 0), :source!::import_source, :outcome!::import_outcome, :actor!, :apiKeyId::int, :userId::int,
       :requestId, :fileName, :contentHash!, :rows!::int, :errors!::int, :failure::jsonb, :durationMs!::int
 WHERE coalesce(:shopId::int, 0) = 0 OR EXISTS (SELECT FROM shops WHERE id = :shopId AND deleting_at IS NULL)
RETURNING id;

/* @name addIssues */
INSERT INTO import_issues (shop_id, import_id, position, severity, "row", path, reason, "values")
SELECT coalesce(:shopId::int, 0), :importId::bigint, i.position, i.severity, i."row", i.path, i.reason, i."values"
  FROM json_to_recordset(:issues::json)
       AS i(position integer, severity issue_severity, "row" integer, path text, reason text, "values" jsonb);

/* @name finishImport */
-- `at` is the timestamp of the orders, items and shipments that the import has stored.
UPDATE imports
   SET outcome = 'succeeded', created_at = :at!, new_orders = :newOrders!, updated_orders = :updatedOrders!,
       changed_orders = :changedOrders!, items_inserted = :itemsInserted!, items_changed = :itemsChanged!, warnings = :warnings!,
       duration_ms = :durationMs!, held_rows = :heldRows!, errors = :errors!
 WHERE shop_id = :shopId! AND id = :importId!;

/* @name listIssues */
SELECT position, severity, "row", path, reason, "values" FROM import_issues
 WHERE shop_id = :shopId! AND import_id = :importId! AND (:after::bigint IS NULL OR position > :after)
 ORDER BY position LIMIT :limit!;

/* @name countIssues */
SELECT count(*)::int AS "total!" FROM import_issues WHERE shop_id = :shopId! AND import_id = :importId!;

/* @name listCreatedOrders */
SELECT id::text AS "order_id!", receipt_id, status, buyer, name FROM orders
 WHERE shop_id = :shopId! AND import_id = :importId! AND (:after::bigint IS NULL OR id > :after)
 ORDER BY orders.id LIMIT :limit!;

/* @name countCreatedOrders */
SELECT count(*)::int AS "total!" FROM orders WHERE shop_id = :shopId! AND import_id = :importId!;

/* @name listChanges */
SELECT c.id::text AS "id!", c.record, c.record_id::text AS "record_id!", c.order_id::text AS "order_id!",
       o.receipt_id AS "receipt_id?", c.before, c.after
  FROM import_changes c LEFT JOIN orders o ON o.shop_id = c.shop_id AND o.id = c.order_id
 WHERE c.shop_id = :shopId! AND c.import_id = :importId! AND (:after::bigint IS NULL OR c.id > :after)
 ORDER BY c.id LIMIT :limit!;

/* @name countChanges */
SELECT count(*)::int AS "total!" FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId!;

/* @name readImport */
-- Across all shops, because the import's shop is not known yet.
SELECT m.id::text AS "id!", m.shop_id, m.known_shop_id AS account_id, s.name AS "account?", m.source, m.outcome, m.actor,
       m.user_id, m.api_key_id, m.request_id, m.file_name, m.content_hash, m.rows, m.new_orders, m.updated_orders,
       m.changed_orders, m.items_inserted, m.items_changed, m.warnings, m.errors, m.held_rows, m.failure, m.duration_ms,
       m.created_at, m.undone_at, u.email AS "undone_by?",
       m.row_history = 'kept' AS "has_row_history!"
  FROM imports m LEFT JOIN shops s ON s.id = m.known_shop_id LEFT JOIN users u ON u.id = m.undone_by_user_id
 WHERE m.id = :importId!;

/* @name listImports */
-- Imports, newest first. A filter that is null is not applied.
SELECT m.id::text AS "id!", m.known_shop_id AS account_id, s.name AS "account?", m.source, m.outcome, m.actor,
       m.user_id, m.api_key_id, m.request_id, m.file_name, m.content_hash, m.rows, m.new_orders, m.updated_orders,
       m.changed_orders, m.items_inserted, m.items_changed, m.warnings, m.errors, m.held_rows, m.failure, m.duration_ms,
       m.created_at, m.undone_at, u.email AS "undone_by?",
       m.row_history = 'kept' AS "has_row_history!"
  FROM imports m LEFT JOIN shops s ON s.id = m.known_shop_id LEFT JOIN users u ON u.id = m.undone_by_user_id
 WHERE (:beforeId::bigint IS NULL OR m.id < :beforeId)
   AND (:shopIds::int[] IS NULL OR m.shop_id = ANY(:shopIds))
   AND (:source::import_source IS NULL OR m.source = :source)
   AND (:outcomes::import_outcome[] IS NULL OR m.outcome = ANY(:outcomes))
   AND (:warnings::boolean IS NULL OR (m.warnings > 0 OR m.held_rows > 0) = :warnings)
   AND (:actor::text IS NULL OR strpos(lower(m.actor), lower(:actor)) > 0)
   AND (:fileName::text IS NULL OR strpos(lower(m.file_name), lower(:fileName)) > 0)
   AND (:from::timestamptz IS NULL OR m.created_at >= :from)
   AND (:until::timestamptz IS NULL OR m.created_at < :until)
 ORDER BY m.id DESC LIMIT :limit!;
