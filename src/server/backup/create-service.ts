import { createHash, randomBytes } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { makeFolder } from '../core/make-folder';
import { giveFinalName } from '../core/new-file';
import * as sql from './backup.queries';
import { type BackupContents, BackupError, endLine, headerLine } from './format';
import { beginSnapshot } from './snapshot';
import { listStoredTables, type StoredTable } from './tables';

interface CreateOptions {
  databaseUrl: string;
  /** The version of Brickdesk, for the header. */
  version: string;
  /** Aborts the backup, which then leaves no file. */
  signal?: AbortSignal;
  /** Receives a line for the administrator when the backup has to wait. */
  onWait?: (line: string) => void;
  /** Receives the outermost of the folders that are created for the file. */
  onNewFolder?: (folder: string) => void;
}

/** A completed backup. */
export interface WrittenBackup extends BackupContents {
  file: string;
  bytes: number;
}

/**
 * Writes a backup of all tables as of one instant, while the service keeps running. Uses little memory, however large the tables
 * are. The file appears under its name only once it is complete and on disk.
 *
 * Does not include background jobs, which are created again, or the deployment's secret, which should be stored elsewhere.
 *
 * @throws BackupError if the file already exists or cannot be written
 */
export async function createBackup(file: string, options: CreateOptions): Promise<WrittenBackup> {
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: 'brickdesk-backup',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection makes the current query fail. Without a listener, it would also end the process.
  client.on('error', () => undefined);
  try {
    const createdFolder = await makeFolder(path.dirname(file));
    if (createdFolder !== undefined) options.onNewFolder?.(createdFolder);
    await requireNewName(file);
    await client.connect();
    await beginSnapshot(client, options);
    const contents = await readContents(client, options.version);
    await writeNewFile(file, Readable.from(generateScript(client, contents), { objectMode: false }), options);
    return { ...contents, file, bytes: (await stat(file)).size };
  } catch (error) {
    throw toBackupError(error, file);
  } finally {
    await client.end();
  }
}

/** Writes the compressed text to a new file, which gets its name once it is complete. Leaves nothing behind if that fails. */
async function writeNewFile(
  file: string,
  text: Readable,
  { signal }: Pick<CreateOptions, 'signal'>,
): Promise<void> {
  const partialFile = `${file}.${randomBytes(4).toString('hex')}.part`;
  // Opened here, because a stream that is destroyed while it opens its file leaves the file behind.
  const handle = await open(partialFile, 'wx', 0o600);
  try {
    await pipeline(text, createGzip(), handle.createWriteStream({ flush: true }), { signal });
    await giveFinalName(partialFile, file);
  } finally {
    // If this fails too, what failed before it is what the user has to know.
    await rm(partialFile, { force: true }).catch(() => undefined);
  }
}

/** @throws BackupError if there is a file or folder with this name */
async function requireNewName(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (stats?.isDirectory()) throw new BackupError(`${file} is a folder. Add the name of the new file.`);
  if (stats) throw new BackupError(`${file} already exists. Choose another file.`);
}

function toBackupError(error: unknown, file: string): unknown {
  const reasons: Record<string, string> = {
    EEXIST: 'it already exists',
    EACCES: 'this user has no permission to write there',
    EPERM: 'this user has no permission to write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk space of this user is used up',
    ENOENT: 'no file can be created there',
    ENOTDIR: 'part of its path is a file',
    ENAMETOOLONG: 'its name is too long',
  };
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // Connections through a socket fail with the same codes.
  if (syscall === 'connect') return error;
  // A folder cannot be created where there is a file.
  const reason = reasons[code === 'EEXIST' && syscall === 'mkdir' ? 'ENOTDIR' : code];
  return reason === undefined ? error : new BackupError(`${file} cannot be written: ${reason}.`);
}

async function readContents(client: pg.Client, version: string): Promise<BackupContents> {
  const [origin] = await sql.readOrigin.run(client);
  const appliedMigrations = await sql.listAppliedMigrations.run(client);
  return {
    version,
    postgres: origin!.postgres,
    created_at: origin!.created_at.toISOString(),
    migrations: appliedMigrations.map(({ name }) => name),
    rows: {},
  };
}

/** Yields the backup's text and counts the rows into `contents`. */
async function* generateScript(client: pg.Client, contents: BackupContents): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const { rows: rowCounts, ...header } = contents;
  const addToHash = (data: Buffer): Buffer => {
    hash.update(data);
    return data;
  };
  yield addToHash(Buffer.from(headerLine(header)));
  for (const table of await listStoredTables(client)) {
    for await (const data of generateBlock(client, table, rowCounts)) yield addToHash(data);
  }
  // After the tables, so that the id of a copied row is never issued again.
  for (const { name, value } of await sql.listSequences.run(client))
    yield addToHash(Buffer.from(`SELECT pg_catalog.setval('${name}', ${value}, true);\n`));
  yield Buffer.from(endLine(rowCounts, hash.digest('hex')));
}

async function* generateBlock(
  client: pg.Client,
  { name, columns }: StoredTable,
  rowCounts: Record<string, number>,
): AsyncGenerator<Buffer> {
  const columnList = columns.map((column) => `"${column}"`).join(', ');
  yield Buffer.from(`COPY "${name}" (${columnList}) FROM stdin;\n`);
  const copyStream = client.query(copyTo(`COPY "${name}" (${columnList}) TO STDOUT`));
  for await (const data of copyStream) yield data;
  rowCounts[name] = copyStream.rowCount;
  yield Buffer.from('\\.\n\n');
}
