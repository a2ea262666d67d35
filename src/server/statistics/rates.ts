/** What a rate is: a part, what it is a part of, and what the share is multiplied with. */
export interface Rate {
  part: string;
  whole: string;
  times: number;
}

/** ROAS, here as everywhere: ad revenue for each unit of ad spend. */
const SHOP_ROAS: Rate = { part: 'ad_revenue', whole: 'ad_spend', times: 1 };

/**
 * How the rates of several days are made: from the sums, as an average of rates would count a day with three visits as much as
 * one with three thousand.
 */
export const RATES: Readonly<Record<string, Rate>> = {
  ad_click_rate: { part: 'ad_clicks', whole: 'ad_impressions', times: 100 },
  conversion_rate: { part: 'total_orders', whole: 'total_visits', times: 100 },
  ad_revenue_ratio: { part: 'ad_revenue', whole: 'total_revenue', times: 100 },
  click_rate: { part: 'click_count', whole: 'impression_count', times: 100 },
  // A listing's ad spend has another name.
  roas: { part: 'ad_revenue', whole: 'spent_total', times: 1 },
};
