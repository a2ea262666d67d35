import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../../src/server/core/make-folder';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'brickdesk-make-folder-'));
});
afterEach(() => rm(root, { recursive: true }));

it('creates a folder with its missing parents, and returns the outermost of them', async () => {
  const folder = path.join(root, 'a', 'b', 'c');
  expect(await makeFolder(folder, 0o700)).toBe(path.join(root, 'a'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await makeFolder(path.join(folder, 'd'))).toBe(path.join(folder, 'd'));
});

it('creates a folder that several callers ask for at the same time', async () => {
  // The callers meet between any two steps of each other only in some of many attempts.
  for (let attempt = 0; attempt < 200; attempt++) {
    const folder = path.join(root, String(attempt), 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 5 }, () => makeFolder(folder)));
    expect((await stat(folder)).isDirectory()).toBe(true);
  }
});

it('leaves an existing folder as it is', async () => {
  expect(await makeFolder(root)).toBeUndefined();
  expect(await makeFolder('/')).toBeUndefined();
});

it('refuses a path with a file in place of a folder', async () => {
  const file = path.join(root, 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(path.join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('ends where the system allows no folder', async () => {
  const code = process.getuid?.() === 0 ? 'ENOENT' : 'EACCES';
  await expect(makeFolder('/proc/nope')).rejects.toMatchObject({ code });
  await expect(makeFolder('/proc/nope/a/b')).rejects.toMatchObject({ code });
});
