import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type pg from 'pg';
import { foldCountryName } from '../countries/match';
import * as sql from './reference-data.queries';

/** The tables that it fills: a new database has rows in these before anyone uses it. */
export const REFERENCE_TABLES = ['countries', 'country_aliases', 'categories'] as const;

type Country = Record<'code' | 'name', string>;
type Alias = Record<'alias' | 'code', string>;
type Category = Record<'name' | 'position', string>;

async function readCsv<Row>(prismaDir: string, name: string): Promise<Row[]> {
  const text = await readFile(path.join(prismaDir, 'reference', name), 'utf8');
  return parse<Row>(text, { columns: true, bom: true, skip_empty_lines: true });
}

/**
 * Writes the reference data that the product ships: countries, their aliases, the five categories. Leaves stored rows as they
 * are and adds nothing to a table that has rows, so that changes made in the admin pages stay.
 */
export async function seedReferenceData(client: pg.ClientBase, prismaDir: string): Promise<void> {
  const [countries, aliases, categories] = await Promise.all([
    readCsv<Country>(prismaDir, 'countries.csv'),
    readCsv<Alias>(prismaDir, 'country-aliases.csv'),
    readCsv<Category>(prismaDir, 'categories.csv'),
  ]);
  const [filled] = await sql.findFilledTables.run(client);
  if (!filled?.countries) await seedCountries(client, countries, aliases);
  if (filled?.categories) return;
  await sql.addCategories.run(client, {
    names: categories.map((row) => row.name),
    positions: categories.map((row) => Number(row.position)),
  });
}

async function seedCountries(client: pg.ClientBase, countries: Country[], aliases: Alias[]): Promise<void> {
  await sql.addCountries.run(client, {
    codes: countries.map((row) => row.code),
    names: countries.map((row) => row.name),
    foldedNames: countries.map((row) => foldCountryName(row.name)),
  });
  await sql.addAliases.run(client, {
    aliases: aliases.map((row) => row.alias),
    foldedAliases: aliases.map((row) => foldCountryName(row.alias)),
    codes: aliases.map((row) => row.code),
  });
}
