import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openSchemaEngine } from '../src/server/db/schema-engine';

/** Finds any part of a text by an index. A trusted extension: the database's owner may create it. */
const EXTENSIONS = 'CREATE EXTENSION IF NOT EXISTS pg_trgm;\n\n';

/**
 * The SQL that leads from one schema.prisma to another, or from an empty database where there is none before. Needs no
 * database. Empty text where nothing changed.
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

/** The SQL that makes the whole database: schema.prisma, and beyond-prisma.sql for what its language cannot say. */
export async function wholeScript(prismaDir: string): Promise<string> {
  const schema = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  const beyond = await readFile(path.join(prismaDir, 'beyond-prisma.sql'), 'utf8');
  return `${EXTENSIONS}${await changeScript(undefined, schema)}\n\n${beyond}`;
}
