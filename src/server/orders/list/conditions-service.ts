import type pg from 'pg';
import { matchStatement, type OrderConditions, orderConditions, searchPatterns } from './filter-sql';
import type { OrderFilter } from './schema';

/** As many found orders are sorted as a whole; of more, the newest are soon met when running through all. */
const MOST_FOUND = 20_000;

/**
 * What the list's filter means in SQL. One place for the list, its count and its export, so that all show the same orders.
 *
 * A text is looked up first. PostgreSQL knows little of how often a word occurs: left to guess, it may run through all orders in
 * their order for a word that a few old ones have.
 */
export async function findConditions(pool: pg.Pool, filter: OrderFilter): Promise<OrderConditions> {
  const patterns = searchPatterns(filter.text);
  if (patterns.length === 0) return orderConditions(filter, null);
  const places = patterns.map((_, index) => `$${index + 1}`);
  const { rows } = await pool.query<{ shop_id: number; order_id: string }>(
    `${matchStatement(places)} LIMIT ${MOST_FOUND + 1}`,
    patterns,
  );
  if (rows.length > MOST_FOUND) return orderConditions(filter, null);
  const [shopIds, orderIds] = [rows.map((row) => row.shop_id), rows.map((row) => row.order_id)];
  return orderConditions(filter, { shopIds, orderIds });
}
