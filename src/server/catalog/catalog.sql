/* @name listProductCodes */
-- COLLATE "C" makes the order the same on every machine (docs/api-conventions.md).
SELECT coalesce(array_agg(code ORDER BY code COLLATE "C"), '{}') AS "codes!"
  FROM (SELECT DISTINCT p.code FROM products p JOIN categories c ON c.id = p.category_id
         WHERE p.archived_at IS NULL AND (:category::text IS NULL OR c.name = :category)) codes;

/* @name listCategoryNames */
SELECT coalesce(array_agg(name ORDER BY position, id), '{}') AS "names!" FROM categories;

/* @name listCategories */
SELECT c.id, c.name, c.position, count(p.id) FILTER (WHERE p.archived_at IS NULL)::int AS "products!",
       count(p.archived_at)::int AS "archived_products!"
  FROM categories c LEFT JOIN products p ON p.category_id = c.id
 GROUP BY c.id ORDER BY c.position, c.id;

/* @name lockCategories */
-- Adding a category and reordering the list both depend on the positions of all categories, so changes run one at a time.
LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE;

/* @name reorderCategories */
UPDATE categories c SET position = n.position
  FROM unnest(:ids!::int[]) WITH ORDINALITY AS n(id, position) WHERE n.id = c.id;
