-- Two categories whose names differ only in letter case look like one. Of such categories, the one in lower case keeps its name,
-- because an API path may serve it, or else the oldest; the others get their id, as in "Head (6)", and a hash too if that name is
-- taken.
UPDATE "categories" c
   SET "name" = CASE WHEN EXISTS (SELECT FROM "categories" o
                                   WHERE lower(o."name") = lower(left(c."name", 85) || ' (' || c."id" || ')'))
                     THEN left(c."name", 50) || ' (' || c."id" || ', ' || md5(c."name") || ')'
                     ELSE left(c."name", 85) || ' (' || c."id" || ')' END
  FROM (SELECT "id", row_number() OVER (PARTITION BY lower("name") ORDER BY "name" <> lower("name"), "id") AS rank
          FROM "categories") r
 WHERE r."id" = c."id" AND r.rank > 1;

-- The last release reports a violation of this index as a name that is taken, like one of the exact name.
-- contract: unused since 0.21.0
CREATE UNIQUE INDEX "categories_name_in_any_case" ON "categories"(lower("name"));
