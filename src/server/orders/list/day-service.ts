import type pg from 'pg';
import { itemTotal } from '../detail/item-total-sql';

/** First number of the advisory locks under which the days of one shop are summed up; the second is its id. */
const DAY_LOCK = 20_262;

/** A shop's day in New York. */
export interface OrderDay {
  account_id: number;
  /** YYYY-MM-DD. */
  day: string;
}

const NEW_YORK_DAY = (column: string) => `(${column} AT TIME ZONE 'America/New_York')::date::text`;

/** The days on which orders `$1` (bigint[]) were sold. */
const DAYS_OF_ORDERS = `
SELECT DISTINCT account_id, ${NEW_YORK_DAY('sale_date')} AS day FROM orders
 WHERE id = ANY($1::bigint[]) AND sale_date IS NOT NULL`;

/** Those, and the days on which imports `$2` (bigint[]) found them sold before they wrote another. */
const DAYS_OF_IMPORTS = `
${DAYS_OF_ORDERS}
 UNION
SELECT o.account_id, ${NEW_YORK_DAY("(c.before ->> 'sale_date')::timestamptz")}
  FROM import_changes c JOIN orders o ON o.id = c.order_id
 WHERE c.import_id = ANY($2::bigint[]) AND c.record = 'order' AND c.before ->> 'sale_date' IS NOT NULL`;

/** The days on which orders were sold, asked before they are changed or removed. */
export async function daysOfOrders(client: pg.PoolClient, orderIds: readonly string[]): Promise<OrderDay[]> {
  return (await client.query<OrderDay>(DAYS_OF_ORDERS, [orderIds])).rows;
}

/** The days that imports have changed. */
export async function daysOfImports(
  client: pg.PoolClient,
  orderIds: readonly string[],
  importIds: readonly string[],
): Promise<OrderDay[]> {
  return (await client.query<OrderDay>(DAYS_OF_IMPORTS, [orderIds, importIds])).rows;
}

const LOCK_SHOPS = `
SELECT pg_advisory_xact_lock(${DAY_LOCK}, a.id) FROM (SELECT DISTINCT unnest($1::int[]) AS id ORDER BY 1) a`;

const FORGET = `
DELETE FROM order_days d USING unnest($1::int[], $2::date[]) AS t(account_id, day)
 WHERE d.account_id = t.account_id AND d.day = t.day`;

const SUM_UP = `
INSERT INTO order_days (account_id, day, currency, orders, items, quantity, revenue)
SELECT t.account_id, t.day, coalesce(o.currency, ''), count(*), coalesce(sum(i.items), 0), coalesce(sum(i.quantity), 0),
       coalesce(sum(i.revenue), 0)
  FROM unnest($1::int[], $2::date[]) AS t(account_id, day)
  JOIN orders o ON o.account_id = t.account_id AND o.status <> 'cancelled'
   AND o.sale_date >= t.day::timestamp AT TIME ZONE 'America/New_York'
   AND o.sale_date < (t.day + 1)::timestamp AT TIME ZONE 'America/New_York'
  LEFT JOIN LATERAL (
    SELECT count(*) AS items, sum(quantity) AS quantity, sum(${itemTotal('t')}) AS revenue
      FROM order_items t WHERE t.order_id = o.id) i ON true
 GROUP BY t.account_id, t.day, coalesce(o.currency, '')`;

/**
 * Sums days up again from their orders, inside the caller's transaction. Cancelled orders do not count. One shop's days are
 * summed up by one at a time, each seeing what was committed before, so that the last to write is never behind.
 */
export async function sumUpDays(client: pg.PoolClient, days: readonly OrderDay[]): Promise<void> {
  if (days.length === 0) return;
  const values = [days.map((each) => each.account_id), days.map((each) => each.day)];
  await client.query(LOCK_SHOPS, [values[0]]);
  await client.query(FORGET, values);
  await client.query(SUM_UP, values);
}
