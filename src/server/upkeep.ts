import type { Log } from './core/log';
import type { Database } from './db/client';
import { deleteExpiredRecords } from './debug/inbound-service';
import { deleteExpiredAnswers } from './identity/idempotency-service';
import { deleteOldCalls } from './identity/key-call-service';
import { deleteExpiredOAuthRecords } from './identity/oauth-record-service';
import { deleteExpiredCounts } from './identity/rate-limit-service';

const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Deletes what is past its retention, now and every hour. Safe with several servers: each deletes what the others have not.
 *
 * @returns stops it
 */
export function startUpkeep(
  services: { db: Database; log: Log },
  options: { recordDays: number },
): () => void {
  const run = () => {
    Promise.all([
      deleteExpiredRecords(services.db, options.recordDays),
      deleteExpiredAnswers(services.db),
      deleteExpiredCounts(services.db.pool),
      deleteExpiredOAuthRecords(services.db),
      deleteOldCalls(services.db),
    ])
      .then(([deleted]) => deleted > 0 && services.log.info({ deleted }, 'expired records deleted'))
      .catch((error: unknown) => services.log.warn({ err: error }, 'expired records could not be deleted'));
  };
  const timer = setInterval(run, INTERVAL_MS);
  timer.unref();
  run();
  return () => clearInterval(timer);
}
