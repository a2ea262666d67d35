import { execFileSync } from 'node:child_process';

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
