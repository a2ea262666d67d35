import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../core/log';
import { makeFolder } from '../core/make-folder';
import { createBackup, type WrittenBackup } from './create-service';

/** The folder of the daily backups, and how many to keep. */
export interface DailyBackups {
  folder: string;
  keep: number;
}

/** A backup in that folder as shown in the settings. */
export interface StoredBackup {
  name: string;
  bytes: number;
  createdAt: Date;
}

const BACKUP_NAME = /^brickdesk-\d{8}T\d{6}Z(?:-manual)?\.sql\.gz$/;
/** Until 0.28.0, backups by hand had such names too. */
const DAILY_NAME = /^brickdesk-\d{8}T\d{6}Z\.sql\.gz$/;
const PARTIAL_NAME = /^brickdesk-\d{8}T\d{6}Z(?:-manual)?\.sql\.gz\.[0-9a-f]{8}\.part$/;
/** The age at which a partial file is deleted, because its backup must have been interrupted: no backup takes that long. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

const nameBeginning = (instant: Date): string =>
  `brickdesk-${instant.toISOString().replace(/[-:]|\.\d+/g, '')}`;

/** Returns the name of a daily backup created at an instant, such as `brickdesk-20261122T030000Z.sql.gz`. */
const dailyBackupName = (instant: Date): string => `${nameBeginning(instant)}.sql.gz`;

/** Returns the name of a backup created by hand, such as `brickdesk-20261122T030000Z-manual.sql.gz`. The daily job never deletes it. */
export const manualBackupName = (instant: Date): string => `${nameBeginning(instant)}-manual.sql.gz`;

/**
 * Sorts the names of backups, newest first. Those of the future come last: they were written while a clock was ahead, so they are
 * older than backups that have been written since.
 */
function sortNewestFirst(names: readonly string[], now: Date): string[] {
  const isFuture = (name: string) => name.slice(0, nameBeginning(now).length) > nameBeginning(now);
  const sortedNames = names.toSorted().reverse();
  return [...sortedNames.filter((name) => !isFuture(name)), ...sortedNames.filter(isFuture)];
}

/** Returns the daily and manual backups in a folder, newest first; none if the folder does not exist. */
export async function listBackups(folder: string, now = new Date()): Promise<StoredBackup[]> {
  const names = (await listFiles(folder)).filter((name) => BACKUP_NAME.test(name));
  const backups = await Promise.all(
    sortNewestFirst(names, now).map((name) => readStoredBackup(folder, name)),
  );
  return backups.filter((backup) => backup !== null);
}

async function readStoredBackup(folder: string, name: string): Promise<StoredBackup | null> {
  try {
    const { size, mtime } = await stat(path.join(folder, name));
    return { name, bytes: size, createdAt: mtime };
  } catch {
    // Most likely, the file has been deleted since the folder was read.
    return null;
  }
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Writes a backup into the folder. Once it is complete, deletes all daily backups except the newest `keep`, and partial files that
 * are older than a day. The new backup and files with other names stay, such as backups by hand. A file that cannot be deleted is
 * only logged: if it made the backup fail, each new attempt would write one more.
 *
 * @throws BackupError if it cannot be written
 */
export async function takeDailyBackup(
  { folder, keep }: DailyBackups,
  { now, log, ...options }: Parameters<typeof createBackup>[1] & { now: Date; log: Pick<Log, 'warn'> },
): Promise<WrittenBackup> {
  await makeFolder(folder, 0o700);
  const newName = dailyBackupName(now);
  const backup = await createBackup(path.join(folder, newName), options);
  const logFailure = (file: string) => (error: unknown) =>
    log.warn({ file, err: error }, 'old backup cannot be deleted');
  const names = await listFiles(folder).catch((error: unknown) => {
    logFailure(folder)(error);
    return [];
  });
  const olderNames = names.filter((name) => DAILY_NAME.test(name) && name !== newName);
  const expiredNames = sortNewestFirst(olderNames, now).slice(Math.max(keep - 1, 0));
  for (const name of names.filter((file) => PARTIAL_NAME.test(file))) {
    const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({
      mtimeMs: Number.POSITIVE_INFINITY,
    }));
    if (now.getTime() - mtimeMs > ABANDONED_AFTER_MS) expiredNames.push(name);
  }
  for (const file of expiredNames.map((name) => path.join(folder, name)))
    await rm(file, { force: true }).catch(logFailure(file));
  return backup;
}
