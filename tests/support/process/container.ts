import { spawnSync } from 'node:child_process';
import { isRoot } from '../database/unprivileged-user';

/**
 * A program with arguments that runs the program in its last arguments as a container does: it sees none of this machine's
 * processes, and its shared memory is its own. When the launcher is killed, all processes in the container are.
 */
export const CONTAINER_LAUNCHER: readonly string[] = [
  'unshare',
  '--pid',
  '--ipc',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

/** Returns whether the launcher works here. It needs root on Linux, and many containers do not allow it. */
export function canRunContainers(): boolean {
  const [file, ...args] = CONTAINER_LAUNCHER;
  return isRoot && spawnSync(file!, [...args, 'true']).status === 0;
}
