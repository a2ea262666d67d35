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
  let remainingTables = await listTables.run(client);
  while (remainingTables.length > 0) {
    const readyTables = remainingTables.filter(({ refers_to }) =>
      refers_to.every((name) => sortedNames.has(name)),
    );
    if (readyTables.length === 0)
      throw new Error(
        `Tables refer to each other in a cycle: ${remainingTables.map(({ name }) => name).join(', ')}`,
      );
    for (const { name, columns } of readyTables) {
      sortedTables.push({ name, columns });
      sortedNames.add(name);
    }
    remainingTables = remainingTables.filter((table) => !readyTables.includes(table));
  }
  return sortedTables;
}
