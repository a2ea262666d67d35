import { DateTime } from 'luxon';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import { SHOP_ROAS } from '../statistics/rates';
import { rateOf } from '../statistics/sums-sql';
import type { Overview, OverviewInput } from './schema';

/** Days `$1` to `$2` of the shops `$3` (int[], null for all), one row a day and currency. */
const SALES = `
SELECT day::text, nullif(currency, '') AS currency, sum(orders)::int AS orders, sum(items)::int AS items,
       sum(quantity)::float8 AS quantity, trim_scale(sum(revenue))::text AS revenue
  FROM order_days
 WHERE day BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR shop_id = ANY($3))
 GROUP BY 1, 2 ORDER BY 1, sum(revenue) DESC`;

/**
 * The shops' own statistics by day and currency; without a choice of shops also those of shops that are not stored here, whose
 * currency nobody knows.
 */
const ADVERTISING = `
SELECT d.date::text AS day, s.currency, coalesce(sum(d.ad_impressions), 0)::float8 AS impressions,
       coalesce(sum(d.ad_clicks), 0)::float8 AS clicks, trim_scale(coalesce(sum(d.ad_spend), 0))::text AS spend,
       trim_scale(coalesce(sum(d.ad_revenue), 0))::text AS revenue
  FROM shop_daily_statistics d LEFT JOIN shops s ON s.shop_id = d.shop_id
 WHERE d.date BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR s.id = ANY($3))
 GROUP BY 1, 2`;

const ADVERTISING_TOTALS = `
SELECT s.currency, trim_scale(coalesce(sum(d.ad_spend), 0))::text AS spend,
       trim_scale(coalesce(sum(d.ad_revenue), 0))::text AS revenue, ${rateOf('d', SHOP_ROAS)}::float8 AS roas
  FROM shop_daily_statistics d JOIN shops s ON s.shop_id = d.shop_id AND s.currency IS NOT NULL
 WHERE d.date BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR s.id = ANY($3))
   AND (d.ad_spend IS NOT NULL OR d.ad_revenue IS NOT NULL)
 GROUP BY 1 ORDER BY sum(d.ad_spend) DESC NULLS LAST, 1`;

const WITHOUT_CURRENCY = `
SELECT DISTINCT s.id, coalesce(s.name, d.shop_id) AS name
  FROM shop_daily_statistics d LEFT JOIN shops s ON s.shop_id = d.shop_id
 WHERE s.currency IS NULL AND d.date BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR s.id = ANY($3))
   AND (d.ad_spend > 0 OR d.ad_revenue > 0)
 ORDER BY 2 LIMIT 50`;

const SOLD = 'sale_date >= $1 AND sale_date < $2 AND ($3::int[] IS NULL OR shop_id = ANY($3))';

/** Instants `$1` to `$2`. All orders less the cancelled ones, which are few: both are counted by an index. */
const TRACKING = `
SELECT coalesce(tracking_status::text, 'none') AS status, sum(orders)::int AS orders FROM (
  SELECT tracking_status, count(*) AS orders FROM orders WHERE ${SOLD} GROUP BY 1
   UNION ALL SELECT tracking_status, -count(*) FROM orders WHERE status = 'cancelled' AND ${SOLD} GROUP BY 1) counted
 GROUP BY 1 HAVING sum(orders) > 0 ORDER BY 1`;

/** Shops `$1` (int[], null for all), days `$2`. */
const ATTENTION = `
SELECT (SELECT count(*)::int FROM orders WHERE tracking_status = 'exception' AND ($1::int[] IS NULL OR shop_id = ANY($1))) AS exceptions,
       (SELECT count(*)::int FROM orders WHERE tracking_status = 'delivery_failure' AND ($1::int[] IS NULL OR shop_id = ANY($1))) AS delivery_failures,
       (SELECT count(*)::int FROM orders WHERE status = 'paid' AND sale_date < now() - make_interval(days => $2::int)
           AND ($1::int[] IS NULL OR shop_id = ANY($1))) AS unshipped,
       (SELECT count(*)::int FROM imports WHERE warnings > 0 AND undone_at IS NULL AND created_at > now() - interval '7 days'
           AND ($1::int[] IS NULL OR shop_id = ANY($1))) AS imports_with_warnings`;

/**
 * Shops `$1`, the instant `$2`. Yesterday is the shop's own, by its time zone; New York's for shops that are not stored. Looks a
 * month back for who has statistics at all.
 */
const STATISTICS_MISSING = `
SELECT s.id, coalesce(s.name, k.shop_id) AS name, k.shop_id
  FROM (SELECT DISTINCT shop_id FROM shop_daily_statistics
         WHERE date BETWEEN $2::timestamptz::date - 32 AND $2::timestamptz::date) k
  LEFT JOIN shops s ON s.shop_id = k.shop_id
 CROSS JOIN LATERAL (
   SELECT ($2::timestamptz AT TIME ZONE coalesce(s.time_zone, '${NEW_YORK}'))::date - 1 AS yesterday) y
 WHERE NOT EXISTS (SELECT FROM shop_daily_statistics d WHERE d.shop_id = k.shop_id AND d.date = y.yesterday)
   AND EXISTS (SELECT FROM shop_daily_statistics d
                WHERE d.shop_id = k.shop_id AND d.date BETWEEN y.yesterday - 30 AND y.yesterday - 1)
   AND ($1::int[] IS NULL OR s.id = ANY($1)) AND s.archived_at IS NULL
 ORDER BY 2 LIMIT 50`;

const FIRST_STEPS = `
SELECT EXISTS (SELECT FROM shops) AS shops, EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL) AS keys,
       EXISTS (SELECT FROM imports WHERE outcome = 'succeeded') AS imports`;

interface SalesRow {
  day: string;
  currency: string | null;
  orders: number;
  items: number;
  quantity: number;
  revenue: string;
}

interface AdvertisingRow {
  day: string;
  currency: string | null;
  impressions: number;
  clicks: number;
  spend: string;
  revenue: string;
}

/** The rows by what `key` gives, in their order. */
function groups<Row, Key>(rows: readonly Row[], key: (row: Row) => Key): Map<Key, Row[]> {
  const found = new Map<Key, Row[]>();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return found;
}

/** Amounts of one currency, summed exactly: in ten-thousandths, which is how they are stored. */
function sumAmounts(amounts: readonly string[]): string {
  const total = amounts.reduce((sum, text) => {
    const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
    const units = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
    return text.startsWith('-') ? sum - units : sum + units;
  }, 0n);
  const digits = String(total < 0n ? -total : total).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${total < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction ? `.${fraction}` : ''}`;
}

function revenueOf(rows: readonly SalesRow[]): Overview['revenue'] {
  const byCurrency = groups(rows, (row) => row.currency);
  return [...byCurrency]
    .flatMap(([currency, each]) =>
      currency === null ? [] : [{ currency, amount: sumAmounts(each.map((row) => row.revenue)) }],
    )
    .sort((a, b) => Number(b.amount) - Number(a.amount));
}

const sumOf = <Name extends string>(rows: readonly Record<Name, number>[], name: Name) =>
  rows.reduce((sum, row) => sum + row[name], 0);

function daysOf({ from, to }: OverviewInput, sales: readonly SalesRow[], ads: readonly AdvertisingRow[]) {
  const salesOf = groups(sales, (row) => row.day);
  const adsOf = groups(ads, (row) => row.day);
  const days: Overview['days'] = [];
  for (
    let day = DateTime.fromISO(from, { zone: 'utc' });
    day.toISODate()! <= to;
    day = day.plus({ days: 1 })
  ) {
    const name = day.toISODate()!;
    const rows = salesOf.get(name) ?? [];
    const dayAds = adsOf.get(name) ?? [];
    days.push({
      day: name,
      orders: sumOf(rows, 'orders'),
      items: sumOf(rows, 'items'),
      revenue: revenueOf(rows),
      ad_amounts: dayAds.flatMap(({ currency, spend, revenue }) =>
        currency === null ? [] : [{ currency, spend, revenue }],
      ),
      ad_impressions: sumOf(dayAds, 'impressions'),
      ad_clicks: sumOf(dayAds, 'clicks'),
    });
  }
  return days;
}

/**
 * What happened in a range of New York days, and what needs a person now. Sums come from days that are summed up beforehand
 * (order-day-service.ts), so that a million orders are shown as fast as a hundred.
 */
export async function readOverview(db: Database, input: OverviewInput, now: number): Promise<Overview> {
  // Not prepared: a plan for any range would be kept, and serves a year twice as slowly as one for that year.
  const ask = async <Row extends object>(text: string, values: unknown[]) =>
    (await db.pool.query<Row>(text, values)).rows;
  const shops = input.shops?.length ? input.shops : null;
  const range = [input.from, input.to, shops];
  const start = DateTime.fromISO(input.from, { zone: NEW_YORK });
  const end = DateTime.fromISO(input.to, { zone: NEW_YORK }).plus({ days: 1 });

  const [sales, ads, adAmounts, withoutCurrency, tracking, attention, missing, steps] = await Promise.all([
    ask<SalesRow>(SALES, range),
    ask<AdvertisingRow>(ADVERTISING, range),
    ask<Overview['advertising']['amounts'][number]>(ADVERTISING_TOTALS, range),
    ask<Overview['advertising']['without_currency'][number]>(WITHOUT_CURRENCY, range),
    ask<Overview['tracking'][number]>(TRACKING, [start.toJSDate(), end.toJSDate(), shops]),
    ask<Omit<Overview['attention'], 'statistics_missing'>>(ATTENTION, [shops, input.unshipped_days]),
    ask<Overview['attention']['statistics_missing'][number]>(STATISTICS_MISSING, [shops, new Date(now)]),
    ask<Overview['first_steps']>(FIRST_STEPS, []),
  ]);
  return {
    orders: sumOf(sales, 'orders'),
    items: sumOf(sales, 'items'),
    quantity: sumOf(sales, 'quantity'),
    revenue: revenueOf(sales),
    orders_without_currency: sumOf(
      sales.filter(({ currency }) => currency === null),
      'orders',
    ),
    advertising: {
      impressions: sumOf(ads, 'impressions'),
      clicks: sumOf(ads, 'clicks'),
      amounts: adAmounts,
      without_currency: withoutCurrency,
    },
    tracking,
    days: daysOf(input, sales, ads),
    attention: { ...attention[0]!, statistics_missing: missing },
    first_steps: steps[0]!,
  };
}
