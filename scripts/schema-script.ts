import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openSchemaEngine } from '../src/server/db/migration/schema-engine';

/** With pg_trgm, an index can find any part of a string. It is a trusted extension, which the database's owner may create. */
const CREATE_EXTENSION = 'CREATE EXTENSION IF NOT EXISTS pg_trgm;\n\n';

/**
 * Returns the SQL that migrates a database from one schema.prisma to another; `undefined` stands for an empty database. The SQL
 * is empty if nothing changed. Needs no database.
 */
export async function createChangeScript(oldSchema: string | undefined, newSchema: string): Promise<string> {
  const { engine, close } = await openSchemaEngine(newSchema, null);
  try {
    const { stdout } = await engine.diff({
      from:
        oldSchema === undefined
          ? { tag: 'empty' }
          : { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: oldSchema }] },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: newSchema }] },
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
export async function createFullSchemaSql(prismaDir: string): Promise<string> {
  const schema = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  const beyondPrisma = await readFile(path.join(prismaDir, 'beyond-prisma.sql'), 'utf8');
  return `${CREATE_EXTENSION}${await createChangeScript(undefined, schema)}\n\n${beyondPrisma}`;
}
