import path from 'node:path';
import type { Config } from '../config/config';
import { resolveDataDir } from '../db/embedded';

/**
 * Returns the folder of the daily backups: BACKUP_DIR, otherwise `backups` in the data folder. Null for an external database
 * without BACKUP_DIR, which its administrator backs up.
 */
export function backupFolderOf(
  config: Pick<Config, 'BACKUP_DIR' | 'DATABASE_URL' | 'DATA_DIR'>,
): string | null {
  if (config.BACKUP_DIR !== undefined) return path.resolve(config.BACKUP_DIR);
  if (config.DATABASE_URL !== undefined) return null;
  return path.join(resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() }).dir, 'backups');
}
