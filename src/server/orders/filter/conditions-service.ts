import type pg from 'pg';
import { findEntriesOpenDueToReports } from '../../queues/entry-service';
import { findShopOfImport } from '../shop-orders.queries';
import {
  type ConditionOptions,
  type OrderConditions,
  searchPatterns,
  searchStatement,
  toOrderConditions,
} from './filter-sql';
import { findByNumbers } from './numbers.queries';
import type { OrderFilter } from './schema';
import { readSearchText, spellingsOf } from './search-text';

/** Up to this many matching orders are found first and then sorted. If more match, scanning orders by date soon fills a page. */
const MAX_MATCHES = 20_000;

/** An order that matches a search or a filter. */
export interface MatchingOrder {
  shop_id: number;
  order_id: string;
}

/** Returns the statement that finds the orders whose documents match all patterns, up to one more than {@link MAX_MATCHES}. */
export function limitedSearchStatement(patterns: readonly string[]): { text: string; values: string[] } {
  const placeholders = patterns.map((_, index) => `$${index + 1}`);
  return { text: `${searchStatement(placeholders)} LIMIT ${MAX_MATCHES + 1}`, values: [...patterns] };
}

/** What is looked up in the database to build the conditions of a filter. */
export type FilterLookup = Pick<ConditionOptions, 'matches' | 'words' | 'openDueToReports' | 'importShopId'>;

/**
 * Looks up what the conditions of a filter need.
 *
 * The search text is looked up before the orders are read, because PostgreSQL cannot estimate well how often a word occurs. Left
 * to guess, it may scan all orders by date for a word that only a few old orders contain.
 */
export async function lookUpFilter(db: pg.Pool | pg.PoolClient, filter: OrderFilter): Promise<FilterLookup> {
  const lookups = {
    openDueToReports: await lookUpOpenDueToReports(db, filter),
    importShopId: await findImportShopId(db, filter),
  };
  const { words, numbers, fallsBackToWords } = readSearchText(filter.text);
  if (numbers.length > 0) {
    const rows = await findByNumbers.run(db, spellingsOf(numbers));
    if (rows.length > 0 || !fallsBackToWords) return { ...lookups, matches: toOrderKeys(rows), words: [] };
  }
  const patterns = searchPatterns(words);
  if (patterns.length === 0) return { ...lookups, matches: null, words };
  const { rows } = await db.query<MatchingOrder>(limitedSearchStatement(patterns));
  return { ...lookups, matches: rows.length > MAX_MATCHES ? null : toOrderKeys(rows), words };
}

/**
 * Translates the list's filter into SQL. The list, its count and its export show the same orders because all of them use
 * `toOrderConditions`; only the count of a whole queue counts the queue's entries instead.
 *
 * @param options.readsAll whether all matching orders are read, as by an export, instead of a page
 * @param options.readsPage whether only one page is read, sorted by sale date
 */
export async function buildOrderConditions(
  db: pg.Pool | pg.PoolClient,
  filter: OrderFilter,
  options: Pick<ConditionOptions, 'readsAll' | 'readsPage'> = {},
): Promise<OrderConditions> {
  return toOrderConditions(filter, { ...(await lookUpFilter(db, filter)), ...options });
}

async function findImportShopId(db: pg.Pool | pg.PoolClient, { import_id: importId }: OrderFilter) {
  if (importId === undefined) return null;
  const [importRow] = await findShopOfImport.run(db, { importId });
  return importRow?.shop_id ?? null;
}

/**
 * Returns the orders in the filter's queue that are open because of carriers' reports, or null if there are none or the filter has
 * no queue.
 */
async function lookUpOpenDueToReports(db: pg.Pool | pg.PoolClient, { queue, shops }: OrderFilter) {
  if (!queue) return null;
  const entries = await findEntriesOpenDueToReports(db, [queue], shops?.length ? shops : null);
  return entries.length > 0 ? toOrderKeys(entries) : null;
}

/** Returns up to `limit` orders that match the filter, in no particular order. */
export async function findOrders(
  client: pg.PoolClient,
  filter: OrderFilter,
  limit: number,
): Promise<MatchingOrder[]> {
  const { conditions, values } = await buildOrderConditions(client, filter);
  const { rows } = await client.query<MatchingOrder>(
    filteredOrdersStatement(conditions, `$${values.push(limit)}::int`),
    values,
  );
  return rows;
}

/** Returns the statement that finds the orders that meet all conditions, up to the limit that the placeholder stands for. */
export const filteredOrdersStatement = (conditions: readonly string[], limitPlaceholder: string) =>
  `SELECT o.shop_id, o.id AS order_id FROM orders o WHERE ${conditions.join(' AND ') || 'true'} LIMIT ${limitPlaceholder}`;

const toOrderKeys = (rows: readonly MatchingOrder[]) => ({
  shopIds: rows.map((row) => row.shop_id),
  orderIds: rows.map((row) => row.order_id),
});
