/**
 * Where the embedded database lives and which system user it runs as.
 * PostgreSQL refuses to run as root. If root starts the service, PostgreSQL therefore runs as another user, who must be able to
 * traverse every parent of the data folder.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { access, chmod, chown, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

const FALLBACK_DATA_ROOT = '/var/lib/brickdesk';

/** The embedded database cannot run. The message is one line for the administrator. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
  /** The end of the output of initdb, pg_ctl or the server's log, or the system's error message; may be empty. */
  readonly detail: string;

  constructor(message: string, options: { detail?: string; cause?: unknown } = {}) {
    super(message.replace(/\s*[\r\n]+\s*/g, ' '), { cause: options.cause });
    this.detail = options.detail ?? '';
  }
}

/** The user that runs PostgreSQL's binaries. */
export interface SystemUser {
  uid: number;
  gid: number;
}

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
    await makeFolder(dir, user ? 0o711 : 0o700);
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

/** Returns the outermost folder on the way to `path` that this user may not traverse, or null. */
export function findBlockingFolder(path: string, user: SystemUser): string | null {
  let folder = realpathSync(nearestExistingPath(path));
  if (!statSync(folder).isDirectory()) folder = dirname(folder);
  let blocker: string | null = null;
  for (let currentFolder = folder; ; currentFolder = dirname(currentFolder)) {
    const canTraverse =
      isPermitted(statSync(currentFolder), user, 1) || isPermittedBySystem(currentFolder, user);
    if (!canTraverse) blocker = currentFolder;
    if (currentFolder === dirname(currentFolder)) return blocker;
  }
}

function nearestExistingPath(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

/** Returns whether the mode bits grant this user all of `mode` (4 read, 2 write, 1 execute or traverse). */
export function isPermitted(stats: Stats, user: SystemUser, mode: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & mode) === mode;
}

/** Returns an error that describes a failed file operation in `folder` in one line that the administrator can act on. */
export function folderError(error: unknown, folder: string): EmbeddedDatabaseError {
  if (error instanceof EmbeddedDatabaseError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const messageByCode: Record<string, string> = {
    EACCES: `The data folder ${folder} cannot be read or written by this user: make them its owner (chown) or choose another DATA_DIR.`,
    EROFS: `The data folder ${folder} is on a read-only file system: choose another DATA_DIR.`,
    ENOSPC: `The disk of the data folder ${folder} is full: make room or choose another DATA_DIR.`,
    ENOTDIR: `There is a file in place of the data folder ${folder} or of one of its parents: remove it or choose another DATA_DIR.`,
    ENAMETOOLONG: `The name of the data folder ${folder} is too long: choose another DATA_DIR.`,
  };
  const equivalentCodes: Record<string, string> = { EPERM: 'EACCES', EDQUOT: 'ENOSPC', EEXIST: 'ENOTDIR' };
  const code = codeOf(error);
  const message =
    messageByCode[equivalentCodes[code] ?? code] ?? `The data folder ${folder} cannot be used: ${reason}.`;
  return new EmbeddedDatabaseError(message, { cause: error, detail: reason });
}

/** Returns the code of an error (`ENOENT`, a SQLSTATE), or the empty string. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
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

/**
 * Returns the cluster's owner. Without a cluster, or if root owns it, returns the user `postgres`, otherwise what `createUser`
 * returns, or else `nobody`. Returns null unless root runs this.
 *
 * @throws EmbeddedDatabaseError if there is no such user
 */
function resolveDatabaseUser(
  cluster: string,
  createUser: () => SystemUser | null = () => null,
): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const clusterStats = existsSync(cluster) ? statSync(cluster) : null;
  if (clusterStats && clusterStats.uid !== 0) return { uid: clusterStats.uid, gid: clusterStats.gid };
  const user = lookUpUser('postgres') ?? createUser() ?? lookUpUser('nobody');
  if (user) return user;
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody": create one (useradd --system postgres) or start as an ordinary user.',
  );
}

function lookUpUser(name: string): SystemUser | null {
  const idResults = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  const [uid, gid] = idResults.map((result) =>
    result.status === 0 ? Number.parseInt(result.stdout, 10) : 0,
  );
  return uid && gid ? { uid, gid } : null;
}

/** Creates the system user `postgres`, after announcing it. Returns null, and announces that too, if that fails. */
function createPostgresUser(announce: (line: string) => void): SystemUser | null {
  announce(
    'PostgreSQL refuses to run as root, so a system user "postgres" is created for it, without a password or a login shell.',
  );
  const noLoginArgs = ['--no-create-home', '--shell', '/usr/sbin/nologin'];
  const commands: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', ...noLoginArgs, 'postgres']],
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', 'postgres']],
  ];
  const isCreated = commands.some(([program, args]) => spawnSync(program, args).status === 0);
  const user = isCreated ? lookUpUser('postgres') : null;
  if (!user) announce('The system user "postgres" could not be created; trying "nobody" instead.');
  return user;
}

/** Like `findBlockingFolder`, but ignores a data folder owned by root: `allowTraversal` opens it. */
function findFolderBlockingDataDir(dir: string, user: SystemUser): string | null {
  const blocker = findBlockingFolder(dir, user);
  const isRootOwnedDataDir =
    blocker && existsSync(dir) && blocker === realpathSync(dir) && statSync(dir).uid === 0;
  return isRootOwnedDataDir ? null : blocker;
}

/** Returns whether the system lets the user traverse the folder: an access control list may allow it where mode bits do not. */
function isPermittedBySystem(folder: string, user: SystemUser): boolean {
  return spawnSync('test', ['-x', folder], { uid: user.uid, gid: user.gid }).status === 0;
}

/** Lets the user traverse root's data folder: through its group if that has no rights yet, otherwise by opening it to all. */
async function allowTraversal(dir: string, user: SystemUser): Promise<void> {
  const stats = await stat(dir);
  if (isPermitted(stats, user, 1)) return;
  const isGroupUnused = (stats.mode & 0o070) === 0;
  if (isGroupUnused) await chown(dir, stats.uid, user.gid);
  await chmod(dir, (stats.mode & 0o7777) | (isGroupUnused ? 0o010 : 0o001));
}

/** Creates the folder and its missing parents with exactly this mode, whatever the umask. */
async function makeFolder(dir: string, mode: number): Promise<void> {
  // For a read-only file system, Node's mkdir would report ENOENT.
  if (!existsSync(dir)) await access(nearestExistingPath(dir), constants.W_OK);
  const firstCreatedFolder = await mkdir(dir, { recursive: true, mode });
  if (!firstCreatedFolder) return;
  for (let folder = dir; folder.length >= firstCreatedFolder.length; folder = dirname(folder))
    await chmod(folder, mode);
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
