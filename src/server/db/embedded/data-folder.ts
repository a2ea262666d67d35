/**
 * Where the embedded database lives.
 * If root starts the service, PostgreSQL runs as another user (system-user.ts), who must be able to traverse every parent of the
 * data folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { access, constants, realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { codeOf, EmbeddedDatabaseError, folderError } from './errors';
import { allowTraversal, findFolderBlockingDataDir, makeFolderWithMode } from './folder-permissions';
import { createPostgresUser, resolveDatabaseUser, type SystemUser } from './system-user';

const FALLBACK_DATA_ROOT = '/var/lib/brickdesk';

/** The paths in a data folder, and who runs PostgreSQL there. */
export interface DataFolder {
  /** The data folder, with symbolic links resolved. */
  dir: string;
  cluster: string;
  logFile: string;
  passwordFile: string;
  /** The password of the superuser, used only to create the database. */
  superuserPasswordFile: string;
  /** The user that the binaries run as when root starts them; null when they run as the current user. */
  user: SystemUser | null;
}

const clusterIn = (dir: string): string => join(dir, 'postgres');

/** Returns whether a data folder has a database. */
export const hasDatabase = (dir: string): boolean => existsSync(clusterIn(dir));

/**
 * Returns the data folder of this installation: the configured one, otherwise `.data` in the working directory. If root runs
 * this and PostgreSQL's user cannot reach `.data`, returns a folder under /var/lib/brickdesk instead, with `isFallback` set: always
 * the same folder for one working directory. Once that folder holds the database, it is also returned if `.data` can be reached.
 * Creates nothing.
 *
 * @throws EmbeddedDatabaseError if PostgreSQL's user cannot reach the configured folder, or a `.data` that already contains a
 * database; if anyone other than root runs this and root's folder holds the database; or if both folders hold one
 */
export function resolveDataDir(options: { dataDir: string | undefined; cwd: string }): {
  dir: string;
  isFallback: boolean;
} {
  const cwd = resolve(options.cwd);
  const dir = resolve(cwd, options.dataDir || '.data');
  const user = resolveDatabaseUser(clusterIn(dir));
  const fallbackDir = options.dataDir ? null : fallbackDirOf(cwd);
  const hasFallbackDatabase = fallbackDir !== null && hasDatabase(fallbackDir);
  if (hasFallbackDatabase && hasDatabase(dir)) throw twoDatabasesError(dir, fallbackDir);
  if (!user) {
    if (hasFallbackDatabase) throw rootDatabaseError(dir, fallbackDir);
    return { dir, isFallback: false };
  }
  const blocker = findFolderBlockingDataDir(dir, user);
  if (fallbackDir === null || hasDatabase(dir)) {
    if (blocker) throw unreachableError(dir, blocker);
    return { dir, isFallback: false };
  }
  return blocker || hasFallbackDatabase ? { dir: fallbackDir, isFallback: true } : { dir, isFallback: false };
}

/** Returns the folder that root uses for a working directory whose `.data` PostgreSQL's user cannot reach. */
function fallbackDirOf(cwd: string): string {
  const hash = createHash('sha256').update(cwd).digest('hex').slice(0, 8);
  return join(FALLBACK_DATA_ROOT, `${basename(cwd) || 'root'}-${hash}`);
}

/**
 * Returns the paths in an existing data folder, or null if there is none. Changes nothing.
 *
 * @throws EmbeddedDatabaseError if the folder cannot be read, or no user can run PostgreSQL
 */
export function findDataFolder(dataDir: string): DataFolder | null {
  try {
    return pathsIn(realpathSync(dataDir));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw folderError(error, dataDir);
  }
}

/**
 * Creates the data folder if needed, lets PostgreSQL's user traverse it, and returns the paths in it. If root runs this, creates
 * that user if needed.
 *
 * @param announce receives a line before the user is created, and one if that fails
 * @throws EmbeddedDatabaseError if it cannot be created or written, if that user cannot reach it, or if another user owns its
 * cluster
 */
export async function prepareDataFolder(
  dataDir: string,
  announce: (line: string) => void,
): Promise<DataFolder> {
  const dir = resolve(dataDir);
  const user = resolveDatabaseUser(join(dir, 'postgres'), () => createPostgresUser(announce));
  try {
    const blocker = user && findFolderBlockingDataDir(dir, user);
    if (blocker) throw unreachableError(dir, blocker);
    await makeFolderWithMode(dir, user ? 0o711 : 0o700);
    const dataFolder = pathsIn(await realpath(dir));
    if (dataFolder.user) await allowTraversal(dataFolder.dir, dataFolder.user);
    else {
      await access(dataFolder.dir, constants.W_OK | constants.X_OK);
      refuseForeignCluster(dataFolder.cluster);
    }
    return dataFolder;
  } catch (error) {
    throw folderError(error, dir);
  }
}

function pathsIn(dir: string): DataFolder {
  const cluster = clusterIn(dir);
  return {
    dir,
    cluster,
    logFile: join(dir, 'postgres.log'),
    passwordFile: join(dir, 'database-password'),
    superuserPasswordFile: join(dir, 'database-superuser-password'),
    user: resolveDatabaseUser(cluster),
  };
}

function refuseForeignCluster(cluster: string): void {
  const ownerUid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (ownerUid === undefined || process.getuid === undefined || ownerUid === process.getuid()) return;
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} belongs to another user (uid ${ownerUid}): start as that user or as root, or choose another DATA_DIR.`,
  );
}

function unreachableError(dir: string, blocker: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The data folder ${dir} cannot be reached by the user that PostgreSQL runs as, because ${blocker} does not let it in: run "chmod o+x ${blocker}" or choose another DATA_DIR, e.g. DATA_DIR=${FALLBACK_DATA_ROOT}.`,
  );
}

function rootDatabaseError(dir: string, fallbackDir: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `There is no database in ${dir}: root started the service here, and its database is in ${fallbackDir}. Run this as root or, for a new database, set DATA_DIR=${dir}.`,
  );
}

function twoDatabasesError(dir: string, fallbackDir: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `There are two databases, in ${dir} and in ${fallbackDir}, where root put it: set DATA_DIR to the one to use, or move the other away.`,
  );
}
