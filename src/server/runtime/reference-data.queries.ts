// Written by `npm run sql` from reference-data.sql: change that file instead.
import { Statement } from '../db/statement';

export type numberArray = (number)[];
export type stringArray = (string)[];

export interface FindFilledTablesRow {
  categories: boolean;
  countries: boolean;
}

export const findFilledTables = new Statement<undefined, FindFilledTablesRow>('reference-data.findFilledTables', `
SELECT EXISTS (SELECT FROM countries) AS "countries", EXISTS (SELECT FROM categories) AS "categories"`);

export interface AddCategoriesParams {
  names: Readonly<stringArray>;
  positions: Readonly<numberArray>;
}

export const addCategories = new Statement<AddCategoriesParams, never>('reference-data.addCategories', `
INSERT INTO categories (name, position)
SELECT * FROM unnest($1::text[], $2::int[])`, ["names","positions"]);

export interface AddCountriesParams {
  codes: Readonly<stringArray>;
  foldedNames: Readonly<stringArray>;
  names: Readonly<stringArray>;
}

export const addCountries = new Statement<AddCountriesParams, never>('reference-data.addCountries', `
INSERT INTO countries (code, name, folded_name)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`, ["codes","names","foldedNames"]);

export interface AddAliasesParams {
  aliases: Readonly<stringArray>;
  codes: Readonly<stringArray>;
  foldedAliases: Readonly<stringArray>;
}

export const addAliases = new Statement<AddAliasesParams, never>('reference-data.addAliases', `
-- Skips those of countries that are not stored.
INSERT INTO country_aliases (alias, folded_alias, country_code)
SELECT a.* FROM unnest($1::text[], $2::text[], $3::text[]) AS a(alias, folded, code)
 WHERE EXISTS (SELECT FROM countries c WHERE c.code = a.code) ON CONFLICT DO NOTHING`, ["aliases","foldedAliases","codes"]);
