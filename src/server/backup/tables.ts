import type pg from 'pg';
import { listTables } from './backup.queries';

/** A table as stored in a backup. */
export interface StoredTable {
  name: string;
  columns: string[];
}

/**
 * Returns all tables of the service, each after those that it refers to, so that they can be filled in this order while foreign
 * keys are enforced.
 *
 * @throws if tables refer to each other in a cycle
 */
export async function listStoredTables(client: pg.Client): Promise<StoredTable[]> {
  const sortedTables: StoredTable[] = [];
  const sortedNames = new Set<string>();
  let remaining = await listTables.run(client);
  while (remaining.length > 0) {
    const ready = remaining.filter(({ refers_to }) => refers_to.every((name) => sortedNames.has(name)));
    if (ready.length === 0)
      throw new Error(
        `Tables refer to each other in a cycle: ${remaining.map(({ name }) => name).join(', ')}`,
      );
    for (const { name, columns } of ready) {
      sortedTables.push({ name, columns });
      sortedNames.add(name);
    }
    remaining = remaining.filter((table) => !ready.includes(table));
  }
  return sortedTables;
}
