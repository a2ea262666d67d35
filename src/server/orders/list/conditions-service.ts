import type pg from 'pg';
import { matchStatement, type OrderConditions, orderConditions, searchPatterns } from './filter-sql';
import type { OrderFilter } from './schema';
import { findByNumbers } from './search.queries';
import { readSearchText, spellingsOf } from './search-text';

/** Up to this many matching orders are sorted as a whole. With more, scanning all orders soon finds the newest ones. */
const MOST_FOUND = 20_000;

/** An order whose document matches. */
export interface MatchingOrder {
  shop_id: number;
  order_id: string;
}

/** Returns the statement that finds the orders whose documents match all patterns, up to one more than are looked up. */
export function matchingOrders(patterns: readonly string[]): { text: string; values: string[] } {
  const places = patterns.map((_, index) => `$${index + 1}`);
  return { text: `${matchStatement(places)} LIMIT ${MOST_FOUND + 1}`, values: [...patterns] };
}

/**
 * Translates the list's filter into SQL. The list, its count and its export all use it, so that they show the same orders.
 *
 * Texts are looked up first, because PostgreSQL cannot estimate well how often a word occurs. Left to guess, it may scan all
 * orders by date for a word that only a few old ones contain.
 */
export async function findConditions(pool: pg.Pool, filter: OrderFilter): Promise<OrderConditions> {
  const { words, numbers, wordsToo } = readSearchText(filter.text);
  if (numbers.length > 0) {
    const found = await findByNumbers.run(pool, spellingsOf(numbers));
    if (found.length > 0 || !wordsToo) return orderConditions(filter, foundOrders(found), []);
  }
  const patterns = searchPatterns(words);
  if (patterns.length === 0) return orderConditions(filter, null);
  const { rows } = await pool.query<MatchingOrder>(matchingOrders(patterns));
  return orderConditions(filter, rows.length > MOST_FOUND ? null : foundOrders(rows));
}

const foundOrders = (rows: readonly MatchingOrder[]) => ({
  shopIds: rows.map((row) => row.shop_id),
  orderIds: rows.map((row) => row.order_id),
});
