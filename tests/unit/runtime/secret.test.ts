import { mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadOrCreateSecret } from '../../../src/server/runtime/secret';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brickdesk-secret-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a secret that exists is read without creating anything in its folder, whose disk may be full', async () => {
  const secret = await loadOrCreateSecret(folder);
  expect(secret).toHaveLength(64);
  await utimes(folder, 0, 0);
  expect(await loadOrCreateSecret(folder)).toBe(secret);
  // A file that is created, or removed, changes the time of its folder.
  expect((await stat(folder)).mtimeMs).toBe(0);
});
