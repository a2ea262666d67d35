import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { readCsv } from '../core/csv-reader';
import { readTable } from '../core/table';
import { foldCountryName } from '../countries/match';

/** The tables that it fills: a new database has rows in these before anyone uses it. */
export const REFERENCE_TABLES = ['countries', 'country_aliases', 'categories'] as const;

type Row<Column extends string> = Partial<Record<Column, string>>;

async function readReference<Column extends string>(
  prismaDir: string,
  name: string,
  columns: readonly Column[],
): Promise<Row<Column>[]> {
  const file = await readFile(path.join(prismaDir, 'reference', name));
  return readTable(readCsv(file), { known: columns, required: columns }).rows.map(({ cells }) => cells);
}

/**
 * Writes the reference data that the product ships: countries, their aliases, the five categories. Leaves stored rows as they
 * are and adds nothing to a table that has rows, so that changes made in the admin pages stay.
 */
export async function seedReferenceData(client: pg.ClientBase, prismaDir: string): Promise<void> {
  const [countries, aliases, categories] = await Promise.all([
    readReference(prismaDir, 'countries.csv', ['code', 'name']),
    readReference(prismaDir, 'country-aliases.csv', ['alias', 'code']),
    readReference(prismaDir, 'categories.csv', ['name', 'position']),
  ]);
  const { rows } = await client.query<{ countries: boolean; categories: boolean }>(
    `SELECT EXISTS (SELECT FROM countries) AS countries, EXISTS (SELECT FROM categories) AS categories`,
  );
  if (!rows[0]?.countries) await seedCountries(client, countries, aliases);
  if (rows[0]?.categories) return;
  await client.query(
    `INSERT INTO categories (name, position)
     SELECT * FROM unnest($1::text[], $2::int[])`,
    [categories.map((row) => row.name), categories.map((row) => row.position)],
  );
}

async function seedCountries(
  client: pg.ClientBase,
  countries: Row<'code' | 'name'>[],
  aliases: Row<'alias' | 'code'>[],
): Promise<void> {
  await client.query(
    `INSERT INTO countries (code, name, folded_name)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    [
      countries.map((row) => row.code),
      countries.map((row) => row.name),
      countries.map((row) => foldCountryName(row.name ?? '')),
    ],
  );
  await client.query(
    `INSERT INTO country_aliases (alias, folded_alias, country_code)
     SELECT a.* FROM unnest($1::text[], $2::text[], $3::text[]) AS a(alias, folded, code)
      WHERE EXISTS (SELECT FROM countries c WHERE c.code = a.code) ON CONFLICT DO NOTHING`,
    [
      aliases.map((row) => row.alias),
      aliases.map((row) => foldCountryName(row.alias ?? '')),
      aliases.map((row) => row.code),
    ],
  );
}
