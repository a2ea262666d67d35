import { DateTime } from 'luxon';
import { NEW_YORK } from '../../src/server/core/time';
import { DAY_COUNT, type DemoOrder } from './orders';
import { SeededRandom } from './random';
import type { DemoShop } from './shops';

type Statistic = Record<string, string | number>;

const roundToCents = (amount: number) => Math.round(amount * 100) / 100;
const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1e6) / 1e4);

interface Sales {
  orderCount: number;
  revenue: number;
}

/** Returns a function that looks up the orders' sales by key. `revenuesOf` returns the keys of an order, each with its revenue. */
function createSalesLookup(
  orders: readonly DemoOrder[],
  revenuesOf: (order: DemoOrder) => [string, number][],
) {
  const sales = new Map<string, Sales>();
  for (const [key, revenue] of orders.flatMap(revenuesOf)) {
    const currentSales = sales.get(key) ?? { orderCount: 0, revenue: 0 };
    sales.set(key, {
      orderCount: currentSales.orderCount + 1,
      revenue: roundToCents(currentSales.revenue + revenue),
    });
  }
  return (key: string) => sales.get(key) ?? { orderCount: 0, revenue: 0 };
}

function listDays(now: number): string[] {
  const today = DateTime.fromMillis(now, { zone: NEW_YORK });
  return Array.from({ length: DAY_COUNT }, (_, n) => today.minus({ days: n }).toISODate()!);
}

/** Returns figures for advertising that brought in some of the sales. */
function createAdFigures({ orderCount, revenue }: Sales, random: SeededRandom) {
  const clicks = random.integer(2, 12) + orderCount * 6;
  const impressions = clicks * random.integer(30, 60);
  const wonOrderCount = Math.round(orderCount * random.between(0.2, 0.5));
  const spend = roundToCents(clicks * random.between(0.2, 0.45));
  return {
    clicks,
    impressions,
    wonOrderCount,
    spend,
    earnedRevenue: orderCount === 0 ? 0 : roundToCents((revenue * wonOrderCount) / orderCount),
  };
}

/** Returns a row for each shop and day, with sales that agree with the orders. */
export function createShopStatistics(
  shops: readonly DemoShop[],
  orders: readonly DemoOrder[],
  now: number,
): Statistic[] {
  const random = new SeededRandom(43);
  const totalOf = (order: DemoOrder) => order.items.reduce((sum, item) => sum + item.total, 0);
  const findSales = createSalesLookup(orders, (order) => [
    [`${order.shop.marketplaceShopId} ${order.day}`, totalOf(order)],
  ]);
  return shops.flatMap(({ marketplaceShopId }) =>
    listDays(now).map((date): Statistic => {
      const sales = findSales(`${marketplaceShopId} ${date}`);
      const ads = createAdFigures(sales, random);
      const visits = random.integer(60, 140) + sales.orderCount * random.integer(18, 30);
      return {
        ...{ shop_id: marketplaceShopId, date, total_orders: sales.orderCount, total_revenue: sales.revenue },
        ...{ total_visits: visits, total_views: Math.round(visits * random.between(1.6, 2.4)) },
        conversion_rate: percentOf(sales.orderCount, visits),
        ...{ ad_impressions: ads.impressions, ad_clicks: ads.clicks, ad_spend: ads.spend },
        ...{
          ad_click_rate: percentOf(ads.clicks, ads.impressions),
          ad_orders: ads.wonOrderCount,
          ad_revenue: ads.earnedRevenue,
        },
        ad_revenue_ratio: percentOf(ads.earnedRevenue, sales.revenue),
      };
    }),
  );
}

/** Returns a row for each listing and day, with sales that agree with the orders. */
export function createListingStatistics(
  shops: readonly DemoShop[],
  orders: readonly DemoOrder[],
  now: number,
): Statistic[] {
  const random = new SeededRandom(47);
  const findSales = createSalesLookup(orders, ({ items, day }) =>
    items.map(({ listing, total }) => [`${listing.id} ${day}`, total]),
  );
  return shops.flatMap(({ marketplaceShopId, listings }) =>
    listings.flatMap(({ id }) =>
      listDays(now).map((date): Statistic => {
        const sales = findSales(`${id} ${date}`);
        const ads = createAdFigures(sales, random);
        const visits = random.integer(4, 22) + sales.orderCount * random.integer(14, 26);
        return {
          ...{ listing_id: Number(id), shop_id: marketplaceShopId, date, visits },
          ...{ total_views: Math.round(visits * 1.4), orders: sales.orderCount, revenue: sales.revenue },
          ...{ impression_count: ads.impressions, click_count: ads.clicks, spent_total: ads.spend },
          ...{
            conversions: ads.wonOrderCount,
            ad_revenue: ads.earnedRevenue,
            click_rate: percentOf(ads.clicks, ads.impressions),
          },
          roas: ads.spend === 0 ? 0 : roundToCents(ads.earnedRevenue / ads.spend),
        };
      }),
    ),
  );
}
