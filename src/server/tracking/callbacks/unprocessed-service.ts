import type { Actor } from '../../audit/service';
import { isServiceError } from '../../core/errors/errors';
import type { Log } from '../../core/log';
import type { Database } from '../../db/client';
import { isDatabaseUnavailable } from '../../db/unavailable';
import { MAX_REPLAYED_CALLBACKS } from './bounds';
import * as sql from './callbacks.queries';
import { replayRecords } from './replay-service';

const ACTOR: Actor = { kind: 'system', name: 'unprocessed callbacks' };

/** How many times the job tries to replay a callback. After that, only a user can. */
const MAX_REPLAYS = 3;
/** After this many callbacks whose tracking numbers are locked, a run ends: it waits for each. */
const MAX_BUSY = 3;

/**
 * Replays callbacks that are stored but were not processed, because the server was killed or an import had locked their tracking
 * numbers: at most {@link MAX_REPLAYED_CALLBACKS} that were received in the last two days, oldest first. Leaves those whose numbers
 * are still locked to the next run, and all others after {@link MAX_BUSY} of them or if the signal is aborted. A callback that
 * fails is left out after {@link MAX_REPLAYS} runs. Safe with several servers, because replays are idempotent.
 *
 * @returns how many callbacks were replayed, and how many failed
 */
export async function replayUnprocessedCallbacks(
  { db, log }: { db: Database; log: Log },
  signal?: AbortSignal,
): Promise<{ replayed: number; failed: number }> {
  const counts = { replayed: 0, failed: 0 };
  let busyCount = 0;
  const callbacks = await sql.findUnprocessedCallbacks.run(db.pool, {
    maxReplays: MAX_REPLAYS,
    limit: MAX_REPLAYED_CALLBACKS,
  });
  for (const { id } of callbacks) {
    if (signal?.aborted) break;
    try {
      // One by one, so that a callback that fails does not hold up others.
      await replayRecords(db, ACTOR, [id]);
      counts.replayed++;
    } catch (error) {
      if (isServiceError(error) && error.code === 'service_unavailable') {
        if (++busyCount === MAX_BUSY) break;
        continue;
      }
      if (isDatabaseUnavailable(error)) throw error;
      log.warn({ err: error, callback: id }, 'a stored callback could not be replayed');
      await sql.countFailedReplay.run(db.pool, { id });
      counts.failed++;
    }
  }
  return counts;
}
