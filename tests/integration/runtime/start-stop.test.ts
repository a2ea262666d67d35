import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findRunningServer } from '../../../src/server/db/embedded';
import { verifyPassword } from '../../../src/server/identity/sessions/password';
import { loadOrCreateSecret } from '../../../src/server/runtime/secret';
import { createMigratedDataDir } from '../../support/database/migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, insertShop, type TestDatabase } from '../../support/database/test-database';
import { runCommand } from '../../support/process/run-command';
import {
  killServices,
  readPostgresPid,
  spawnService,
  startService,
} from '../../support/process/service-process';
import { waitUntilRefused } from '../../support/service/wait-until-refused';

let folder: string;
let dataDirCount = 0;

beforeAll(async () => {
  folder = await makeTemporaryFolder('start-stop');
});
afterEach(killServices);
afterAll(async () => {
  if (folder) await removeTemporaryFolder(folder);
});

const makeDataDirPath = () => path.join(folder, `data ${++dataDirCount}`);
const makeMigratedDataDir = () => createMigratedDataDir(makeDataDirPath());

const sendImport = (url: string, key: string, rows: unknown[]) =>
  fetch(`${url}/api/orders/import`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ account_id: 1, rows }),
  });

describe('a start that cannot succeed', () => {
  it.each([
    [{ PORT: 'many' }, ['PORT']],
    [{ DATABASE_URL: 'mysql://x/y' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgresql://127.0.0.1/x' }, ['NEXTAUTH_SECRET']],
    [{ ADMIN_PASSWORD: 'short', LOG_LEVEL: 'loud' }, ['ADMIN_PASSWORD', 'LOG_LEVEL']],
  ])('with %j ends with a message that names %j', async (environment, names) => {
    const service = spawnService({ DATA_DIR: makeDataDirPath(), ...environment });
    expect((await service.endPromise).code).toBe(1);
    for (const name of names) expect(service.stderr()).toMatch(new RegExp(`^${name}: `, 'm'));
    expect(service.stderr()).not.toContain('    at ');
  });

  it('on a port that is taken says so in one line, and leaves no database running', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupant.once('listening', resolve));
    const { port } = occupant.address() as { port: number };
    const dataDir = makeDataDirPath();
    const service = spawnService({ DATA_DIR: dataDir, PORT: String(port) });
    expect((await service.endPromise).code).toBe(1);
    expect(service.stderr().trim()).toMatch(/^PORT: .*in use.*$/);
    expect(await findRunningServer(dataDir)).toBeNull();
    occupant.close();
  });

  it('without its database ends with a message that names DATABASE_URL', async () => {
    const environment = { DATABASE_URL: 'postgresql://127.0.0.1:1/x', NEXTAUTH_SECRET: 'x'.repeat(40) };
    const service = spawnService(environment);
    expect((await service.endPromise).code).toBe(1);
    expect(service.stderr()).toContain('DATABASE_URL');
  });
});

async function expectOnlyOwner(dataDir: string, email: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: (await findRunningServer(dataDir))!.url });
  await client.connect();
  const { rows } = await client.query('SELECT email, role, password_hash FROM users');
  await client.end();
  expect(rows).toMatchObject([{ email, role: 'owner' }]);
  expect(await verifyPassword(rows[0].password_hash, password)).toBe(true);
}

it('the first start prints the owner, a password and a key; the next prints no password or key, and has lost nothing', async () => {
  const dataDir = makeDataDirPath();
  const firstService = await startService({ DATA_DIR: dataDir });
  const password = /Password {2}(\S+)/.exec(firstService.stdout())![1]!;
  await runCommand(['account', 'create', '--name', 'Shop'], { DATA_DIR: dataDir });
  expect((await sendImport(firstService.url, firstService.key!, [{ receipt_id: 'kept' }])).status).toBe(200);
  await expectOnlyOwner(dataDir, 'owner@localhost', password);
  const secretFile = await stat(path.join(dataDir, 'nextauth-secret'));
  expect(secretFile.mode & 0o777).toBe(0o600);
  expect((await firstService.stop()).code).toBe(0);

  const secondService = await startService({ DATA_DIR: dataDir });
  expect(secondService.stdout()).not.toMatch(/Password|bdk_/);
  expect((await stat(path.join(dataDir, 'nextauth-secret'))).mtimeMs).toBe(secretFile.mtimeMs);
  const response = await sendImport(secondService.url, firstService.key!, [{ receipt_id: 'kept' }]);
  expect(await response.json()).toMatchObject({ data: { new_orders: 0, updated_orders: 1 } });
  await secondService.stop();
});

it('the embedded database works if PGSSLMODE, which it does not support, is set for another database', async () => {
  const environment = { DATA_DIR: await makeMigratedDataDir(), PGSSLMODE: 'require' };
  const service = await startService(environment);
  expect((await runCommand(['account', 'list', '--json'], environment)).json).toEqual([]);
  expect((await service.stop()).code).toBe(0);
  expect(await findRunningServer(environment.DATA_DIR)).toBeNull();
});

it('the owner is created from ADMIN_EMAIL and ADMIN_PASSWORD, and the password is not printed', async () => {
  const dataDir = await makeMigratedDataDir();
  const password = 'correct horse battery';
  const service = await startService({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: 'Ann@Example.com',
    ADMIN_PASSWORD: password,
  });
  await expectOnlyOwner(dataDir, 'ann@example.com', password);
  expect(service.stdout()).toContain('ann@example.com');
  expect(service.stdout() + service.stderr()).not.toContain(password);
  await service.stop();
});

describe('a shutdown', () => {
  /** Opens a connection and sends `text` on it. `fullResponsePromise` resolves when the server closes the connection. */
  async function openConnection(url: string, text: string) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
    await once(socket, 'connect');
    if (text) socket.write(text);
    let receivedText = '';
    socket.on('data', (part: string) => {
      receivedText += part;
    });
    return {
      socket,
      fullResponsePromise: once(socket, 'close').then(() => receivedText),
      readReceivedText: () => receivedText,
    };
  }

  it('closes idle connections immediately, but waits for a request that has arrived only in part', async () => {
    const service = await startService({ DATA_DIR: await makeMigratedDataDir() });
    const silentConnection = await openConnection(service.url, '');
    const partialConnection = await openConnection(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n');
    // Last, so that the service has read the part of a request when it responds to this one.
    const idleConnection = await openConnection(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(idleConnection.readReceivedText).toMatch(/^HTTP\/1\.1 200 /);
    service.signal('SIGTERM');
    expect(await silentConnection.fullResponsePromise).toBe('');
    expect(await idleConnection.fullResponsePromise).toMatch(/^HTTP\/1\.1 200 /);
    expect(partialConnection.readReceivedText()).toBe('');
    partialConnection.socket.write('\r\n');
    expect(await partialConnection.fullResponsePromise).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
    expect(await service.endPromise).toEqual({ code: 0, signal: null });
    expect(service.stdout()).not.toContain('shutdown timed out');
  });

  it('responds to a request that was sent but not read before the shutdown', async () => {
    const service = await startService({ DATA_DIR: await makeMigratedDataDir() });
    // While the process is suspended, the system accepts the connection and its request.
    service.signal('SIGSTOP');
    const unreadConnection = await openConnection(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    service.signal('SIGTERM');
    service.signal('SIGCONT');
    expect(await unreadConnection.fullResponsePromise).toMatch(/^HTTP\/1\.1 200 /);
    expect(await service.endPromise).toEqual({ code: 0, signal: null });
  });
});

describe('two services on one data folder', () => {
  it('share its database, which keeps running when the service that started it stops, and stops with the last', async () => {
    const dataDir = await makeMigratedDataDir();
    const firstService = await startService({ DATA_DIR: dataDir });
    const secondService = await startService({ DATA_DIR: dataDir });
    const isReady = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status === 200;
    const thirdService = await startService({ DATA_DIR: dataDir });
    expect((await thirdService.stop()).code).toBe(0);
    expect([await isReady(firstService), await isReady(secondService)]).toEqual([true, true]);
    expect((await firstService.stop()).code).toBe(0);
    expect(await isReady(secondService)).toBe(true);
    expect((await secondService.stop()).code).toBe(0);
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('create only one secret if they start for the first time together', async () => {
    const dataDirs = Array.from({ length: 100 }, makeDataDirPath);
    for (const dataDir of dataDirs) {
      const secrets = await Promise.all(Array.from({ length: 4 }, () => loadOrCreateSecret(dataDir)));
      expect(new Set(secrets).size).toBe(1);
      expect(await readdir(dataDir)).toEqual(['nextauth-secret']);
    }
  });
});

it('a shutdown also stops a database that a killed service left running, or that has restarted after a crash', async () => {
  const dataDir = await makeMigratedDataDir();
  await (await startService({ DATA_DIR: dataDir })).kill();
  expect(await findRunningServer(dataDir)).not.toBeNull();
  const service = await startService({ DATA_DIR: dataDir });
  const client = new pg.Client({ connectionString: (await findRunningServer(dataDir))!.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await expect
    .poll(() => fetch(`${service.url}/readyz`).then(({ status }) => status), { timeout: 10_000 })
    .toBe(200);
  expect((await service.stop()).code).toBe(0);
  expect(await findRunningServer(dataDir)).toBeNull();
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it('lets a running import finish, refuses new requests, and stops server and database, even if sent twice', async () => {
    const dataDir = await makeMigratedDataDir();
    const service = await startService({ DATA_DIR: dataDir });
    await insertShop((await findRunningServer(dataDir))!.url, 'Shop');
    expect(await readPostgresPid(dataDir)).toBeGreaterThan(0);
    const client = new pg.Client({ connectionString: (await findRunningServer(dataDir))!.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(20261, 1)');
    const importPromise = sendImport(service.url, service.key!, [{ receipt_id: 'running' }]);
    const waitingLocksSql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(async () => (await client.query(waitingLocksSql)).rows.length).toBe(1);

    service.signal(signal);
    service.signal(signal);
    await service.waitForOutput('Stopping');
    await waitUntilRefused(service.url);
    await client.query('ROLLBACK');
    await client.end();
    const response = await importPromise;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { new_orders: 1 } });
    expect(await service.endPromise).toEqual({ code: 0, signal: null });
    await expect(readPostgresPid(dataDir), 'PostgreSQL has removed its lock file').rejects.toThrow('ENOENT');
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('cuts off requests that are still running when the shutdown timeout ends', async () => {
    const dataDir = await makeMigratedDataDir();
    const service = await startService({ DATA_DIR: dataDir, SHUTDOWN_TIMEOUT_MS: '300' });
    await insertShop((await findRunningServer(dataDir))!.url, 'Shop');
    const client = new pg.Client({ connectionString: (await findRunningServer(dataDir))!.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(20261, 1)');
    const importOutcomePromise = sendImport(service.url, service.key!, [{ receipt_id: 'cut' }]).then(
      () => 'responded',
      () => 'cut',
    );
    const waitingLocksSql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(async () => (await client.query(waitingLocksSql)).rows.length).toBe(1);
    service.signal(signal);
    expect(await importOutcomePromise).toBe('cut');
    await client.end().catch(() => undefined);
    expect((await service.endPromise).code).toBe(0);
  });
});

describe('with DATABASE_URL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('two servers share the database: both refuse a key that a command revokes, neither prints the URL or the secret, and the database keeps running when they stop', async () => {
    const environment = { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(40) };
    const firstService = await startService(environment);
    const secondService = await startService(environment);
    expect(secondService.key).toBeUndefined();
    const requestList = (url: string) =>
      fetch(`${url}/api/legos-cate`, { headers: { 'X-Api-Key': firstService.key! } });
    expect([
      (await requestList(firstService.url)).status,
      (await requestList(secondService.url)).status,
    ]).toEqual([200, 200]);
    await runCommand(['api-key', 'revoke', '1'], environment);
    expect([
      (await requestList(firstService.url)).status,
      (await requestList(secondService.url)).status,
    ]).toEqual([401, 401]);
    await Promise.all([firstService.stop(), secondService.stop()]);
    expect(firstService.stdout()).toContain('with the same DATABASE_URL and NEXTAUTH_SECRET');
    for (const { stdout, stderr } of [firstService, secondService])
      for (const value of Object.values(environment)) expect(stdout() + stderr()).not.toContain(value);
    expect(await database.query('SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
  });
});
