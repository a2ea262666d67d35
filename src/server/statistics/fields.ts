/** How a statistics field is limited and stored (docs/statistics.md). */
export type StatisticFieldKind = 'count' | 'amount' | 'rate' | 'ratio';

type Fields = Record<string, readonly [kind: StatisticFieldKind, description: string]>;

/** The fields of a shop's daily statistics, without the key. */
export const SHOP_FIELDS = {
  ad_impressions: ['count', 'Ad impressions'],
  ad_clicks: ['count', 'Ad clicks'],
  ad_click_rate: ['rate', 'Clicks per hundred impressions'],
  ad_spend: ['amount', 'Ad spend'],
  ad_orders: ['count', 'Orders from ads'],
  ad_revenue: ['amount', 'Revenue from ads'],
  total_orders: ['count', 'All orders'],
  total_revenue: ['amount', 'All revenue'],
  total_views: ['count', 'Page views'],
  total_visits: ['count', 'Visits'],
  conversion_rate: ['rate', 'Orders per hundred visits'],
  ad_revenue_ratio: ['rate', 'Share of the revenue that came from ads, in percent'],
} as const satisfies Fields;

/** The fields of a listing's daily statistics, without the key. */
export const LISTING_FIELDS = {
  visits: ['count', 'Visits to the listing'],
  total_views: ['count', 'Views of the listing'],
  orders: ['count', 'Orders for the listing'],
  revenue: ['amount', 'Revenue from the listing'],
  impression_count: ['count', "Impressions of the listing's ads"],
  click_count: ['count', "Clicks on the listing's ads"],
  spent_total: ['amount', "Spend on the listing's ads"],
  conversions: ['count', "Orders from the listing's ads"],
  ad_revenue: ['amount', "Revenue from the listing's ads"],
  click_rate: ['rate', 'Clicks per hundred impressions'],
  roas: ['ratio', 'Return on advertising spend: ad_revenue for each unit of spent_total'],
} as const satisfies Fields;
