import { decodeIdCursor, encodeIdCursor } from '../../core/cursor';
import type { Database } from '../../db/client';
import { KEPT_CALLS, KEPT_DAYS } from './call-service';
import type { KeyCallView } from './schema';
import { requireKeyId } from './view-service';

/** Applies the retention bounds too: expired rows may still wait for the next upkeep. */
const LIST = `
SELECT c.id::text AS id, created_at, request_id, method, route, status, duration_ms, error, address
  FROM api_key_calls c
 WHERE api_key_id = $1 AND created_at > now() - interval '${KEPT_DAYS} days'
   AND c.id > coalesce((SELECT o.id FROM api_key_calls o WHERE o.api_key_id = $1
                       ORDER BY o.id DESC OFFSET ${KEPT_CALLS} LIMIT 1), 0)
   AND c.id < $2::bigint AND (status >= 400 OR NOT $3)
 ORDER BY c.id DESC LIMIT $4`;

const AFTER_ALL = '9223372036854775807';

type CallRow = Omit<KeyCallView, 'created_at'> & { created_at: Date };

/**
 * Returns the last calls of a key, newest first, page by page.
 *
 * @param page `cursor`: the `next` of the previous page
 * @throws ServiceError `not_found` if no key has the id
 */
export async function listKeyCalls(
  db: Database,
  id: number,
  page: { cursor?: string; limit: number; errorsOnly: boolean },
): Promise<{ calls: KeyCallView[]; next: string | null }> {
  await requireKeyId(db, id);
  const { cursor, limit, errorsOnly } = page;
  const before = cursor === undefined ? AFTER_ALL : decodeIdCursor(cursor);
  const { rows } = await db.pool.query<CallRow>(LIST, [id, before, errorsOnly, limit + 1]);
  const calls = rows.slice(0, limit).map((call) => ({ ...call, created_at: call.created_at.toISOString() }));
  return { calls, next: rows.length > limit ? encodeIdCursor(calls.at(-1)!.id) : null };
}
