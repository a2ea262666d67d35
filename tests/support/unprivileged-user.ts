import { execFileSync } from 'node:child_process';

/** Whether the tests are run by root, who alone may start programs as somebody else. */
export const isRoot = process.getuid?.() === 0;

export interface UserIds {
  uid: number;
  gid: number;
}

/** Somebody who may do nothing in particular. */
export function unprivilegedUser(): UserIds {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
