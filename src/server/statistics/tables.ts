import { LISTING_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from './fields';
import { upsertListingDays, upsertShopDays } from './statistics.queries';

/** What differs between shop and listing statistics. */
export interface StatisticTable {
  kind: 'shop' | 'product';
  table: string;
  key: readonly string[];
  fields: readonly string[];
  /** The kind of each field. */
  kinds: Readonly<Record<string, StatisticFieldKind>>;
  upsert: typeof upsertShopDays | typeof upsertListingDays;
}

const kindsOf = (fields: Readonly<Record<string, readonly [StatisticFieldKind, string]>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, [kind]]) => [name, kind]));

export const SHOP_TABLE: StatisticTable = {
  kind: 'shop',
  table: 'shop_daily_statistics',
  key: ['shop_id', 'date'],
  fields: Object.keys(SHOP_FIELDS),
  kinds: kindsOf(SHOP_FIELDS),
  upsert: upsertShopDays,
};

export const LISTING_TABLE: StatisticTable = {
  kind: 'product',
  table: 'product_daily_statistics',
  key: ['listing_id', 'shop_id', 'date'],
  fields: Object.keys(LISTING_FIELDS),
  kinds: kindsOf(LISTING_FIELDS),
  upsert: upsertListingDays,
};
