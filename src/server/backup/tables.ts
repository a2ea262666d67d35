import type pg from 'pg';
import { listTables } from './backup.queries';

/** A table as stored in a backup. */
export interface StoredTable {
  name: string;
  columns: string[];
}

/**
 * Returns all tables of the service, each after those it refers to, so that they can be filled in this order with foreign keys
 * enforced.
 *
 * @throws if tables refer to each other in a cycle
 */
export async function storedTables(client: pg.Client): Promise<StoredTable[]> {
  const ordered: StoredTable[] = [];
  const done = new Set<string>();
  let left = await listTables.run(client);
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
