import type { Database } from '../../db/client';
import type { MaskedError } from '../../gateway/masked-error';
import { KEPT_CALLS, KEPT_DAYS } from './call-service';
import { readApiKey } from './view-service';

/** A call as the request log shows it. */
export interface KeyCallView {
  id: string;
  createdAt: Date;
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  error: MaskedError | null;
  address: string | null;
}

/** The bounds hold here too, as what is past them may wait for the next upkeep. */
const LIST = `
SELECT c.id::text AS id, created_at AS "createdAt", request_id AS "requestId", method, route, status,
       duration_ms AS "durationMs", error, address
  FROM api_key_calls c
 WHERE api_key_id = $1 AND created_at > now() - interval '${KEPT_DAYS} days'
   AND c.id > coalesce((SELECT o.id FROM api_key_calls o WHERE o.api_key_id = $1
                       ORDER BY o.id DESC OFFSET ${KEPT_CALLS} LIMIT 1), 0)
   AND c.id < $2::bigint AND (status >= 400 OR NOT $3)
 ORDER BY c.id DESC LIMIT $4`;

const AFTER_ALL = '9223372036854775807';

/**
 * The last calls of a key, newest first, page by page.
 *
 * @param asked `before`: the `next` of the page before
 * @throws ServiceError `not_found` where no key has the id
 */
export async function listKeyCalls(
  db: Database,
  id: number,
  asked: { before?: string; limit: number; errorsOnly: boolean },
): Promise<{ calls: KeyCallView[]; next: string | null }> {
  await readApiKey(db, id);
  const { before = AFTER_ALL, limit, errorsOnly } = asked;
  const { rows } = await db.pool.query<KeyCallView>(LIST, [id, before, errorsOnly, limit + 1]);
  const calls = rows.slice(0, limit);
  return { calls, next: rows.length > limit ? calls.at(-1)!.id : null };
}
