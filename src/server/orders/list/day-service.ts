import type pg from 'pg';
import { writeAudits } from '../../audit/audit';
import { knownCurrency } from '../../core/iso-currencies';
import { orderValue } from '../detail/order-value-sql';

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
SELECT t.account_id, t.day, coalesce(c.currency, ''), count(*), coalesce(sum(i.items), 0), coalesce(sum(i.quantity), 0),
       coalesce(sum(i.value) FILTER (WHERE c.currency IS NOT NULL), 0)
  FROM (SELECT DISTINCT account_id, day FROM unnest($1::int[], $2::date[]) AS g(account_id, day)) t
  JOIN orders o ON o.account_id = t.account_id AND o.status <> 'cancelled'
   AND o.sale_date >= t.day::timestamp AT TIME ZONE 'America/New_York'
   AND o.sale_date < (t.day + 1)::timestamp AT TIME ZONE 'America/New_York'
 CROSS JOIN LATERAL (SELECT ${knownCurrency('o.currency')} AS currency) c
  LEFT JOIN LATERAL (
    SELECT count(*) AS items, sum(n.quantity) AS quantity, ${orderValue('o', 'n')} AS value
      FROM order_items n WHERE n.order_id = o.id) i ON true
 GROUP BY t.account_id, t.day, c.currency`;

/** A shop without a currency takes the one that its orders name, if all that name one name the same. */
const TAKE_CURRENCY = `
UPDATE shops s SET currency = d.currency, updated_at = now()
  FROM (SELECT account_id, min(currency) AS currency FROM order_days
         WHERE account_id = ANY($1::int[]) AND currency <> ''
         GROUP BY account_id HAVING min(currency) = max(currency)) d
 WHERE s.id = d.account_id AND s.currency IS NULL
RETURNING s.id, s.currency`;

async function takeCurrencies(client: pg.PoolClient, shops: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ id: number; currency: string }>(TAKE_CURRENCY, [shops]);
  const entries = rows.map(({ id, currency }) => ({
    action: 'account.update',
    recordType: 'account',
    recordId: id,
    before: { currency: null },
    after: { currency },
  }));
  await writeAudits(client, { kind: 'system', name: 'currency of its orders' }, entries);
}

/**
 * Sums days up again from their orders, inside the caller's transaction. Cancelled orders do not count, and the value of an
 * order that names no currency of ISO 4217 is in no sum. One shop's days are
 * summed up by one at a time, each seeing what was committed before, so that the last to write is never behind.
 */
export async function sumUpDays(client: pg.PoolClient, days: readonly OrderDay[]): Promise<void> {
  if (days.length === 0) return;
  const shops = days.map((each) => each.account_id);
  const values = [shops, days.map((each) => each.day)];
  await client.query(LOCK_SHOPS, [shops]);
  await client.query(FORGET, values);
  await client.query(SUM_UP, values);
  await takeCurrencies(client, shops);
}
