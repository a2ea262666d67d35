import type { Log } from '../core/log';
import type { Database } from '../db/client';
import { deleteExpiredResponses } from '../gateway/idempotency-service';
import { deleteExpiredCounts } from '../gateway/rate-limit-service';
import { deleteOldTokenDays } from '../gateway/token-budget-service';
import { deleteOldCalls } from '../identity/keys/call-service';
import { deleteExpiredOAuthRecords } from '../identity/oauth/record-service';
import { deleteExpiredAttempts } from '../identity/sessions/attempt-service';
import { deleteOldSessions } from '../identity/sessions/session-service';
import { deleteExpiredRecords } from '../inbound/service';
import { deleteOldNotifications } from '../notifications/delivery-service';
import { deleteOldDrafts } from '../orders/drafts/service';
import { deleteOldRowHistory } from '../orders/undo/retention-service';

/** How often a background job deletes expired data. */
export const UPKEEP_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Deletes data past its retention time. A background job calls it every hour. Safe with several servers: each deletes what the
 * others have left.
 *
 * @returns the number of callbacks and debug records deleted; other data is not counted
 */
export async function deleteExpiredData(
  { db, log }: { db: Database; log: Log },
  options: { recordDays: number; importHistoryDays: number; requestLogDays: number; signal?: AbortSignal },
): Promise<number> {
  const [deletedRecordCount] = await Promise.all([
    deleteExpiredRecords(db, options.recordDays),
    deleteExpiredResponses(db),
    deleteExpiredCounts(db.pool),
    deleteOldTokenDays(db),
    deleteExpiredOAuthRecords(db),
    deleteOldCalls(db, options.requestLogDays, options.signal),
    deleteOldSessions(db),
    deleteExpiredAttempts(db),
    deleteOldDrafts({ db }),
    deleteOldNotifications(db),
    deleteOldRowHistory({ db, log }, options.importHistoryDays, options.signal),
  ]);
  return deletedRecordCount;
}
