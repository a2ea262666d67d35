import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretFile, giveFinalName } from '../../../src/server/core/new-file';

const systemLink = fs.promises.link;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brickdesk-new-file-'));
});
afterEach(async () => {
  setLink(systemLink);
  await rm(folder, { recursive: true });
});

function setLink(link: typeof systemLink): void {
  fs.promises.link = link;
  syncBuiltinESMExports();
}

const DISKS: [string, typeof systemLink][] = [
  ['with hard links', systemLink],
  // As exFAT has none. The code is that of Linux.
  ['without hard links', () => Promise.reject(Object.assign(new Error('EPERM: link'), { code: 'EPERM' }))],
];

describe.each(DISKS)('on a disk %s', (_, link) => {
  beforeEach(() => setLink(link));

  it('a secret that several create at once is the same for all as soon as each has created it', async () => {
    const file = path.join(folder, 'secret');
    const readSecrets = await Promise.all(
      Array.from({ length: 20 }, async (__, index) => {
        await createSecretFile(file, `secret ${index}`);
        return readFile(file, 'utf8');
      }),
    );
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
