import type pg from 'pg';
import { csvLines } from '../core/text/csv';
import { readByCursor } from '../db/read-by-cursor';
import { inSnapshot } from '../db/transaction';
import { exportProducts as productsStatement } from './products.queries';

/**
 * Writes products as CSV in the columns that the catalog import accepts, sorted by category and code. If archived products are
 * included, a fourth column marks them. An import of the file ignores that column and restores them.
 */
export async function exportProducts(
  pool: pg.Pool,
  query: { search?: string | undefined; category_id?: number | undefined; archived: 'no' | 'yes' | 'all' },
  write: (chunk: string) => Promise<void>,
): Promise<void> {
  const includesArchived = query.archived !== 'no';
  const statement = productsStatement.bind({
    search: query.search ?? null,
    categoryId: query.category_id ?? null,
    archived: query.archived,
  });
  await inSnapshot(pool, async (client) => {
    await write(csvLines([['category', 'code', 'name', ...(includesArchived ? ['archived'] : [])]]));
    await readByCursor(client, statement, (rows) =>
      write(csvLines(includesArchived ? rows : rows.map((row) => row.slice(0, 3)))),
    );
  });
}
