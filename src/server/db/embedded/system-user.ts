/**
 * The system user that runs PostgreSQL, which refuses to run as root: if root starts the service, another user runs it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { EmbeddedDatabaseError } from './errors';

/** The user that runs PostgreSQL's binaries. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Returns the cluster's owner. Without a cluster, or if root owns it, returns the user `postgres`, otherwise what `createUser`
 * returns, or else `nobody`. Returns null unless root runs this.
 *
 * @throws EmbeddedDatabaseError if there is no such user
 */
export function resolveDatabaseUser(
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
export function createPostgresUser(announce: (line: string) => void): SystemUser | null {
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
