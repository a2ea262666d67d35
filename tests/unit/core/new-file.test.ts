import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSecretFile, giveFinalName } from '../../../src/server/core/new-file';

const { link: systemLink, rename: systemRename } = fs.promises;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brickdesk-new-file-'));
});
afterEach(async () => {
  replaceFunctions({ link: systemLink, rename: systemRename });
  await rm(folder, { recursive: true });
});

function replaceFunctions(functions: Partial<typeof fs.promises>): void {
  Object.assign(fs.promises, functions);
  syncBuiltinESMExports();
}

/** As on exFAT, which has no hard links. The code is that of Linux. */
const refuseLink: typeof systemLink = () =>
  Promise.reject(Object.assign(new Error('EPERM: link'), { code: 'EPERM' }));

async function createAndReadSecrets(file: string, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await createSecretFile(file, `secret ${index}`);
      return readFile(file, 'utf8');
    }),
  );
}

const DISKS: [string, typeof systemLink][] = [
  ['with hard links', systemLink],
  ['without hard links', refuseLink],
];

describe.each(DISKS)('on a disk %s', (_, link) => {
  beforeEach(() => replaceFunctions({ link }));

  it('a secret that several create at once is the same for all as soon as each has created it', async () => {
    const file = path.join(folder, 'secret');
    const readSecrets = await createAndReadSecrets(file, 20);
    expect(new Set(readSecrets).size).toBe(1);
    expect(readSecrets[0]).toMatch(/^secret \d+$/);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('a complete file does not replace one that has its name', async () => {
    const [temporaryFile, file] = [path.join(folder, 'new'), path.join(folder, 'taken')];
    await writeFile(temporaryFile, 'new');
    await writeFile(file, 'old');
    await expect(giveFinalName(temporaryFile, file)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('old');
  });
});

it('a secret is complete for all that create it at once, even if the machine pauses for a minute before it is stored', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const renameAfterPause: typeof systemRename = async (...paths) => {
    await sleep(50);
    vi.setSystemTime(Date.now() + 60_000);
    await sleep(50);
    await systemRename(...paths);
  };
  replaceFunctions({ link: refuseLink, rename: renameAfterPause });
  try {
    const [firstSecret, secondSecret] = await createAndReadSecrets(path.join(folder, 'secret'), 2);
    expect(firstSecret).toMatch(/^secret \d$/);
    expect(secondSecret).toBe(firstSecret);
  } finally {
    vi.useRealTimers();
  }
});
