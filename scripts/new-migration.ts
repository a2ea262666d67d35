import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listShippedMigrations } from '../src/server/db/migration/migrate';
import { createChangeScript, createFullSchemaSql } from './schema-script';

const PRISMA_DIR = path.resolve('prisma');
const folderOf = (migration: string): string => path.join(PRISMA_DIR, 'migrations', migration);
const schemaFileOf = (migration: string): string => path.join(folderOf(migration), 'schema.prisma');

/**
 * npm run db:migration -- <name>: writes the migration that turns the last migration's schema (stored beside it) into
 * prisma/schema.prisma. Needs no database. Read the SQL before you commit it. Add what schema.prisma cannot express to the
 * migration and to prisma/beyond-prisma.sql by hand; a test compares the two.
 * npm run db:migration -- <name> --empty: begins a migration whose SQL you write, for a change that schema.prisma does not show.
 * npm run db:migration -- init: writes the initial migration again, from prisma/schema.prisma and prisma/beyond-prisma.sql. Use
 * it only until the first release whose users have data.
 */
async function main(): Promise<void> {
  const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
  const [name, ...rest] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const isEmpty = options.length === 1 && options[0] === '--empty';
  if (!name || !/^[a-z0-9_]{1,60}$/.test(name) || (options.length > 0 && !isEmpty) || rest.length > 0) {
    throw new Error('Usage: npm run db:migration -- <name> [--empty], the name in a-z, 0-9 and _.');
  }
  const lastMigration = (await listShippedMigrations(PRISMA_DIR).catch(() => [])).at(-1);
  const schema = await readFile(path.join(PRISMA_DIR, 'schema.prisma'), 'utf8');
  if (name === 'init') {
    if (lastMigration !== undefined && !lastMigration.endsWith('_init'))
      throw new Error('Only a single initial migration can be written again.');
    const file = await writeMigration(
      lastMigration ?? createMigrationName(name),
      await createFullSchemaSql(PRISMA_DIR),
    );
    console.log(`Wrote ${file}. Read it before you commit it.`);
    return;
  }
  if (lastMigration === undefined) throw new Error('The first migration is called init.');
  const sql = await createChangeScript(await readFile(schemaFileOf(lastMigration), 'utf8'), schema);
  if (isEmpty && sql !== '') {
    throw new Error(
      `prisma/schema.prisma has changed since the last migration. Write its SQL with npm run db:migration -- ${name}, then add your own SQL to that file.`,
    );
  }
  if (!isEmpty && sql === '') {
    throw new Error(
      `prisma/schema.prisma has not changed since the last migration. To write the SQL yourself, such as that of a change to ` +
        `prisma/beyond-prisma.sql, begin with npm run db:migration -- ${name} --empty.`,
    );
  }
  const file = await writeMigration(createMigrationName(name), isEmpty ? '' : `${sql}\n`);
  await rm(schemaFileOf(lastMigration));
  console.log(
    isEmpty
      ? `Created an empty ${file}. Write its SQL.`
      : `Wrote ${file}. Read it before you commit it, and copy what you changed in prisma/beyond-prisma.sql to its end.` +
          (sql.includes(' ADD COLUMN ')
            ? ' If a view has all columns of a table with a new column, it needs the column too: see "A new column and views" in docs/recipes.md.'
            : ''),
  );
}

const createMigrationName = (name: string): string =>
  `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`;

/** Writes a migration with a copy of the present schema, and returns the path of its SQL. */
async function writeMigration(migration: string, sql: string): Promise<string> {
  const folder = folderOf(migration);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'migration.sql'), sql);
  await copyFile(path.join(PRISMA_DIR, 'schema.prisma'), schemaFileOf(migration));
  return `${path.relative('.', folder)}/migration.sql`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
