import { PRODUCT_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from './fields';

/** What is different between the two kinds of statistic. */
export interface StatisticTable {
  /** Names the prepared statement. */
  name: string;
  table: string;
  key: readonly string[];
  fields: readonly string[];
  /** What each field is. */
  kinds: Readonly<Record<string, StatisticFieldKind>>;
}

const kindsOf = (fields: Readonly<Record<string, readonly [StatisticFieldKind, string]>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, [kind]]) => [name, kind]));

const KEY_TYPES: Record<string, string> = { listing_id: 'bigint', shop_id: 'text', date: 'date' };

export const SHOP_TABLE: StatisticTable = {
  name: 'shop-statistics',
  table: 'shop_daily_statistics',
  key: ['shop_id', 'date'],
  fields: Object.keys(SHOP_FIELDS),
  kinds: kindsOf(SHOP_FIELDS),
};

export const PRODUCT_TABLE: StatisticTable = {
  name: 'product-statistics',
  table: 'product_daily_statistics',
  key: ['listing_id', 'shop_id', 'date'],
  fields: Object.keys(PRODUCT_FIELDS),
  kinds: kindsOf(PRODUCT_FIELDS),
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

/**
 * Many upserts at once, by the same rules: $1 a JSON list of rows, each key once. In the order of the key, so that two imports
 * never wait for each other in a circle. Rows that would stay as they are are not touched.
 *
 * @param stamp what else is answered of the transaction
 */
export function upsertManySql({ table, key, fields }: StatisticTable, stamp: string): string {
  const columns = [
    ...key.map((name) => `${name} ${KEY_TYPES[name]}`),
    ...fields.map((name) => `${name} numeric`),
  ];
  const merged = fields.map((name) => [name, `coalesce(excluded.${name}, s.${name})`] as const);
  const after = [...merged, ['extra', 's.extra || excluded.extra'] as const];
  return `
WITH stored AS (
  INSERT INTO ${table} AS s (${[...key, ...fields].join(', ')}, extra, api_key_id)
  SELECT ${[...key, ...fields].map((name) => `j.${name}`).join(', ')}, j.extra, NULL
    FROM json_to_recordset($1::json) AS j(${columns.join(', ')}, extra jsonb)
   ORDER BY ${key.map((name) => `j.${name}`).join(', ')}
  ON CONFLICT (${key.join(', ')}) DO UPDATE SET
    ${after.map(([name, value]) => `${name} = ${value}`).join(', ')}, api_key_id = NULL, updated_at = now()
    WHERE (${after.map(([name]) => `s.${name}`).join(', ')}) IS DISTINCT FROM (${after.map(([, value]) => value).join(', ')})
  RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int AS inserted, count(*) FILTER (WHERE NOT inserted)::int AS updated,
       ${stamp} AS stamp
  FROM stored`;
}
