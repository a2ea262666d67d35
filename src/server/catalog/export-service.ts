import type pg from 'pg';
import { openSheetFile } from '../core/spreadsheet/sheet-file';
import { readByCursor } from '../db/read-by-cursor';
import { inSnapshot } from '../db/transaction';
import { exportProducts as productsStatement } from './products.queries';

/**
 * Writes products as CSV with a byte order mark, in the columns that the catalog import accepts, sorted by category and code. If
 * archived products are included, a fourth column marks them. An import of the file ignores that column and restores them.
 */
export async function exportProducts(
  pool: pg.Pool,
  query: { search?: string | undefined; category_id?: number | undefined; archived: 'no' | 'yes' | 'all' },
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const includesArchived = query.archived !== 'no';
  const statement = productsStatement.bind({
    search: query.search ?? null,
    categoryId: query.category_id ?? null,
    archived: query.archived,
  });
  const columnNames = ['category', 'code', 'name', ...(includesArchived ? ['archived'] : [])];
  const columns = columnNames.map((header) => ({ header, format: 'text' as const, width: 24 }));
  await inSnapshot(pool, async (client) => {
    const file = await openSheetFile({ format: 'csv', name: 'products', columns }, write);
    await readByCursor(client, statement, (rows) =>
      file.writeRows(rows.map((row) => row.slice(0, columns.length))),
    );
    await file.end();
  });
}
