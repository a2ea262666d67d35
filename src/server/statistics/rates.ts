/** How a rate is calculated from two fields: `factor` · `part` / `whole`. */
export interface Rate {
  part: string;
  whole: string;
  factor: number;
}

/**
 * Rates for several days are calculated from the sums. An average of rates would give a day with three visits the same weight as
 * one with three thousand.
 */
export const RATE_BY_FIELD: Readonly<Record<string, Rate>> = {
  ad_click_rate: { part: 'ad_clicks', whole: 'ad_impressions', factor: 100 },
  conversion_rate: { part: 'total_orders', whole: 'total_visits', factor: 100 },
  ad_revenue_ratio: { part: 'ad_revenue', whole: 'total_revenue', factor: 100 },
  click_rate: { part: 'click_count', whole: 'impression_count', factor: 100 },
  // ROAS: ad revenue per unit of ad spend. For listings, `spent_total` is the ad spend.
  roas: { part: 'ad_revenue', whole: 'spent_total', factor: 1 },
};
