/* @name listProducts */
-- A page sorted by code. `archived` is no, yes or all.
SELECT p.id, p.code, p.name, p.category_id, c.name AS category, p.archived_at, p.updated_at
  FROM products p JOIN categories c ON c.id = p.category_id
 WHERE (:search::text IS NULL OR strpos(lower(p.code), lower(:search)) > 0 OR strpos(lower(p.name), lower(:search)) > 0)
   AND (:categoryId::int IS NULL OR p.category_id = :categoryId)
   AND (:archived!::text = 'all' OR (p.archived_at IS NOT NULL) = (:archived! = 'yes'))
   AND (:afterCode::text IS NULL OR p.code COLLATE "C" > :afterCode)
 ORDER BY p.code COLLATE "C" LIMIT :limit!;

/* @name exportProducts */
-- The products that match the filter of listProducts, sorted by category and code.
SELECT c.name AS category, p.code, p.name, CASE WHEN p.archived_at IS NULL THEN '' ELSE 'archived' END AS "archived!"
  FROM products p JOIN categories c ON c.id = p.category_id
 WHERE (:search::text IS NULL OR strpos(lower(p.code), lower(:search)) > 0 OR strpos(lower(p.name), lower(:search)) > 0)
   AND (:categoryId::int IS NULL OR p.category_id = :categoryId)
   AND (:archived!::text = 'all' OR (p.archived_at IS NOT NULL) = (:archived! = 'yes'))
 ORDER BY c.position, p.code COLLATE "C";

/* @name lockProduct */
-- Locks the product until the transaction ends, so that the audit entry shows exactly what was replaced. A join would return no
-- row if another transaction had just moved the product to another category.
SELECT p.id, p.code, p.name, p.category_id, (SELECT c.name FROM categories c WHERE c.id = p.category_id) AS "category!",
       p.archived_at, p.updated_at
  FROM products p
 WHERE p.id = :id! FOR UPDATE;

/* @name lockForProductChange */
-- Conflicts with the lock that an import and the deletion of a category take on the table. Take it before the lock on any row;
-- otherwise a change and an import could deadlock. Take it before the category is read, which could be deleted in the meantime.
LOCK TABLE products IN ROW EXCLUSIVE MODE;

/* @name lockCategories */
-- Keeps the categories from changing during an import.
LOCK TABLE categories IN SHARE MODE;

/* @name lockProducts */
LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE;

/* @name previewImport */
-- What an import of the products would do now: counts, and the first changes as a JSON list in the order of the file.
WITH changes AS (
  SELECT j.row, j.code, CASE WHEN p.id IS NULL THEN 'inserted' ELSE 'updated' END AS kind,
         CASE WHEN p.id IS NOT NULL THEN
           json_build_object('category', c.name, 'name', p.name, 'archived', p.archived_at IS NOT NULL) END AS before,
         json_build_object('category', j.category, 'name', coalesce(nullif(j.name, ''), p.name), 'archived', false) AS after
    FROM json_to_recordset(:productsJson::json) AS j("row" integer, category text, code text, name text)
    LEFT JOIN products p ON p.code = j.code LEFT JOIN categories c ON c.id = p.category_id
   WHERE p.id IS NULL OR p.archived_at IS NOT NULL OR c.name <> j.category OR nullif(j.name, '') <> coalesce(p.name, '')
)
SELECT count(*) FILTER (WHERE kind = 'inserted')::int AS "inserted!",
       count(*) FILTER (WHERE kind = 'updated')::int AS "updated!",
       coalesce((SELECT json_agg(json_build_object('code', n.code, 'kind', n.kind, 'before', n.before, 'after', n.after)
                                 ORDER BY n."row")
                   FROM (SELECT * FROM changes ORDER BY "row" LIMIT :limit!::int) n), '[]') AS "changes!"
  FROM changes;

/* @name storeProducts */
-- A blank name keeps the stored one; archived products are restored. `xmax` is zero for rows that are new.
WITH imported_products AS (
  SELECT j.code, nullif(j.name, '') AS name, c.id AS category_id
    FROM json_to_recordset(:productsJson::json) AS j(category text, code text, name text)
    JOIN categories c ON c.name = j.category
), stored_products AS (
  INSERT INTO products AS p (code, category_id, name)
  SELECT code, category_id, name FROM imported_products ORDER BY code
  ON CONFLICT (code) DO UPDATE SET
    category_id = excluded.category_id, name = coalesce(excluded.name, p.name), archived_at = NULL, updated_at = excluded.updated_at
    WHERE (p.category_id, p.name, p.archived_at)
          IS DISTINCT FROM (excluded.category_id, coalesce(excluded.name, p.name), NULL)
  RETURNING xmax = 0 AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int AS "inserted!", count(*) FILTER (WHERE NOT inserted)::int AS "updated!"
  FROM stored_products;
