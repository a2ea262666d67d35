import { type DailyBackups, takeDailyBackup } from '../backup/daily-service';
import type { Log } from '../core/log';
import type { Database } from '../db/client';
import type { Job } from '../jobs/job-queue';
import { indexOrders } from '../orders/list/search-service';
import type { CarrierGate } from '../tracking/carriers/carrier-gate';
import { refreshShipments } from '../tracking/shipments/refresh-service';
import { deleteExpired, UPKEEP_INTERVAL_MS } from './upkeep';

interface JobServices {
  db: Database;
  log: Log;
  carrier: CarrierGate;
}

interface JobSettings {
  recordDays: number;
  refreshHours: number;
  refreshDays: number;
  /** Null if no daily backups are made. */
  backups: (DailyBackups & { databaseUrl: string; version: string }) | null;
}

function backupJob(backups: NonNullable<JobSettings['backups']>, log: Log): Job {
  return {
    name: 'backup',
    everyMinutes: 24 * 60,
    run: async ({ signal }) => {
      const { databaseUrl, version } = backups;
      const { file, bytes } = await takeDailyBackup(backups, {
        databaseUrl,
        version,
        signal,
        now: new Date(),
      });
      log.info({ file, bytes }, 'backup written');
    },
  };
}

/** The background jobs of the service, and how often they run. */
export function jobsOf({ db, log, carrier }: JobServices, settings: JobSettings): Job[] {
  return [
    {
      name: 'refresh-parcels',
      everyMinutes: settings.refreshHours * 60,
      run: async ({ since, signal }) => {
        const limits = { queriedBefore: since, days: settings.refreshDays, signal };
        const refreshed = await refreshShipments(db, carrier, limits);
        if (refreshed.queried > 0) log.info(refreshed, 'parcels refreshed');
      },
    },
    {
      name: 'upkeep',
      everyMinutes: UPKEEP_INTERVAL_MS / 60_000,
      run: async () => {
        const deleted = await deleteExpired({ db }, { recordDays: settings.recordDays });
        if (deleted > 0) log.info({ deleted }, 'expired records deleted');
      },
    },
    {
      // Imports index their orders a moment later; this job finds what a crash left undone.
      name: 'index-orders',
      everyMinutes: 60,
      run: async () => {
        await indexOrders(db);
      },
    },
    ...(settings.backups ? [backupJob(settings.backups, log)] : []),
  ];
}
