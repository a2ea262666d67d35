import { decodeCursor, encodeCursor } from '../core/lists/cursor';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import * as sql from './statistics.queries';

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

/** Returns the fields that differ between two versions of a row, with the members of `extra` one by one. */
function changesOf(before: sql.Json, after: sql.Json) {
  const flattenDay = (day: sql.Json) => {
    const { extra, ...fields } = day as { extra?: Record<string, unknown> };
    return new Map<string, unknown>([
      ...Object.entries(fields),
      ...Object.entries(extra ?? {}).map(([name, value]) => [`extra.${name}`, value] as const),
    ]);
  };
  const [oldFields, newFields] = [flattenDay(before), flattenDay(after)];
  return [...new Set([...oldFields.keys(), ...newFields.keys()])]
    .filter((field) => JSON.stringify(oldFields.get(field)) !== JSON.stringify(newFields.get(field)))
    .map((field) => ({ field, before: oldFields.get(field) ?? null, after: newFields.get(field) ?? null }));
}

/**
 * Returns a page of restatements of stored days, newest first: the fields before and after, when, and by which key or user.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listRestatements(db: Database, query: RestatementQuery) {
  const [cursor] = query.cursor ? decodeCursor(query.cursor, 'restatements', [/^\d{1,18}$/]) : [];
  const rows = await sql.listRestatements.run(db.pool, {
    kind: query.kind === 'listing' ? 'product' : (query.kind ?? null),
    shopIds: query.shop_ids ?? null,
    listingId: query.listing_id ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
    apiKeyId: query.api_key_id ?? null,
    pastOnly: query.past_only,
    cursor: cursor ?? null,
    limit: query.limit + 1,
    timeZone: NEW_YORK,
  });
  const page = rows.slice(0, query.limit);
  return {
    restatements: page.map((row) => ({
      id: row.id,
      kind: row.kind === 'product' ? ('listing' as const) : row.kind,
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
      user: row.user,
    })),
    next: rows.length > query.limit ? encodeCursor('restatements', [page.at(-1)!.id]) : null,
  };
}
