import { decodeIdCursor, encodeIdCursor } from '../../core/lists/cursor';
import type { Database } from '../../db/client';
import { MAX_CALLS_PER_KEY } from './call-service';
import * as sql from './calls.queries';
import type { KeyCallView } from './schema';
import { requireKeyId } from './view-service';

const MAX_ID = '9223372036854775807';

/**
 * Returns a page of a key's calls, newest first.
 *
 * @param page `cursor`: the `next` of the previous page; `days`: calls older than this many days are left out
 * @throws ServiceError `not_found` if no key has the id; `validation_failed` if the cursor is invalid
 */
export async function listKeyCalls(
  db: Database,
  id: number,
  page: { cursor?: string; limit: number; errorsOnly: boolean; days: number },
): Promise<{ calls: KeyCallView[]; next: string | null; days: number }> {
  await requireKeyId(db, id);
  const { cursor, limit, errorsOnly, days } = page;
  const beforeId = cursor === undefined ? MAX_ID : decodeIdCursor(cursor);
  const rows = await sql.listCalls.run(db.pool, {
    keyId: id,
    beforeId,
    errorsOnly,
    days,
    maxCalls: MAX_CALLS_PER_KEY,
    limit: limit + 1,
  });
  const calls = rows.slice(0, limit).map((call) => ({
    ...call,
    created_at: call.created_at.toISOString(),
    error: call.error as KeyCallView['error'],
  }));
  return { calls, next: rows.length > limit ? encodeIdCursor(calls.at(-1)!.id) : null, days };
}
