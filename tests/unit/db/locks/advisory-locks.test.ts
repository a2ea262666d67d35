import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listFilesIn } from '../../../../scripts/queries';

const SERVER_FOLDER = path.resolve('src/server');

it('advisory locks are taken only in db/locks/advisory-locks.sql, and end with their transaction', async () => {
  const calls = new Set<string>();
  for (const name of await listFilesIn(SERVER_FOLDER, /[.](ts|sql)$/)) {
    const text = await readFile(path.join(SERVER_FOLDER, name), 'utf8');
    for (const [call] of text.matchAll(/pg_(?:try_)?advisory_\w+/g)) calls.add(`${name}: ${call}`);
  }
  expect([...calls].sort()).toEqual([
    'db/locks/advisory-locks.queries.ts: pg_advisory_xact_lock',
    'db/locks/advisory-locks.queries.ts: pg_advisory_xact_lock_shared',
    'db/locks/advisory-locks.queries.ts: pg_try_advisory_xact_lock',
    'db/locks/advisory-locks.queries.ts: pg_try_advisory_xact_lock_shared',
    'db/locks/advisory-locks.sql: pg_advisory_xact_lock',
    'db/locks/advisory-locks.sql: pg_advisory_xact_lock_shared',
    'db/locks/advisory-locks.sql: pg_try_advisory_xact_lock',
    'db/locks/advisory-locks.sql: pg_try_advisory_xact_lock_shared',
  ]);
});

it('every advisory lock has a key of its own', async () => {
  const text = await readFile(path.join(SERVER_FOLDER, 'db/locks/advisory-locks.ts'), 'utf8');
  const keys = [...text.matchAll(/^ {2}\w+: ([\d_]+),$/gm)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(9);
  expect(new Set(keys).size).toBe(keys.length);
});
