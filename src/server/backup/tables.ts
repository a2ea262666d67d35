import type pg from 'pg';

/** A table as stored in a backup. */
export interface StoredTable {
  name: string;
  columns: string[];
}

const TABLES = `
SELECT c.relname AS name,
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       (SELECT coalesce(array_agg(DISTINCT f.confrelid::regclass::text), '{}') FROM pg_constraint f
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS refers_to
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
 ORDER BY c.relname`;

/**
 * Returns all tables of the service, each after those it refers to, so that they can be filled in this order with foreign keys
 * enforced.
 *
 * @throws if tables refer to each other in a cycle
 */
export async function storedTables(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable & { refers_to: string[] }>(TABLES);
  const ordered: StoredTable[] = [];
  const done = new Set<string>();
  let left = rows;
  while (left.length > 0) {
    const free = left.filter(({ refers_to }) => refers_to.every((name) => done.has(name)));
    if (free.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`);
    for (const { name, columns } of free) {
      ordered.push({ name, columns });
      done.add(name);
    }
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}
