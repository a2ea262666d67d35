import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningServer, startEmbeddedDatabase } from '../../../src/server/db/embedded';
import { takeLock } from '../../../src/server/db/locks/advisory-locks';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { runCommand, spawnCommand } from '../../support/process/run-command';

let dir: string;
let env: Record<string, string>;
const run = (...args: string[]) => runCommand(args, env);

/** Writes a file with so many orders that their export cannot finish before its output is read. Returns the file's path. */
async function writeLargeFile(): Promise<string> {
  const [header] = (await readFile('tests/fixtures/sold-order-items-us.csv', 'utf8')).split('\n');
  const makeRow = (index: number) => {
    const cells = Array.from({ length: 33 }, () => '');
    cells[15] = '08/22/2026';
    cells[24] = String(1_000_000 + index);
    cells[25] = 'x'.repeat(1_000);
    return cells.join(',');
  };
  const file = path.join(dir, 'large.csv');
  await writeFile(file, [header, ...Array.from({ length: 3_000 }, (_, index) => makeRow(index))].join('\n'));
  return file;
}

/** Starts an export that waits for its reader and so keeps the database running. */
async function startWaitingExport(accountId: string) {
  const child = spawnCommand(['orders', 'export', '--account', accountId], env);
  const exitCodePromise = new Promise<number | null>((resolve) => child.on('close', resolve));
  await new Promise<void>((resolve) => child.stdout.once('readable', resolve));
  return { child, exitCodePromise };
}

beforeAll(async () => {
  dir = await makeTemporaryFolder('commands');
  env = { DATA_DIR: dir };
});

afterAll(async () => {
  if (!dir) return;
  await (await findRunningServer(dir))?.stop();
  await removeTemporaryFolder(dir);
});

describe('without DATABASE_URL a command', () => {
  let accountId: string;

  it('creates and migrates the embedded database if there is none, and leaves no server running', async () => {
    const createResult = await run('account', 'create', '--name', 'First', '--json');
    expect([createResult.code, createResult.stderr]).toEqual([0, '']);
    accountId = String(createResult.json.id);
    expect(await findRunningServer(dir)).toBeNull();
    expect((await run('db', 'status', '--json')).json).toMatchObject({ pending: [], failed: [] });
    expect(await findRunningServer(dir)).toBeNull();
  });

  it('rotates no signing key without the secret that it is sealed with, says what to do, and creates no other secret', async () => {
    expect((await run('oauth-key', 'rotate', '--json')).json).toMatchObject({ retired: [] });
    const secretFile = path.join(dir, 'nextauth-secret');
    const secret = await readFile(secretFile, 'utf8');
    await rm(secretFile);
    const withoutSecret = await run('oauth-key', 'rotate');
    expect([withoutSecret.code, withoutSecret.stderr]).toEqual([
      1,
      `There is no secret in ${dir}, so the service's is kept elsewhere. Set NEXTAUTH_SECRET as for the service, then try again.\n`,
    ]);
    expect(existsSync(secretFile)).toBe(false);
    const withOtherSecret = await runCommand(['oauth-key', 'rotate'], {
      ...env,
      NEXTAUTH_SECRET: 'x'.repeat(48),
    });
    expect(withOtherSecret.code).toBe(1);
    expect(withOtherSecret.stderr).toMatch(/^This secret is not the service's, .* Set NEXTAUTH_SECRET, or/);
    await writeFile(secretFile, secret, { mode: 0o600 });
    expect((await run('oauth-key', 'rotate', '--json')).json.retired).toHaveLength(1);
  });

  it('uses the database of a running service, and leaves it running', async () => {
    const server = await startEmbeddedDatabase({ dataDir: dir });
    try {
      expect((await run('account', 'list', '--json')).json).toMatchObject([{ name: 'First' }]);
      expect((await findRunningServer(dir))?.port).toBe(server.port);
    } finally {
      await server.stop();
    }
  });

  it('that runs at the same time as others does not stop their database', async () => {
    const names = ['Second', 'Third', 'Fourth'];
    const createResults = await Promise.all(
      names.map((name) => run('account', 'create', '--name', name, '--json')),
    );
    for (const { code, stderr } of createResults) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await run('account', 'list', '--json')).json).toHaveLength(4);
  });

  it('that begins while the server is about to be stopped waits, and starts it again', async () => {
    const server = await startEmbeddedDatabase({ dataDir: dir });
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined); // The server ends this connection when it stops.
    await client.connect();
    await client.query('BEGIN');
    await takeLock(client, 'embeddedServer');
    const listPromise = run('account', 'list', '--json');
    const waitingLocksSql = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(async () => (await client.query(waitingLocksSql)).rowCount).toBe(1);
    await server.stop();
    expect(await listPromise).toMatchObject({ code: 0, stderr: '', json: { length: 4 } });
    expect(await findRunningServer(dir)).toBeNull();
  });

  it('leaves the server running for a process that has begun to use it in the meantime', async () => {
    const importResult = await run(
      'orders',
      'import',
      await writeLargeFile(),
      '--account',
      accountId,
      '--json',
    );
    expect(importResult.json).toMatchObject({ new_orders: 3_000 });
    const { child, exitCodePromise } = await startWaitingExport(accountId);
    const server = await findRunningServer(dir);
    const client = new pg.Client({ connectionString: server?.url });
    await client.connect();
    try {
      child.stdout.resume();
      expect(await exitCodePromise).toBe(0);
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await client.end();
      await server?.stop();
    }
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that is ended by %s stops the server that it started', async (signal, code) => {
    const { child, exitCodePromise } = await startWaitingExport(accountId);
    expect(await findRunningServer(dir)).not.toBeNull();
    child.kill(signal);
    await sleep(50);
    child.kill(signal);
    expect(await exitCodePromise).toBe(code);
    expect(await findRunningServer(dir)).toBeNull();
  });

  it('ends, and stops its server, when the reader of a long export goes away', async () => {
    const { child, exitCodePromise } = await startWaitingExport(accountId);
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.destroy();
    expect([await exitCodePromise, err]).toEqual([0, '']);
    expect(await findRunningServer(dir)).toBeNull();
  });

  it('says why its data folder cannot be used, without a stack trace', async () => {
    const file = path.join(dir, 'a-file');
    await writeFile(file, '');
    const { code, json, stderr } = await runCommand(['account', 'list', '--json'], {
      DATA_DIR: path.join(file, 'data'),
    });
    expect(code).toBe(1);
    expect(json.error.message).toMatch(/^There is a file in place of the data folder/);
    expect(stderr.split('\n')[0]).toBe(json.error.message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
