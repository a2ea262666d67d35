import type pg from 'pg';
import { csvLines } from '../core/csv';
import { inSnapshot, readByCursor } from '../core/snapshot';
import { PRODUCT_FILTER } from './product-service';

/**
 * Writes products as CSV in the columns that the catalog import takes, sorted by category and code. If archived products are
 * included, a fourth column marks them; the import ignores it and would restore them.
 */
export async function exportProducts(
  pool: pg.Pool,
  query: { search?: string | undefined; category_id?: number | undefined; archived: 'no' | 'yes' | 'all' },
  write: (chunk: string) => Promise<void>,
): Promise<void> {
  const marked = query.archived !== 'no';
  const text = `SELECT c.name, p.code, p.name${marked ? `, CASE WHEN p.archived_at IS NULL THEN '' ELSE 'archived' END` : ''}
    FROM products p JOIN categories c ON c.id = p.category_id WHERE ${PRODUCT_FILTER}
   ORDER BY c.position, p.code COLLATE "C"`;
  const values = [query.search ?? null, query.category_id ?? null, query.archived];
  await inSnapshot(pool, async (client) => {
    await write(csvLines([['category', 'code', 'name', ...(marked ? ['archived'] : [])]]));
    await readByCursor(client, { text, values }, (rows) => write(csvLines(rows)));
  });
}
