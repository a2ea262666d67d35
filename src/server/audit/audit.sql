/* @name addEntries */
INSERT INTO audit_log (actor_kind, actor_id, actor, address, request_id, action, record_type, record_id, before, after)
SELECT :kind!, :actorId, :actor!, :address, :requestId, r.action, r."recordType", r."recordId", r.before, r.after
  FROM json_to_recordset(:entriesJson!::json) AS r(action text, "recordType" text, "recordId" text, before jsonb, after jsonb);

/* @name listActors */
-- Lists the actors in the log: each user and key by id, all commands as one, and the service itself as one.
SELECT 'user' AS "kind!", u.id AS "id?", u.name AS "name!" FROM users u
 WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'user' AND a.actor_id = u.id)
UNION ALL
SELECT 'api_key', k.id, k.name FROM api_keys k
 WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'api_key' AND a.actor_id = k.id)
UNION ALL
SELECT 'command', NULL, '' WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'command')
UNION ALL
SELECT 'system', NULL, '' WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'system')
ORDER BY 1 DESC, 3, 2;

/* @name nameRecords */
-- Returns the names of records by type and id. A record that has been removed has no row.
SELECT 'account' AS "type!", id::text AS "id!", name AS "name!" FROM shops WHERE id = ANY(:shopIds!::int[])
UNION ALL SELECT 'user', id::text, name FROM users WHERE id = ANY(:userIds!::int[])
UNION ALL SELECT 'api_key', id::text, name FROM api_keys WHERE id = ANY(:apiKeyIds!::int[])
UNION ALL SELECT 'personal_token', id::text, name FROM personal_tokens WHERE id = ANY(:tokenIds!::int[])
UNION ALL SELECT 'oauth_client', id, name FROM oauth_clients WHERE id = ANY(:clientIds!::text[])
UNION ALL SELECT 'product', id::text, code FROM products WHERE id = ANY(:productIds!::int[])
UNION ALL SELECT 'category', id::text, name FROM categories WHERE id = ANY(:categoryIds!::int[])
UNION ALL SELECT 'country', code, name FROM countries WHERE code = ANY(:countryCodes!::text[])
UNION ALL SELECT 'view', id::text, name FROM saved_views WHERE id = ANY(:viewIds!::int[])
UNION ALL SELECT 'export_template', id::text, name FROM export_templates WHERE id = ANY(:templateIds!::int[])
UNION ALL SELECT 'notification_channel', id::text, name FROM notification_channels WHERE id = ANY(:channelIds!::int[])
UNION ALL SELECT 'prompt', p.id::text, coalesce(s.name, p.shop_name)
  FROM prompts p LEFT JOIN shops s ON s.id = p.shop_id WHERE p.id = ANY(:promptIds!::int[]);

/* @name listNamesAtTime */
-- Returns the names that records had just before an entry, according to the log: the name that the next entry replaced, else the one
-- that the last entry gave it, else the one that it was created with. The name of a product is its code. The first condition on the
-- name is that of an index, which leaves out entries without one, such as sign-ins.
SELECT m.type AS "type!", m.id AS "id!", m."entryId"::text AS "entryId!",
       coalesce(next.before, earlier.after, next.after) AS "name?"
  FROM json_to_recordset(:mentionsJson!::json) AS m(type text, id text, "entryId" bigint)
 CROSS JOIN LATERAL (SELECT CASE m.type WHEN 'product' THEN 'code' ELSE 'name' END AS key) k
  LEFT JOIN LATERAL (
    SELECT a.before ->> k.key AS before, a.after ->> k.key AS after
      FROM audit_log a
     WHERE a.record_type = m.type AND a.record_id = m.id AND a.id >= m."entryId"
       AND coalesce(a.before ->> 'name', a.after ->> 'name', a.before ->> 'code', a.after ->> 'code') IS NOT NULL
       AND coalesce(a.before ->> k.key, a.after ->> k.key) IS NOT NULL
     ORDER BY a.id
     LIMIT 1) next ON true
  LEFT JOIN LATERAL (
    SELECT a.after ->> k.key AS after
      FROM audit_log a
     WHERE a.record_type = m.type AND a.record_id = m.id AND a.id < m."entryId"
       AND coalesce(a.before ->> 'name', a.after ->> 'name', a.before ->> 'code', a.after ->> 'code') IS NOT NULL
       AND coalesce(a.before ->> k.key, a.after ->> k.key) IS NOT NULL
     ORDER BY a.id DESC
     LIMIT 1) earlier ON true;

/* @name nameOrders */
-- Searches all shops, because the log stores only the ids of orders.
SELECT id::text AS "id!", receipt_id AS "name!" FROM orders WHERE id = ANY(:orderIds!::bigint[]);

/* @name nameImports */
-- Searches all shops, like nameOrders.
SELECT id::text AS "id!", file_name AS "name!" FROM imports
 WHERE id = ANY(:importIds!::bigint[]) AND file_name IS NOT NULL;

/* @name findLastChange */
-- Returns who last set one of these fields to its current value, and when.
SELECT a.actor_kind AS "kind!", a.actor_id AS "id?", coalesce(u.name, k.name, a.actor) AS "name!", a.created_at AS "at!"
  FROM audit_log a
  LEFT JOIN users u ON a.actor_kind = 'user' AND u.id = a.actor_id
  LEFT JOIN api_keys k ON a.actor_kind = 'api_key' AND k.id = a.actor_id
 WHERE a.record_type = :recordType! AND a.record_id = :recordId!
   AND EXISTS (SELECT FROM jsonb_each(:fields!::jsonb) f
                WHERE a.after -> f.key = f.value AND a.before -> f.key IS DISTINCT FROM f.value)
 ORDER BY a.created_at DESC, a.id DESC
 LIMIT 1;
