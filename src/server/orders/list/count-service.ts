import type pg from 'pg';
import type { z } from 'zod';
import type { Database } from '../../db/client';
import { countOnShards } from '../../db/shard-limits';
import { findEntriesOpenDueToReports, OPEN_BY_RECORDS } from '../../queues/entry-service';
import { type FilterLookup, lookUpFilter } from '../filter/conditions-service';
import { type ConditionOptions, shopsSql, toOrderConditions, whereAll } from '../filter/filter-sql';
import { ORDER_TABS, TAB_FILTERS } from '../filter/order-tabs';
import type { OrderFilter } from '../filter/schema';
import type { orderCountOutput, orderTabsOutput } from './schema';

const MAX_COUNTED_ORDERS = 10_000;

/**
 * The queue whose entries are open only because of carriers' reports: {@link OPEN_BY_RECORDS} matches none of them. Its records
 * are not queried, because a cluster rejects a query that cannot match anything.
 */
const REPORTS_ONLY_QUEUE = 'not_scanned';

const toLimitedCount = (count: number): z.output<typeof orderCountOutput> => ({
  count: Math.min(count, MAX_COUNTED_ORDERS),
  more: count > MAX_COUNTED_ORDERS,
});

/** One more than {@link MAX_COUNTED_ORDERS}, which is enough to know whether there are more. */
const COUNT_LIMIT = MAX_COUNTED_ORDERS + 1;

/** A statement that counts orders up to a limit. */
export interface CountStatement {
  /** Returns the text of the statement with the given limit. */
  textWithLimit(limit: number): string;
  values: unknown[];
  /** Whether each shard of a cluster can apply the limit itself (countOnShards). */
  canLimitOnShards: boolean;
}

/** A named set of rows to count. `rowsSql` selects them, from FROM on. */
interface CountedRows {
  name: string;
  rowsSql: string;
}

/**
 * Returns the statement that counts the rows of each part, up to a limit. Parts without rows are left out. {@link countOnShards}
 * needs the `shop_id` in each part and the `LIMIT` at the end.
 */
const countPartsSql = (parts: readonly CountedRows[], limit: number): string => {
  const limitedParts = parts.map(
    ({ name, rowsSql }) => `(SELECT o.shop_id, '${name}'::text AS part ${rowsSql} LIMIT ${limit})`,
  );
  return `
SELECT c.part, least(count(*), ${COUNT_LIMIT})::int AS count
  FROM (${limitedParts.join('\n         UNION ALL\n        ')}) c
 GROUP BY c.part LIMIT ${parts.length}`;
};

/**
 * Returns the statement that counts the orders that match a filter, or null if no order can match. Queue entries that are open
 * because of carriers' reports are a part of their own: a cluster whose servers each count up to the limit cannot find them in
 * one part with the other entries. It cannot count the orders of an import on each server either, but those are few.
 */
export function countStatement(
  filter: OrderFilter,
  { openDueToReports, ...lookup }: FilterLookup,
): CountStatement | null {
  const values: unknown[] = [];
  const createPart = (name: string, options: Partial<ConditionOptions>): CountedRows => ({
    name,
    rowsSql: ordersSql(toOrderConditions(filter, { ...lookup, ...options, values }).conditions),
  });
  const parts = [
    ...(filter.queue === REPORTS_ONLY_QUEUE ? [] : [createPart('orders', {})]),
    ...(openDueToReports ? [createPart('also open', { openDueToReports, usesOnlyReports: true })] : []),
  ];
  if (parts.length === 0) return null;
  return {
    textWithLimit: (limit) => countPartsSql(parts, limit),
    values,
    canLimitOnShards: filter.import_id === undefined,
  };
}

const ordersSql = (conditions: readonly string[]) => `FROM orders o ${whereAll(conditions)}`;

/** Returns whether a filter selects a queue, of some or all shops, and nothing else. */
const selectsOnlyQueue = ({ queue, shops: _, ...otherConditions }: OrderFilter): boolean =>
  queue !== undefined && Object.keys(otherConditions).length === 0;

/**
 * Returns the SQL, from FROM on, for the entries of a queue that {@link OPEN_BY_RECORDS} matches. It does not join their orders,
 * because that would read all entries first.
 */
function entriesSql({ queue, shops }: OrderFilter, values: unknown[]): string {
  const conditions = [`o.queue = $${values.push(queue)}::queue`, OPEN_BY_RECORDS];
  if (shops?.length) conditions.push(shopsSql('o.shop_id', shops, (value) => `$${values.push(value)}`));
  return `FROM queue_records o ${whereAll(conditions)}`;
}

/**
 * Returns the statement that counts the matches of several named filters, which must not have a search text or an import. Queue
 * entries that are open because of carriers' reports are not counted.
 */
export function namedCountsStatement(filters: Readonly<Record<string, OrderFilter>>): CountStatement {
  const values: unknown[] = [];
  const parts = Object.entries(filters).map(([name, filter]) => ({
    name,
    rowsSql: selectsOnlyQueue(filter)
      ? entriesSql(filter, values)
      : ordersSql(toOrderConditions(filter, { matches: null, words: [], values }).conditions),
  }));
  return { textWithLimit: (limit) => countPartsSql(parts, limit), values, canLimitOnShards: true };
}

/** Returns the counts by the names of their parts. If `name` is given, the statement is prepared under this name and its limit. */
async function runCounts(
  { pool }: Database,
  { textWithLimit, values, canLimitOnShards }: CountStatement,
  name?: string,
) {
  const run = async (client: pg.Pool | pg.PoolClient, limit: number) => {
    const nameOption = name && { name: `${name}.${limit}` };
    const { rows } = await client.query<{ part: string; count: number }>({
      ...nameOption,
      text: textWithLimit(limit),
      values,
    });
    return new Map(rows.map(({ part, count }) => [part, count]));
  };
  return canLimitOnShards ? countOnShards(pool, COUNT_LIMIT, run) : run(pool, COUNT_LIMIT);
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/** Counts matching orders, up to ten thousand. */
export async function countOrders(
  db: Database,
  filter: OrderFilter,
): Promise<z.output<typeof orderCountOutput>> {
  if (filter.queue && selectsOnlyQueue(filter)) {
    const [counts, openDueToReports] = await Promise.all([
      filter.queue === REPORTS_ONLY_QUEUE ? null : runCounts(db, namedCountsStatement({ entries: filter })),
      findEntriesOpenDueToReports(db.pool, [filter.queue], filter.shops?.length ? filter.shops : null),
    ]);
    return toLimitedCount((counts?.get('entries') ?? 0) + openDueToReports.length);
  }
  const statement = countStatement(filter, await lookUpFilter(db.pool, filter));
  return toLimitedCount(statement ? sum((await runCounts(db, statement)).values()) : 0);
}

const TAB_QUEUES = ORDER_TABS.flatMap((tab) => TAB_FILTERS[tab].queue ?? []);

const TAB_COUNTS_STATEMENT = namedCountsStatement(TAB_FILTERS);

/**
 * Counts the orders of each tab in all shops, up to ten thousand. One prepared statement counts all tabs; the entries that are open
 * because of carriers' reports are found separately.
 */
export async function countTabs(db: Database): Promise<z.output<typeof orderTabsOutput>> {
  const [counts, openDueToReports] = await Promise.all([
    runCounts(db, TAB_COUNTS_STATEMENT, 'orders.tabs'),
    findEntriesOpenDueToReports(db.pool, TAB_QUEUES, null),
  ]);
  return ORDER_TABS.map((tab) => {
    const reportedCount = openDueToReports.filter(({ queue }) => queue === TAB_FILTERS[tab].queue).length;
    return { tab, ...toLimitedCount((counts.get(tab) ?? 0) + reportedCount) };
  });
}
