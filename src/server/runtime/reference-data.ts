import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { readCsv } from '../core/text/csv-reader';
import { readTable } from '../core/text/table';
import { foldCountryName } from '../countries/match';
import * as sql from './reference-data.queries';

/** The tables that are filled in a new database before anyone uses it. */
export const REFERENCE_TABLES = ['countries', 'country_aliases', 'categories'] as const;

type Row<Column extends string> = Record<Column, string>;

async function readReferenceFile<Column extends string>(
  prismaDir: string,
  fileName: string,
  columns: readonly Column[],
): Promise<Row<Column>[]> {
  const file = await readFile(path.join(prismaDir, 'reference', fileName));
  const { rows } = readTable(readCsv(file), { known: columns, required: columns });
  return Array.from(rows, ({ cells }) => cells as Row<Column>);
}

/**
 * Writes the reference data that ships with the product: countries with their aliases, unless there are countries already, and
 * the five categories, unless there are categories already. Changes made in the admin pages therefore stay.
 */
export async function seedReferenceData(client: pg.ClientBase, prismaDir: string): Promise<void> {
  const [countries, aliases, categories] = await Promise.all([
    readReferenceFile(prismaDir, 'countries.csv', ['code', 'name']),
    readReferenceFile(prismaDir, 'country-aliases.csv', ['alias', 'code']),
    readReferenceFile(prismaDir, 'categories.csv', ['name', 'position']),
  ]);
  const [filledTables] = await sql.findFilledTables.run(client);
  if (!filledTables?.countries) await seedCountries(client, countries, aliases);
  if (filledTables?.categories) return;
  await sql.addCategories.run(client, {
    names: categories.map((row) => row.name),
    positions: categories.map((row) => Number(row.position)),
  });
}

async function seedCountries(
  client: pg.ClientBase,
  countries: Row<'code' | 'name'>[],
  aliases: Row<'alias' | 'code'>[],
): Promise<void> {
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
