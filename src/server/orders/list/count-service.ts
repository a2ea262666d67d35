import type pg from 'pg';
import type { z } from 'zod';
import type { Database } from '../../db/client';
import { withLimitsOnShards } from '../../db/shard-limits';
import { findOtherOpen, SURELY_OPEN } from '../../queues/entry-service';
import { type LookedUp, lookUp } from './conditions-service';
import { type ConditionOptions, orderConditions, whereAll } from './filter-sql';
import { ORDER_TABS, TAB_FILTERS } from './order-tabs';
import type { OrderFilter, orderCountOutput, orderTabsOutput } from './schema';

const MAX_COUNTED = 10_000;

/** The queue none of whose entries is {@link SURELY_OPEN}. A cluster refuses a query that can find nothing. */
const HAS_NONE_SURELY_OPEN = 'not_scanned';

const upToLimit = (count: number): z.output<typeof orderCountOutput> => ({
  count: Math.min(count, MAX_COUNTED),
  more: count > MAX_COUNTED,
});

/** The statement that counts orders and stops at one more than {@link MAX_COUNTED}. */
interface CountStatement {
  text: string;
  values: unknown[];
  /** Whether the servers of a cluster can count up to the limit each (withLimitsOnShards). */
  onShards: boolean;
}

/** Rows to count under a name; `rows` begins with FROM. */
interface Part {
  part: string;
  rows: string;
}

/** Counts each part that has rows. Each part's `shop_id` and the last `LIMIT` are for {@link withLimitsOnShards}. */
const countParts = (parts: readonly Part[]): string => {
  const limited = parts.map(
    ({ part, rows }) => `(SELECT o.shop_id, '${part}'::text AS part ${rows} LIMIT ${MAX_COUNTED + 1})`,
  );
  return `
SELECT c.part, least(count(*), ${MAX_COUNTED + 1})::int AS count
  FROM (${limited.join('\n         UNION ALL\n        ')}) c
 GROUP BY c.part LIMIT ${parts.length}`;
};

/**
 * Returns the statement that counts the orders of a filter; null if none can match. Entries of a queue that only carriers' reports
 * tell are counted apart from the others: a cluster refuses to look for both at once while its servers count up to a limit. It
 * refuses the orders of an import, too, but those are not many.
 */
export function countStatement(filter: OrderFilter, { alsoOpen, ...known }: LookedUp): CountStatement | null {
  const values: unknown[] = [];
  const part = (name: string, more: Partial<ConditionOptions>): Part => ({
    part: name,
    rows: ordersWith(orderConditions(filter, { ...known, ...more, values }).conditions),
  });
  const parts = [
    ...(filter.queue === HAS_NONE_SURELY_OPEN ? [] : [part('orders', {})]),
    ...(alsoOpen ? [part('also open', { alsoOpen, onlyAlsoOpen: true })] : []),
  ];
  if (parts.length === 0) return null;
  return { text: countParts(parts), values, onShards: filter.import_id === undefined };
}

const ordersWith = (conditions: readonly string[]) => `FROM orders o ${whereAll(conditions)}`;

/** Whether a filter asks for a queue, of some shops or of all, and for nothing else. */
const isQueue = ({ queue, shops: _, ...others }: OrderFilter): boolean =>
  queue !== undefined && Object.keys(others).length === 0;

/** The entries of a queue that are surely open. Their orders are not looked up: that would find all of them first. */
function entriesOf({ queue, shops }: OrderFilter, values: unknown[]): string {
  const conditions = [`o.queue = $${values.push(queue)}::queue`, SURELY_OPEN];
  if (shops?.length) conditions.push(`o.shop_id = ANY($${values.push(shops)}::int[])`);
  return `FROM queue_records o ${whereAll(conditions)}`;
}

/** The statement that counts several filters, without texts and without what only carriers' reports tell, under their names. */
export function countsStatement(filters: Readonly<Record<string, OrderFilter>>): CountStatement {
  const values: unknown[] = [];
  const parts = Object.entries(filters).map(([part, filter]) => ({
    part,
    rows: isQueue(filter)
      ? entriesOf(filter, values)
      : ordersWith(orderConditions(filter, { found: null, words: [], values }).conditions),
  }));
  return { text: countParts(parts), values, onShards: true };
}

async function runCounts({ pool }: Database, { onShards, ...statement }: CountStatement & { name?: string }) {
  const run = (client: pg.Pool | pg.PoolClient) => client.query<{ part: string; count: number }>(statement);
  const { rows } = await (onShards ? withLimitsOnShards(pool, run) : run(pool));
  return new Map(rows.map(({ part, count }) => [part, count]));
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);

/** Counts matching orders, up to ten thousand. */
export async function countOrders(
  db: Database,
  filter: OrderFilter,
): Promise<z.output<typeof orderCountOutput>> {
  if (filter.queue && isQueue(filter)) {
    const [counts, others] = await Promise.all([
      filter.queue === HAS_NONE_SURELY_OPEN ? null : runCounts(db, countsStatement({ entries: filter })),
      findOtherOpen(db.pool, [filter.queue], filter.shops?.length ? filter.shops : null),
    ]);
    return upToLimit((counts?.get('entries') ?? 0) + others.length);
  }
  const statement = countStatement(filter, await lookUp(db.pool, filter));
  return upToLimit(statement ? sum((await runCounts(db, statement)).values()) : 0);
}

/** The queues of the tabs. */
const TAB_QUEUES = ORDER_TABS.flatMap((tab) => TAB_FILTERS[tab].queue ?? []);

const TAB_COUNTS = { name: 'orders.tabs', ...countsStatement(TAB_FILTERS) };

/** Counts the orders of each tab in all shops, up to ten thousand, in one prepared statement and one for what carriers have reported. */
export async function countTabs(db: Database): Promise<z.output<typeof orderTabsOutput>> {
  const [counts, others] = await Promise.all([
    runCounts(db, TAB_COUNTS),
    findOtherOpen(db.pool, TAB_QUEUES, null),
  ]);
  return ORDER_TABS.map((tab) => {
    const more = others.filter(({ queue }) => queue === TAB_FILTERS[tab].queue).length;
    return { tab, ...upToLimit((counts.get(tab) ?? 0) + more) };
  });
}
