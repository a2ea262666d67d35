import { DateTime } from 'luxon';
import { NEW_YORK } from '../../src/server/core/time';
import { DAYS, type DemoOrder } from './orders';
import { Choices } from './random';
import type { DemoShop } from './shops';

type Statistic = Record<string, string | number>;

const roundToCents = (amount: number) => Math.round(amount * 100) / 100;
const rate = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1e6) / 1e4);

interface Sales {
  orders: number;
  revenue: number;
}

/** Returns a function that looks up the orders' sales by key. `revenues` returns the keys of an order, each with its revenue. */
function salesBy(orders: readonly DemoOrder[], revenues: (order: DemoOrder) => [string, number][]) {
  const sales = new Map<string, Sales>();
  for (const [key, revenue] of orders.flatMap(revenues)) {
    const current = sales.get(key) ?? { orders: 0, revenue: 0 };
    sales.set(key, { orders: current.orders + 1, revenue: roundToCents(current.revenue + revenue) });
  }
  return (key: string) => sales.get(key) ?? { orders: 0, revenue: 0 };
}

function listDays(now: number): string[] {
  const today = DateTime.fromMillis(now, { zone: NEW_YORK });
  return Array.from({ length: DAYS }, (_, n) => today.minus({ days: n }).toISODate()!);
}

/** Returns figures for advertising that brought in some of the sales. */
function advertising({ orders, revenue }: Sales, random: Choices) {
  const clicks = random.integer(2, 12) + orders * 6;
  const impressions = clicks * random.integer(30, 60);
  const won = Math.round(orders * random.between(0.2, 0.5));
  const spend = roundToCents(clicks * random.between(0.2, 0.45));
  return {
    clicks,
    impressions,
    won,
    spend,
    earned: orders === 0 ? 0 : roundToCents((revenue * won) / orders),
  };
}

/** Returns a row for each shop and day, with sales that agree with the orders. */
export function shopStatistics(
  shops: readonly DemoShop[],
  orders: readonly DemoOrder[],
  now: number,
): Statistic[] {
  const random = new Choices(43);
  const total = (order: DemoOrder) => order.items.reduce((sum, item) => sum + item.total, 0);
  const salesFor = salesBy(orders, (order) => [[`${order.shop.shopId} ${order.day}`, total(order)]]);
  return shops.flatMap(({ shopId }) =>
    listDays(now).map((date): Statistic => {
      const sales = salesFor(`${shopId} ${date}`);
      const ads = advertising(sales, random);
      const visits = random.integer(60, 140) + sales.orders * random.integer(18, 30);
      return {
        ...{ shop_id: shopId, date, total_orders: sales.orders, total_revenue: sales.revenue },
        ...{ total_visits: visits, total_views: Math.round(visits * random.between(1.6, 2.4)) },
        conversion_rate: rate(sales.orders, visits),
        ...{ ad_impressions: ads.impressions, ad_clicks: ads.clicks, ad_spend: ads.spend },
        ...{ ad_click_rate: rate(ads.clicks, ads.impressions), ad_orders: ads.won, ad_revenue: ads.earned },
        ad_revenue_ratio: rate(ads.earned, sales.revenue),
      };
    }),
  );
}

/** Returns a row for each listing and day, with sales that agree with the orders. */
export function listingStatistics(
  shops: readonly DemoShop[],
  orders: readonly DemoOrder[],
  now: number,
): Statistic[] {
  const random = new Choices(47);
  const salesFor = salesBy(orders, ({ items, day }) =>
    items.map(({ listing, total }) => [`${listing.id} ${day}`, total]),
  );
  return shops.flatMap(({ shopId, listings }) =>
    listings.flatMap(({ id }) =>
      listDays(now).map((date): Statistic => {
        const sales = salesFor(`${id} ${date}`);
        const ads = advertising(sales, random);
        const visits = random.integer(4, 22) + sales.orders * random.integer(14, 26);
        return {
          ...{ listing_id: Number(id), shop_id: shopId, date, visits },
          ...{ total_views: Math.round(visits * 1.4), orders: sales.orders, revenue: sales.revenue },
          ...{ impression_count: ads.impressions, click_count: ads.clicks, spent_total: ads.spend },
          ...{ conversions: ads.won, ad_revenue: ads.earned, click_rate: rate(ads.clicks, ads.impressions) },
          roas: ads.spend === 0 ? 0 : roundToCents(ads.earned / ads.spend),
        };
      }),
    ),
  );
}
