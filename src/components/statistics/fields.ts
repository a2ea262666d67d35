import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { LISTING_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from '../../server/statistics/fields';

/** The names of the fields in the daily statistics of shops and listings. */
const FIELD_NAMES = messageKeys('statistics', {
  ad_impressions: 'fields.ad_impressions',
  ad_clicks: 'fields.ad_clicks',
  ad_click_rate: 'fields.ad_click_rate',
  ad_spend: 'fields.ad_spend',
  ad_orders: 'fields.ad_orders',
  ad_revenue: 'fields.ad_revenue',
  total_orders: 'fields.total_orders',
  total_revenue: 'fields.total_revenue',
  total_views: 'fields.total_views',
  total_visits: 'fields.total_visits',
  conversion_rate: 'fields.conversion_rate',
  ad_revenue_ratio: 'fields.ad_revenue_ratio',
  visits: 'fields.visits',
  orders: 'fields.orders',
  revenue: 'fields.revenue',
  impression_count: 'fields.ad_impressions',
  click_count: 'fields.ad_clicks',
  spent_total: 'fields.ad_spend',
  conversions: 'fields.ad_orders',
  click_rate: 'fields.ad_click_rate',
  roas: 'fields.roas',
});

export type ShopField = keyof typeof SHOP_FIELDS;
export type ListingField = keyof typeof LISTING_FIELDS;

/** Returns a function that names a field. */
export function useFieldName(): (field: ShopField | ListingField) => string {
  const t = useTranslations('statistics');
  return (field) => t(FIELD_NAMES[field]);
}

/** Returns whether a name in a restatement is that of a field rather than of a member of `extra`. */
export const isField = (name: string): name is ShopField | ListingField => name in FIELD_NAMES;

/** The order in which pages show the fields: sales, visits, advertising. */
export const SHOP_FIELD_ORDER: readonly ShopField[] = [
  'total_orders',
  'total_revenue',
  'total_visits',
  'total_views',
  'conversion_rate',
  'ad_impressions',
  'ad_clicks',
  'ad_click_rate',
  'ad_spend',
  'ad_orders',
  'ad_revenue',
  'ad_revenue_ratio',
];

export const LISTING_FIELD_ORDER: readonly ListingField[] = [
  'orders',
  'revenue',
  'visits',
  'total_views',
  'impression_count',
  'click_count',
  'click_rate',
  'spent_total',
  'conversions',
  'ad_revenue',
  'roas',
];

/** Returns whether a field is an amount of money or a ratio of amounts, and so depends on the currency. */
export const dependsOnCurrency = (field: ShopField | ListingField): boolean =>
  kindOf(field) === 'amount' || field === 'ad_revenue_ratio' || field === 'roas';

/** Returns the kind of a field: a count, an amount, a rate or a ratio. */
export function kindOf(field: ShopField | ListingField): StatisticFieldKind {
  const fields: Record<string, readonly [StatisticFieldKind, string]> = { ...LISTING_FIELDS, ...SHOP_FIELDS };
  return fields[field]![0];
}
