import { LISTING_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from './fields';
import { upsertListingDays, upsertShopDays } from './statistics.queries';

/** What differs between shop and listing statistics. */
export interface StatisticTable {
  kind: 'shop' | 'product';
  tableName: string;
  key: readonly string[];
  fields: readonly string[];
  kindByField: Readonly<Record<string, StatisticFieldKind>>;
  /** Stores days of one shop. */
  upsert: typeof upsertShopDays | typeof upsertListingDays;
}

const kindByFieldOf = (fields: Readonly<Record<string, readonly [StatisticFieldKind, string]>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, [kind]]) => [name, kind]));

export const SHOP_TABLE: StatisticTable = {
  kind: 'shop',
  tableName: 'shop_daily_statistics',
  key: ['shop_id', 'date'],
  fields: Object.keys(SHOP_FIELDS),
  kindByField: kindByFieldOf(SHOP_FIELDS),
  upsert: upsertShopDays,
};

export const LISTING_TABLE: StatisticTable = {
  kind: 'product',
  tableName: 'product_daily_statistics',
  key: ['listing_id', 'shop_id', 'date'],
  fields: Object.keys(LISTING_FIELDS),
  kindByField: kindByFieldOf(LISTING_FIELDS),
  upsert: upsertListingDays,
};
