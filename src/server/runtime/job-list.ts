import { type DailyBackups, takeDailyBackup } from '../backup/daily-service';
import type { Log } from '../core/log';
import type { Job } from '../jobs/job-queue';
import { composeMessages } from '../notifications/compose-service';
import { type DeliveryServices, sendDueMessages } from '../notifications/delivery-service';
import { indexOrders } from '../orders/indexing/search-service';
import { deleteMarkedShops } from '../shop-data/removal-service';
import { replayUnprocessedCallbacks } from '../tracking/callbacks/unprocessed-service';
import type { CarrierGate } from '../tracking/carriers/carrier-gate';
import { refreshShipments } from '../tracking/shipments/refresh-service';
import { deleteExpiredData, UPKEEP_INTERVAL_MS } from './upkeep';

interface JobServices extends DeliveryServices {
  now: () => number;
  carrier: CarrierGate;
}

interface JobSettings {
  recordDays: number;
  importHistoryDays: number;
  requestLogDays: number;
  refreshHours: number;
  refreshDays: number;
  /** Null if there are no daily backups. */
  backupSettings: (DailyBackups & { databaseUrl: string; version: string }) | null;
}

/**
 * Enough for a terabyte. The price is that a backup whose server was killed is only tried again after this time and the retry time,
 * or, if that is on the next day, as the next backup.
 */
const BACKUP_LIMIT_MINUTES = 12 * 60;

function backupJob(
  backupSettings: NonNullable<JobSettings['backupSettings']>,
  log: Log,
): Job & { name: JobName } {
  return {
    name: 'backup',
    intervalMinutes: 24 * 60,
    runLimitMinutes: BACKUP_LIMIT_MINUTES,
    // A full disk, or a folder on another machine, may be back in a few hours.
    retryMinutes: 60,
    run: async ({ signal }) => {
      const { databaseUrl, version } = backupSettings;
      const { file, bytes } = await takeDailyBackup(backupSettings, {
        databaseUrl,
        version,
        signal,
        now: new Date(),
        log,
      });
      log.info({ file, bytes }, 'backup written');
    },
  };
}

/** Returns the job that writes and sends notifications. It runs every five minutes, so summaries may be that late. */
function notifyJob(services: JobServices): Job & { name: JobName } {
  return {
    name: 'notify',
    intervalMinutes: 5,
    run: async ({ signal }) => {
      const { db, log, sender, now } = services;
      try {
        await composeMessages({ db, now: now(), signal }, sender.hasEmail);
      } finally {
        const counts = await sendDueMessages(services, signal);
        if (counts.sent + counts.failed > 0) log.info(counts, 'notifications sent');
      }
    },
  };
}

/** The names of the background jobs; the page about the system describes each. */
export type JobName =
  | 'refresh-shipments'
  | 'replay-callbacks'
  | 'upkeep'
  | 'index-orders'
  | 'delete-shops'
  | 'notify'
  | 'backup';

/** Returns the background jobs of the service and how often they run. */
export function jobsOf(services: JobServices, settings: JobSettings): (Job & { name: JobName })[] {
  const { db, log, carrier } = services;
  return [
    {
      name: 'refresh-shipments',
      intervalMinutes: settings.refreshHours * 60,
      run: async ({ since, signal }) => {
        const options = { queriedBefore: since, days: settings.refreshDays, signal };
        const refreshResult = await refreshShipments(db, carrier, options);
        if (refreshResult.queried > 0) log.info(refreshResult, 'shipments refreshed');
      },
    },
    {
      name: 'replay-callbacks',
      intervalMinutes: 5,
      run: async ({ signal }) => {
        const counts = await replayUnprocessedCallbacks(services, signal);
        if (counts.replayed + counts.failed > 0) log.info(counts, 'unprocessed callbacks replayed');
      },
    },
    {
      name: 'upkeep',
      intervalMinutes: UPKEEP_INTERVAL_MS / 60_000,
      run: async ({ signal }) => {
        const deletedCount = await deleteExpiredData(services, { ...settings, signal });
        if (deletedCount > 0) log.info({ deleted: deletedCount }, 'expired records deleted');
      },
    },
    {
      // Orders are indexed shortly after each import; this job indexes those that a crash prevented from being indexed.
      name: 'index-orders',
      intervalMinutes: 60,
      run: async () => {
        await indexOrders(db, log);
      },
    },
    {
      name: 'delete-shops',
      intervalMinutes: 5,
      run: async ({ signal }) => {
        await deleteMarkedShops(services, signal);
      },
    },
    notifyJob(services),
    ...(settings.backupSettings ? [backupJob(settings.backupSettings, log)] : []),
  ];
}
