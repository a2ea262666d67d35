import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { listShippedMigrations, migrate, readMigrationStatus } from '../db/migration/migrate';
import { setSequence } from './backup.queries';
import { type BackupContents, BackupError } from './format';
import { readBackupFile, verifyBackup } from './read-file';
import { listStoredTables } from './tables';

interface RestoreOptions {
  databaseUrl: string;
  prismaDir: string;
  /** Tables that have rows even in a new, unused database: Brickdesk's own reference data. */
  referenceTables: readonly string[];
  /** The startup step after the migrations, which writes missing reference data. */
  afterMigration: (client: pg.Client) => Promise<void>;
}

/**
 * Fills an empty database from a backup. The backup may come from any version of PostgreSQL, and from this or an older version
 * of Brickdesk, whose tables are then migrated. The whole file is verified first, and all rows are stored in one transaction, so
 * a failure before the tables are migrated leaves the database without rows of the backup.
 *
 * @throws BackupError if the file is damaged or not a backup, or was written by a newer version; or if the database is not empty,
 * or has more migrations than the backup
 */
export async function restoreBackup(file: string, options: RestoreOptions): Promise<BackupContents> {
  const contents = await verifyBackup(file);
  const shippedNames = await listShippedMigrations(options.prismaDir);
  const unknownMigration = contents.migrations.find((name) => !shippedNames.includes(name));
  if (unknownMigration !== undefined)
    throw new BackupError(
      `The backup was written by Brickdesk ${contents.version}, which has a migration that this version does not know (${unknownMigration}). Restore it with that version or a newer one.`,
    );
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: 'brickdesk-restore',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection makes the current query fail. Without a listener, it would also end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireEmpty(client, shippedNames, contents, options.referenceTables);
    await migrate(options.databaseUrl, options.prismaDir, undefined, { onlyNames: contents.migrations });
    await client.query('BEGIN');
    await fillTables(client, file, options.referenceTables);
    await client.query('COMMIT');
    await migrate(options.databaseUrl, options.prismaDir, options.afterMigration);
    await client.query('ANALYZE');
    return contents;
  } finally {
    await client.end();
  }
}

/**
 * @throws BackupError unless the database has no migrations yet, or has been migrated no further than the backup and contains only
 * reference data
 */
async function requireEmpty(
  client: pg.Client,
  shippedNames: string[],
  { migrations }: BackupContents,
  referenceTables: readonly string[],
): Promise<void> {
  const { applied: appliedNames } = await readMigrationStatus(client, shippedNames);
  if (appliedNames.length > migrations.length)
    throw new BackupError(
      'The database was created by a newer version than the backup. Restore into an empty database, without tables.',
    );
  if (appliedNames.length === 0) return;
  for (const { name } of await listStoredTables(client)) {
    if (referenceTables.includes(name)) continue;
    const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
    if (rowCount !== 0)
      throw new BackupError(
        `The database is not empty: its table ${name} has rows. Restore into an empty database, or set DATA_DIR to an empty folder.`,
      );
  }
}

async function fillTables(
  client: pg.Client,
  file: string,
  referenceTables: readonly string[],
): Promise<void> {
  const tableByName = new Map((await listStoredTables(client)).map((table) => [table.name, table]));
  await client.query(`TRUNCATE ${referenceTables.map((name) => `"${name}"`).join(', ')} CASCADE`);
  let copyStream: ReturnType<typeof copyFrom> | undefined;
  try {
    for await (const part of readBackupFile(file)) {
      if (part.kind === 'table') {
        const columns = tableByName.get(part.table)?.columns ?? [];
        if (part.columns.some((column) => !columns.includes(column)))
          throw new BackupError(`The backup has columns of ${part.table} that its migrations do not create.`);
        const columnList = part.columns.map((column) => `"${column}"`).join(', ');
        copyStream = client.query(copyFrom(`COPY "${part.table}" (${columnList}) FROM STDIN`));
        // An error is thrown later, by the code below; until then it must not end the process.
        copyStream.on('error', () => undefined);
      } else if (part.kind === 'rows' && copyStream) {
        if (copyStream.errored) throw copyStream.errored;
        if (!copyStream.write(part.data)) await once(copyStream, 'drain');
      } else if (part.kind === 'table-end' && copyStream) {
        copyStream.end();
        await finished(copyStream);
        copyStream = undefined;
      } else if (part.kind === 'sequence') {
        await setSequence.run(client, { name: `public.${part.name}`, value: part.value });
      }
    }
  } finally {
    copyStream?.destroy();
  }
}
