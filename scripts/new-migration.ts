import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shippedMigrations } from '../src/server/db/migrate';
import { openSchemaEngine } from '../src/server/db/schema-engine';

/** Finds any part of a text by an index. A trusted extension: the database's owner may create it. */
const EXTENSIONS = 'CREATE EXTENSION IF NOT EXISTS pg_trgm;\n\n';

/**
 * npm run db:migration -- <name>: writes the SQL that leads from the schema as last migrated (kept beside its
 * migration) to prisma/schema.prisma. Needs no database. Read the SQL before you commit it.
 *
 * npm run db:migration -- init: writes the initial migration again, from prisma/schema.prisma and
 * prisma/beyond-prisma.sql. Only until the first release that people have data in.
 */
async function main(): Promise<void> {
  const name = process.argv[2];
  if (!name || !/^[a-z0-9_]{1,60}$/.test(name)) {
    throw new Error('Usage: npm run db:migration -- <name>, the name in a-z, 0-9 and _.');
  }
  const prismaDir = path.resolve('prisma');
  const schema = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  const initial = name === 'init';
  const shipped = await shippedMigrations(prismaDir).catch(() => []);
  if (initial && shipped.length > 1) throw new Error('Only a single initial migration can be written again.');
  const last = initial ? undefined : shipped.at(-1);
  const before = last
    ? await readFile(path.join(prismaDir, 'migrations', last, 'schema.prisma'), 'utf8')
    : undefined;
  const { engine } = await openSchemaEngine(schema, null);
  const { stdout } = await engine.diff({
    from: before
      ? { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: before }] }
      : { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  const sql = stdout ?? '';
  if (!sql.trim() || sql.includes('This is an empty migration')) {
    console.log('The schema has not changed since the last migration.');
    return;
  }
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const dir = path.join(prismaDir, 'migrations', (initial && shipped[0]) || `${stamp}_${name}`);
  await mkdir(dir, { recursive: true });
  const beyond = initial ? await readFile(path.join(prismaDir, 'beyond-prisma.sql'), 'utf8') : '';
  const script = initial ? `${EXTENSIONS}${sql}\n${beyond}` : sql;
  await writeFile(path.join(dir, 'migration.sql'), script);
  await copyFile(path.join(prismaDir, 'schema.prisma'), path.join(dir, 'schema.prisma'));
  console.log(`Wrote ${path.relative('.', dir)}/migration.sql. Read it before you commit it.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
