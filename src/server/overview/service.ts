import { plusDays } from '../core/days';
import { compare, compareIfAny, type Period, periodOf } from '../core/period';
import { startOfNewYorkDay } from '../core/time';
import type { Database } from '../db/client';
import { findEntriesOpenDueToReports } from '../queues/entry-service';
import { countNewEntries } from '../queues/service';
import { readListingTitles } from '../statistics/series-service';
import { readAttention } from './attention-service';
import * as sql from './overview.queries';
import type { Overview, OverviewInput } from './schema';
import { listShopsWithReports } from './shops-service';

/** The maximum number of shops without statistics that the overview lists. */
const MAX_LISTED_SHOPS = 50;
/** The maximum numbers of listings shown for each currency: of the best, and of those that lose the most. */
const LISTING_LIMITS = { bestCount: 5, worstCount: 3 };

/** Groups rows by their key, keeping their order. */
function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

const ordersOf = (row: sql.SumSalesRow | undefined) =>
  compare(row?.orders ?? 0, row?.orders_compared ?? 0, row?.orders_before ?? 0);

const revenueOf = (row: sql.SumSalesRow | undefined) =>
  compare(row?.revenue ?? '0', row?.revenue_compared ?? '0', row?.revenue_before ?? '0');

const advertisingOf = (row: sql.SumReportsRow | undefined) => ({
  ad_spend: row ? compareIfAny(row.ad_spend, row.ad_spend_compared, row.ad_spend_before) : null,
  roas: row ? compareIfAny(row.roas, row.roas_compared, row.roas_before) : null,
  profit: row ? compareIfAny(row.profit, row.profit_compared, row.profit_before) : null,
});

/** Returns the figures for each currency: first the currencies of orders, by revenue, then those with only ad spend. */
function currenciesOf(
  salesSums: readonly sql.SumSalesRow[],
  reportSums: readonly sql.SumReportsRow[],
): Overview['currencies'] {
  const salesCurrencies = salesSums.flatMap(({ currency }) => (currency ? [currency] : []));
  const spendCurrencies = reportSums
    .filter(({ ad_spend }) => ad_spend !== null)
    .map(({ currency }) => currency);
  return [...new Set([...salesCurrencies, ...spendCurrencies.sort()])].map((currency) => ({
    currency,
    revenue: revenueOf(salesSums.find((row) => row.currency === currency)),
    ...advertisingOf(reportSums.find((row) => row.currency === currency)),
  }));
}

function daysOf(
  { from, dayCount }: Period,
  sales: readonly sql.ListSalesRow[],
  reports: readonly sql.ListReportsRow[],
): Overview['days'] {
  const salesByDay = groupBy(sales, (row) => row.day);
  const reportsByDay = groupBy(reports, (row) => row.day);
  const orderCountOn = (day: string) =>
    (salesByDay.get(day) ?? []).reduce((sum, { orders }) => sum + orders, 0);
  return Array.from({ length: dayCount }, (_, index) => {
    const day = plusDays(from, index);
    const comparedDay = plusDays(day, -dayCount);
    const revenueOn = (date: string, currency: string) =>
      salesByDay.get(date)?.find((row) => row.currency === currency)?.revenue ?? '0';
    const reportOn = (date: string, currency: string) =>
      reportsByDay.get(date)?.find((row) => row.currency === currency);
    const currencies = new Set(
      [day, comparedDay].flatMap((date) =>
        [...(salesByDay.get(date) ?? []), ...(reportsByDay.get(date) ?? [])].flatMap(
          ({ currency }) => currency ?? [],
        ),
      ),
    );
    return {
      day,
      before: comparedDay,
      orders: orderCountOn(day),
      orders_before: orderCountOn(comparedDay),
      currencies: [...currencies].map((currency) => ({
        currency,
        revenue: revenueOn(day, currency),
        revenue_before: revenueOn(comparedDay, currency),
        ad_spend: reportOn(day, currency)?.ad_spend ?? null,
        ad_spend_before: reportOn(comparedDay, currency)?.ad_spend ?? null,
        profit: reportOn(day, currency)?.profit ?? null,
        roas: reportOn(day, currency)?.roas ?? null,
      })),
    };
  });
}

/** Returns, for each currency, the listings with the greatest profit after advertising and those that lose the most. */
async function readListings(
  db: Database,
  range: { from: string; to: string; shopIds: number[] | null },
): Promise<Overview['listings']> {
  const rows = await sql.listListings.run(db.pool, { ...range, ...LISTING_LIMITS });
  const titles = await readListingTitles(
    db,
    rows.map(({ listing_id }) => listing_id),
  );
  return [...groupBy(rows, (row) => row.currency)].map(([currency, currencyRows]) => ({
    currency,
    listings: currencyRows[0]!.listing_count,
    losing: currencyRows[0]!.losing_count,
    shown: currencyRows.map(({ listing_id, profit, roas }) => ({
      listing_id,
      title: titles.get(listing_id) ?? null,
      profit,
      roas,
    })),
  }));
}

/** Returns the number of orders to ship in each shop, and since when the oldest order of all these shops has been waiting. */
async function readToShipQueue(
  db: Database,
  shopIds: number[] | null,
): Promise<{ countByShop: Map<number, number>; oldestSince: Date | undefined }> {
  const [recordCounts, entriesOpenDueToReports] = await Promise.all([
    sql.countToShip.run(db.pool, { shopIds }),
    findEntriesOpenDueToReports(db.pool, ['to_ship'], shopIds),
  ]);
  const countByShop = new Map(recordCounts.map((row) => [row.shop_id!, row.order_count]));
  for (const { shop_id } of entriesOpenDueToReports)
    countByShop.set(shop_id, (countByShop.get(shop_id) ?? 0) + 1);
  const waitStarts = [
    ...recordCounts.map((row) => row.oldest_since),
    ...entriesOpenDueToReports.map((entry) => new Date(entry.since!)),
  ];
  return { countByShop, oldestSince: waitStarts.sort((a, b) => a.getTime() - b.getTime())[0] };
}

/**
 * Returns what happened in a range of New York days, compared with the period before, and what needs attention now. Revenue and
 * orders come from precalculated daily sums (orders/indexing/day-service.ts); the work queues and the counts by tracking status
 * read the orders that they count.
 */
export async function readOverview(
  db: Database,
  input: OverviewInput,
  {
    userId,
    timeZone,
    hasCarrier,
    now,
  }: { userId: number; timeZone: string; hasCarrier: boolean; now: number },
): Promise<Overview> {
  const period = periodOf(input, now);
  const { from, to, dayCount, today } = period;
  const shopIds = input.shops?.length ? input.shops : null;
  const range = { from, to, shopIds };
  const [start, end] = [startOfNewYorkDay(from), startOfNewYorkDay(plusDays(to, 1))];

  const [
    salesSums,
    salesDays,
    reportSums,
    reportDays,
    shops,
    toShipQueue,
    listings,
    shopsWithoutCurrency,
    trackingCounts,
    { shopsMissingStatistics, ...attention },
    newEntryCounts,
    [firstSteps],
  ] = await Promise.all([
    sql.sumSales.run(db.pool, { ...range, dayCount, today }),
    sql.listSales.run(db.pool, { ...range, dayCount }),
    sql.sumReports.run(db.pool, { ...range, dayCount, newYorkToday: today, now: new Date(now) }),
    sql.listReports.run(db.pool, { ...range, dayCount }),
    listShopsWithReports(db, { ...range, now: new Date(now) }),
    readToShipQueue(db, shopIds),
    readListings(db, range),
    sql.listShopsWithoutCurrency.run(db.pool, range),
    sql.countByTracking.run(db.pool, { start, end, shopIds }),
    readAttention(db, shopIds, { now, timeZone, shopLimit: MAX_LISTED_SHOPS }),
    countNewEntries(db, shopIds, now),
    sql.readFirstSteps.run(db.pool, { userId }),
  ]);
  const sumsByShop = groupBy(salesSums, (row) => row.shop_id);
  const sumsOfAllShops = sumsByShop.get(null) ?? [];
  const total = sumsOfAllShops.find(({ currency }) => currency === null);
  return {
    period: {
      before_from: plusDays(from, -dayCount),
      before_to: plusDays(from, -1),
      today: from <= today && today <= to ? today : null,
    },
    orders: ordersOf(total),
    items: total?.items ?? 0,
    quantity: total?.quantity ?? 0,
    orders_without_currency: sumsOfAllShops.find(({ currency }) => currency === '')?.orders ?? 0,
    currencies: currenciesOf(
      sumsOfAllShops,
      reportSums.filter(({ shop_id }) => shop_id === null),
    ),
    without_currency: shopsWithoutCurrency,
    days: daysOf(period, salesDays, reportDays),
    shops: shops.map((shop) => {
      const shopSums = sumsByShop.get(shop.id) ?? [];
      return {
        ...shop,
        orders: ordersOf(shopSums.find(({ currency }) => currency === null)),
        revenue: shopSums.flatMap((row) =>
          row.currency ? [{ currency: row.currency, revenue: revenueOf(row) }] : [],
        ),
        ...advertisingOf(reportSums.find(({ shop_id }) => shop_id === shop.id)),
        to_ship: toShipQueue.countByShop.get(shop.id) ?? 0,
      };
    }),
    listings,
    tracking: trackingCounts,
    attention: {
      ...attention,
      statistics_missing: shopsMissingStatistics.map(({ id, name, shop_id }) => ({ id, name, shop_id })),
      statistics_missing_count: shopsMissingStatistics[0]?.total ?? 0,
    },
    new_entries: newEntryCounts,
    oldest_to_ship: toShipQueue.oldestSince?.toISOString() ?? null,
    first_steps: { ...firstSteps!, carrier: hasCarrier },
  };
}

/** Hides the checklist of first steps from a user. */
export async function dismissFirstSteps(db: Database, userId: number): Promise<void> {
  await sql.dismissFirstSteps.run(db.pool, { userId });
}
