import { PRODUCT_FIELDS, SHOP_FIELDS } from './fields';

/** What is different between the two kinds of statistic. */
export interface StatisticTable {
  /** Names the prepared statement. */
  name: string;
  table: string;
  key: readonly string[];
  fields: readonly string[];
}

export const SHOP_TABLE: StatisticTable = {
  name: 'shop-statistics',
  table: 'shop_daily_statistics',
  key: ['shop_id', 'date'],
  fields: Object.keys(SHOP_FIELDS),
};

export const PRODUCT_TABLE: StatisticTable = {
  name: 'product-statistics',
  table: 'product_daily_statistics',
  key: ['listing_id', 'shop_id', 'date'],
  fields: Object.keys(PRODUCT_FIELDS),
};

/**
 * One upsert: $1.. the key, then the fields (null keeps what is stored), then `extra` to merge and the API key. What it
 * replaces is kept by the table's trigger, in the same transaction, however many calls race. `xmax` is 0 only where the row
 * is new.
 */
export function upsertSql({ table, key, fields }: StatisticTable): string {
  const columns = [...key, ...fields, 'extra', 'api_key_id'];
  const merged = fields.map((name) => `${name} = coalesce(excluded.${name}, s.${name})`);
  const returned = ['extra', ...key.filter((name) => name !== 'date'), ...fields].map((name) => `s.${name}`);
  return `
INSERT INTO ${table} AS s (${columns.join(', ')})
VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
ON CONFLICT (${key.join(', ')}) DO UPDATE SET
  ${merged.join(', ')},
  extra = s.extra || excluded.extra, api_key_id = excluded.api_key_id, updated_at = now()
RETURNING ${returned.join(', ')}, s.date::text AS date, (xmax = 0) AS created, s.updated_at`;
}
