/* @name findFilledTables */
SELECT EXISTS (SELECT FROM countries) AS "countries!", EXISTS (SELECT FROM categories) AS "categories!";

/* @name addCategories */
INSERT INTO categories (name, position)
SELECT * FROM unnest(:names!::text[], :positions!::int[]);

/* @name addCountries */
INSERT INTO countries (code, name, folded_name)
SELECT * FROM unnest(:codes!::text[], :names!::text[], :foldedNames!::text[]) ON CONFLICT DO NOTHING;

/* @name addAliases */
-- Skips the aliases of countries that are not stored.
INSERT INTO country_aliases (alias, folded_alias, country_code)
SELECT a.* FROM unnest(:aliases!::text[], :foldedAliases!::text[], :codes!::text[]) AS a(alias, folded_alias, code)
 WHERE EXISTS (SELECT FROM countries c WHERE c.code = a.code) ON CONFLICT DO NOTHING;
