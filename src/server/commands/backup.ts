import path from 'node:path';
import type { Command } from 'commander';
import { createBackup } from '../backup/create-service';
import { manualBackupName } from '../backup/daily-service';
import { type BackupContents, BackupError } from '../backup/format';
import { verifyBackup } from '../backup/read-file';
import { restoreBackup } from '../backup/restore-service';
import { backupFolderOf } from '../runtime/backup-folder';
import { PRISMA_DIR, VERSION } from '../runtime/project';
import { REFERENCE_TABLES, seedReferenceData } from '../runtime/reference-data';
import { withDatabase } from './open';
import { addCommand, addJsonCommand } from './options';
import { CommandError, printable, printNotice, printResult, shortTime } from './output';

interface Options {
  json?: boolean;
}

const SECRET_HINT =
  'It does not contain the secret that encrypts two-factor codes and signing keys (NEXTAUTH_SECRET, or the file "nextauth-secret" in the data folder): keep that too.';

/** A new database has nothing to back up, and a backup that is cut off would leave a partial file with customers' data. */
const CREATE_USE = { mustExist: true, endsOnSignal: true } as const;

/** Returns lines that describe a backup: its origin, and how many rows it has in how many tables. */
function summaryLines({ created_at, version, rows }: BackupContents): string[] {
  const filledTables = Object.entries(rows).filter(([, count]) => count > 0);
  const rowCount = filledTables.reduce((sum, [, count]) => sum + count, 0);
  return [
    `  created ${shortTime(new Date(created_at))} by Brickdesk ${printable(version)}`,
    `  ${rowCount} rows in ${filledTables.length} tables`,
  ];
}

async function withCommandErrors<T>(workPromise: Promise<T>): Promise<T> {
  try {
    return await workPromise;
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    throw error;
  }
}

async function createBackupFile(file: string | undefined, options: Options): Promise<void> {
  const backup = await withDatabase(async ({ url, config, signal }) => {
    const name = manualBackupName(new Date());
    const targetFile = path.resolve(file ?? path.join(backupFolderOf(config) ?? '.', name));
    const createOptions = {
      databaseUrl: url,
      version: VERSION,
      signal,
      onWait: printNotice,
      // The name that was given may be mistyped.
      onNewFolder: (folder: string) =>
        file !== undefined && printNotice(`Created the folder ${printable(folder)}.`),
    };
    try {
      return await withCommandErrors(createBackup(targetFile, createOptions));
    } catch (error) {
      if (signal.aborted) printNotice('Interrupted. No backup was written.');
      throw error;
    }
  }, CREATE_USE);
  const lines = [`Wrote ${printable(backup.file)}.`, ...summaryLines(backup), SECRET_HINT];
  await printResult(options, backup, lines.join('\n'));
}

async function restoreBackupFile(file: string, options: Options): Promise<void> {
  const contents = await withDatabase(({ url }) =>
    withCommandErrors(
      restoreBackup(path.resolve(file), {
        databaseUrl: url,
        prismaDir: PRISMA_DIR,
        referenceTables: REFERENCE_TABLES,
        afterMigration: (client) => seedReferenceData(client, PRISMA_DIR),
      }),
    ),
  );
  const lines = [
    `Restored ${printable(file)}.`,
    ...summaryLines(contents),
    'Start the service with the secret of the old deployment (NEXTAUTH_SECRET, or its file "nextauth-secret" in the data folder).',
  ];
  await printResult(options, contents, lines.join('\n'));
}

async function verifyBackupFile(file: string, options: Options): Promise<void> {
  const contents = await withCommandErrors(verifyBackup(path.resolve(file)));
  await printResult(
    options,
    contents,
    [`${printable(file)} is complete and unchanged.`, ...summaryLines(contents)].join('\n'),
  );
}

/** `backup`: writes, checks and restores backups of the whole database. */
export function addBackupCommands(program: Command): void {
  const group = addCommand(
    program,
    'backup',
    'write, check and restore backups of the database',
    'backup create',
  );
  addJsonCommand(
    group,
    'create [file]',
    'write a backup of everything, whether or not the service is running',
    'backup create before-upgrade.sql.gz',
  ).action(createBackupFile);
  addJsonCommand(
    group,
    'restore <file>',
    'fill an empty database with a backup',
    'backup restore before-upgrade.sql.gz',
  ).action(restoreBackupFile);
  addJsonCommand(
    group,
    'verify <file>',
    'check that a backup is complete and unchanged',
    'backup verify before-upgrade.sql.gz',
  ).action(verifyBackupFile);
}
