/** What a rate is: a part, what it is a part of, and what the share is multiplied with. */
export interface Rate {
  part: string;
  whole: string;
  times: number;
}

/**
 * How the rates of several days are made: from the sums, as an average of rates would count a day with three visits as much as
 * one with three thousand.
 */
export const RATES: Readonly<Record<string, Rate>> = {
  ad_click_rate: { part: 'ad_clicks', whole: 'ad_impressions', times: 100 },
  conversion_rate: { part: 'total_orders', whole: 'total_visits', times: 100 },
  ad_revenue_ratio: { part: 'ad_revenue', whole: 'total_revenue', times: 100 },
  click_rate: { part: 'click_count', whole: 'impression_count', times: 100 },
  // ROAS, here as everywhere: ad revenue for each unit of ad spend, which a listing's days call spent_total.
  roas: { part: 'ad_revenue', whole: 'spent_total', times: 1 },
};
