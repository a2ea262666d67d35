/** How a statistics field is limited and stored (docs/statistics.md). */
export type StatisticFieldKind = 'count' | 'amount' | 'rate' | 'ratio';

type Fields = Record<string, readonly [kind: StatisticFieldKind, description: string]>;

/** The fields of a shop's day, without its key. */
export const SHOP_FIELDS = {
  ad_impressions: ['count', 'How often advertisements were shown'],
  ad_clicks: ['count', 'Clicks on advertisements'],
  ad_click_rate: ['rate', 'Clicks per hundred impressions'],
  ad_spend: ['amount', 'Money spent on advertising'],
  ad_orders: ['count', 'Orders that came through advertising'],
  ad_revenue: ['amount', 'Revenue that came through advertising'],
  total_orders: ['count', 'All orders'],
  total_revenue: ['amount', 'All revenue'],
  total_views: ['count', 'Page views'],
  total_visits: ['count', 'Visits'],
  conversion_rate: ['rate', 'Orders per hundred visits'],
  ad_revenue_ratio: ['rate', 'Share of the revenue that came through advertising, in per cent'],
} as const satisfies Fields;

/** The fields of a listing's day, without its key. */
export const PRODUCT_FIELDS = {
  visits: ['count', 'Visits of the listing'],
  total_views: ['count', 'Views of the listing'],
  orders: ['count', 'Orders of the listing'],
  revenue: ['amount', 'Revenue of the listing'],
  impression_count: ['count', 'How often its advertisements were shown'],
  click_count: ['count', 'Clicks on its advertisements'],
  spent_total: ['amount', 'Money spent on its advertisements'],
  conversions: ['count', 'Orders that came through its advertisements'],
  ad_revenue: ['amount', 'Revenue that came through its advertisements'],
  click_rate: ['rate', 'Clicks per hundred impressions'],
  roas: ['ratio', 'Return on advertising spend: ad_revenue for each unit of spent_total'],
} as const satisfies Fields;
