import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openSchemaEngine } from '../src/server/db/migration/schema-engine';

/** Lets an index find any part of a string. A trusted extension, which the database's owner may create. */
const EXTENSIONS = 'CREATE EXTENSION IF NOT EXISTS pg_trgm;\n\n';

/**
 * Returns the SQL that migrates one schema.prisma to another, or an empty database to it if there is no previous one. The SQL is
 * empty if nothing changed. Needs no database.
 */
export async function changeScript(before: string | undefined, after: string): Promise<string> {
  const { engine, close } = await openSchemaEngine(after, null);
  try {
    const { stdout } = await engine.diff({
      from:
        before === undefined
          ? { tag: 'empty' }
          : { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: before }] },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: after }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = stdout ?? '';
    return sql.includes('This is an empty migration') ? '' : sql.trim();
  } finally {
    await close();
  }
}

/** Returns the SQL that creates the whole database: from schema.prisma, and beyond-prisma.sql for what Prisma cannot express. */
export async function wholeScript(prismaDir: string): Promise<string> {
  const schema = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  const beyond = await readFile(path.join(prismaDir, 'beyond-prisma.sql'), 'utf8');
  return `${EXTENSIONS}${await changeScript(undefined, schema)}\n\n${beyond}`;
}
