import { RATES } from './rates';
import type { StatisticTable } from './upsert-sql';

/**
 * A field of several days. A rate is made of the days that have both its parts, and of a single day it is the stored one where
 * the parts are not given.
 */
function sumOf(field: string): string {
  const rate = RATES[field];
  if (!rate) return `sum(s.${field})`;
  const both = `FILTER (WHERE s.${rate.part} IS NOT NULL AND s.${rate.whole} IS NOT NULL)`;
  const share = `round(${rate.times} * sum(s.${rate.part}) ${both} / nullif(sum(s.${rate.whole}) ${both}, 0), 4)`;
  return `coalesce(${share}, CASE WHEN count(*) = 1 THEN max(s.${field}) END)`;
}

/** The sums of all fields of the rows `s` of a group, and over how many days of shops or listings they run. */
export function sumsOf(table: StatisticTable): string {
  return [...table.fields.map((field) => `${sumOf(field)} AS ${field}`), 'count(*)::int AS rows'].join(', ');
}

/** Which days are meant; what is left out does not narrow. */
export interface DayFilter {
  shop_ids?: string[] | undefined;
  listing_ids?: number[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** $1 shops, $2 first day, $3 last day, $4 listings: null for all. */
export function whereDays(table: StatisticTable): string {
  const listings = table.key.includes('listing_id')
    ? '($4::bigint[] IS NULL OR s.listing_id = ANY($4))'
    : '$4::bigint[] IS NULL';
  return `($1::text[] IS NULL OR s.shop_id = ANY($1)) AND ($2::date IS NULL OR s.date >= $2)
     AND ($3::date IS NULL OR s.date <= $3) AND ${listings}`;
}

/** The values of `whereDays`. */
export function dayValues({ shop_ids, from, to, listing_ids }: DayFilter): unknown[] {
  return [shop_ids ?? null, from ?? null, to ?? null, listing_ids ?? null];
}
