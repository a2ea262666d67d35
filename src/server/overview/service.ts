import { DateTime } from 'luxon';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import { countOpenEntries } from '../queues/service';
import * as sql from './overview.queries';
import type { Overview, OverviewInput } from './schema';

type SalesRow = sql.ListSalesRow;
type AdvertisingRow = sql.ListAdvertisingRow;

/** Groups rows by `key`, keeping their order. */
function groups<Row, Key>(rows: readonly Row[], key: (row: Row) => Key): Map<Key, Row[]> {
  const found = new Map<Key, Row[]>();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return found;
}

/** Sums amounts of one currency exactly, in ten-thousandths, the precision in which they are stored. */
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
 * Returns what happened in a range of New York days, and what needs attention now. It reads precalculated daily sums
 * (orders/list/day-service.ts), so a million orders are as fast as a hundred.
 */
export async function readOverview(db: Database, input: OverviewInput, now: number): Promise<Overview> {
  const { from, to } = input;
  const shopIds = input.shops?.length ? input.shops : null;
  const range = { from, to, shopIds };
  const start = DateTime.fromISO(from, { zone: NEW_YORK }).toJSDate();
  const end = DateTime.fromISO(to, { zone: NEW_YORK }).plus({ days: 1 }).toJSDate();

  const [sales, ads, adAmounts, withoutCurrency, tracking, open, warned, missing, steps] = await Promise.all([
    sql.listSales.run(db.pool, range),
    sql.listAdvertising.run(db.pool, range),
    sql.sumAdvertising.run(db.pool, range),
    sql.listWithoutCurrency.run(db.pool, range),
    sql.countByTracking.run(db.pool, { start, end, shopIds }),
    countOpenEntries(db, shopIds),
    sql.countImportsWithWarnings.run(db.pool, { shopIds }),
    sql.listStatisticsMissing.run(db.pool, { shopIds, now: new Date(now) }),
    sql.readFirstSteps.run(db.pool),
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
    attention: {
      queues: open.queues,
      imports_with_warnings: warned[0]!.count,
      statistics_missing: missing,
    },
    first_steps: steps[0]!,
  };
}
