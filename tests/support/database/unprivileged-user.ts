import { execFileSync, spawnSync } from 'node:child_process';

/** Whether root runs the tests. Only root may start programs as another user. */
export const isRoot = process.getuid?.() === 0;

export interface UserIds {
  uid: number;
  gid: number;
}

/** Returns a user without special privileges. */
export function findUnprivilegedUser(): UserIds {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Runs the other arguments with a copy of /etc, kept in the folder `$1`, that lacks the user `postgres`. */
const RUN_WITHOUT_POSTGRES_USER = `
  set -e
  folder=$1
  shift
  mount -t tmpfs tmpfs "$folder"
  cp -a /etc/. "$folder"
  for file in passwd group shadow gshadow; do
    if [ -e "$folder/$file" ]; then sed -i '/^postgres:/d' "$folder/$file"; fi
  done
  mount --bind "$folder" /etc
  exec "$@"`;

/**
 * Returns a command that runs the command appended to it as if the machine had no user `postgres`. The rest of the machine does
 * not see what that command changes in /etc, and the changes vanish when it and its children have ended.
 *
 * @param folder an empty folder
 */
export function launcherWithoutPostgresUser(folder: string): string[] {
  return ['unshare', '--mount', 'sh', '-c', RUN_WITHOUT_POSTGRES_USER, 'sh', folder];
}

/** Returns whether the launcher works here. It needs root on Linux and the right to mount, which many containers lack. */
export function canHidePostgresUser(folder: string): boolean {
  const [file, ...args] = launcherWithoutPostgresUser(folder);
  return isRoot && spawnSync(file!, [...args, 'useradd', '--help']).status === 0;
}
