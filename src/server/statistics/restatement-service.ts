import { decodeCursor, encodeCursor } from '../core/keyset';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';

interface RestatementQuery {
  kind?: 'shop' | 'listing' | undefined;
  shop_ids?: string[] | undefined;
  listing_id?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  api_key_id?: number | undefined;
  past_only: boolean;
  limit: number;
  cursor?: string | undefined;
}

/** The stamp under which the audit log tells of an import of days, which is the moment of its transaction. */
export const importStamp = (instant: string) =>
  `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A day counts as past from the midnight after it, by the shop's time zone; New York's for a shop that is not stored. */
const LATE = `((r.created_at AT TIME ZONE coalesce(s.time_zone, '${NEW_YORK}'))::date - r.date)`;

const RESTATEMENTS = `
SELECT r.id::text, CASE r.kind WHEN 'shop' THEN 'shop' ELSE 'listing' END AS kind,
       r.listing_id::text, r.shop_id, r.date::text, r.created_at, ${LATE} AS days_late,
       r.before, r.after, r.api_key_id, k.name AS key_name, k.prefix, k.last_four,
       CASE WHEN r.api_key_id IS NULL THEN (
         SELECT a.actor FROM audit_log a
          WHERE a.record_type = 'statistics' AND a.record_id = ${importStamp('r.created_at')}
          LIMIT 1) END AS person
  FROM statistic_restatements r LEFT JOIN api_keys k ON k.id = r.api_key_id
  LEFT JOIN shops s ON s.shop_id = r.shop_id
 WHERE ($1::statistic_kind IS NULL OR r.kind = $1)
   AND ($2::text[] IS NULL OR r.shop_id = ANY($2))
   AND ($3::bigint IS NULL OR r.listing_id = $3)
   AND ($4::date IS NULL OR r.date >= $4) AND ($5::date IS NULL OR r.date <= $5)
   AND ($6::int IS NULL OR r.api_key_id = $6)
   AND (NOT $7 OR ${LATE} > 0)
   AND ($8::bigint IS NULL OR r.id < $8)
 ORDER BY r.id DESC LIMIT $9`;

interface RestatementRow {
  id: string;
  kind: 'shop' | 'listing';
  listing_id: string | null;
  shop_id: string;
  date: string;
  created_at: Date;
  days_late: number;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  api_key_id: number | null;
  key_name: string | null;
  prefix: string | null;
  last_four: string | null;
  person: string | null;
}

/** What is different between two values of a row; the members of `extra` count one by one. */
function changesOf(before: Record<string, unknown>, after: Record<string, unknown>) {
  const flat = ({ extra, ...fields }: Record<string, unknown>) =>
    new Map<string, unknown>([
      ...Object.entries(fields),
      ...Object.entries((extra ?? {}) as object).map(([name, value]) => [`extra.${name}`, value] as const),
    ]);
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }));
}

/** A page of what rewrote stored days, newest first: the fields before and after, when, and with which key or by whom. */
export async function listRestatements(db: Database, query: RestatementQuery) {
  const [before] = query.cursor ? decodeCursor(query.cursor, 'restatements', [/^\d{1,18}$/]) : [null];
  const kind = query.kind === 'listing' ? 'product' : (query.kind ?? null);
  const { rows } = await db.pool.query<RestatementRow>(RESTATEMENTS, [
    kind,
    query.shop_ids ?? null,
    query.listing_id ?? null,
    query.from ?? null,
    query.to ?? null,
    query.api_key_id ?? null,
    query.past_only,
    before,
    query.limit + 1,
  ]);
  const page = rows.slice(0, query.limit);
  return {
    restatements: page.map((row) => ({
      id: row.id,
      kind: row.kind,
      listing_id: row.listing_id === null ? null : Number(row.listing_id),
      shop_id: row.shop_id,
      date: row.date,
      created_at: row.created_at.toISOString(),
      days_late: row.days_late,
      changes: changesOf(row.before, row.after),
      key:
        row.api_key_id === null
          ? null
          : { id: row.api_key_id, name: row.key_name!, prefix: row.prefix!, last_four: row.last_four! },
      person: row.person,
    })),
    next: rows.length > query.limit ? encodeCursor('restatements', [page.at(-1)!.id]) : null,
  };
}
