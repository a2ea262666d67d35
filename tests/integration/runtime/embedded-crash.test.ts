import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findRunningServer, startEmbeddedDatabase } from '../../../src/server/db/embedded';
import { holdServer } from '../../../src/server/db/hold/hold';
import { createMigratedDataDir } from '../../support/database/migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { runCommand, spawnCommand } from '../../support/process/run-command';
import {
  killServices,
  type ReadyService,
  readPostgresPid,
  startService,
} from '../../support/process/service-process';

let folder: string;
let dataDirCount = 0;
const makeDataDir = () => createMigratedDataDir(path.join(folder, String(++dataDirCount)));
const readStatus = async ({ url }: ReadyService) => (await fetch(`${url}/readyz`)).status;

beforeAll(async () => {
  folder = await makeTemporaryFolder('embedded-crash');
});
afterEach(async () => {
  await killServices();
  for (let count = dataDirCount; count > 0; count--)
    await (await findRunningServer(path.join(folder, String(count))).catch(() => null))?.stop();
});
afterAll(async () => {
  if (folder) await removeTemporaryFolder(folder);
});

async function connect(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: (await findRunningServer(dataDir))!.url });
  client.on('error', () => undefined); // Some tests end the server under it.
  await client.connect();
  return client;
}

/** Kills the process of one connection, as the system does when memory is short. PostgreSQL then ends all connections. */
async function crashBackend(dataDir: string): Promise<void> {
  const client = await connect(dataDir);
  const endPromise = new Promise<void>((resolve) => client.once('end', resolve));
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await endPromise;
}

/** Waits until so many processes hold the server. */
async function waitForHolders(dataDir: string, count: number): Promise<void> {
  const sql = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted`;
  const countHolders = async () => {
    const client = await connect(dataDir).catch(() => null); // The server may be restarting.
    const result = await client?.query(sql).catch(() => null);
    await client?.end();
    return result?.rowCount;
  };
  await expect.poll(countHolders).toBe(count);
}

/** Starts backups that hold the server and cannot end before `finish`. */
async function startWaitingCommands(dataDir: string, count: number) {
  const client = await connect(dataDir);
  await client.query('BEGIN');
  await client.query('LOCK TABLE shops IN ACCESS EXCLUSIVE MODE');
  const commands = Array.from({ length: count }, (_, index) =>
    spawnCommand(['backup', 'create', `${dataDir}-${index}.backup`], { DATA_DIR: dataDir }),
  );
  const exitCodePromises = commands.map(
    (command) => new Promise<number | null>((resolve) => command.on('close', resolve)),
  );
  // A backup never waits for a lock: it says that it cannot begin, and tries again until it can.
  const notices = await Promise.all(commands.map(({ stderr }) => once(stderr, 'data')));
  for (const [notice] of notices) expect(String(notice)).toContain('Waiting until no table is being changed');
  return {
    async finish() {
      await client.query('ROLLBACK');
      await client.end();
      return Promise.all(exitCodePromises);
    },
  };
}

/** The oldest transactions that the idle holders of a server still see, which vacuum therefore must keep. */
async function readHoldersSnapshots(dataDir: string): Promise<(string | null)[]> {
  const client = await connect(dataDir);
  const { rows } = await client.query<{ backend_xmin: string | null }>(
    `SELECT a.backend_xmin FROM pg_stat_activity a JOIN pg_locks l USING (pid)
      WHERE l.locktype = 'advisory' AND l.mode = 'ShareLock' AND a.state = 'idle in transaction'`,
  );
  await client.end();
  return rows.map(({ backend_xmin }) => backend_xmin);
}

it('a service that holds the embedded PostgreSQL for months does not keep vacuum from removing deleted rows', async () => {
  const dataDir = await makeDataDir();
  await startService({ DATA_DIR: dataDir });
  // A job may be in a transaction of its own for a moment.
  const expectNoSnapshot = () =>
    expect.poll(() => readHoldersSnapshots(dataDir).catch(() => [])).toEqual([null]);
  await expectNoSnapshot();
  await crashBackend(dataDir);
  await waitForHolders(dataDir, 1);
  await expectNoSnapshot();
});

describe('when the embedded PostgreSQL ends while the service runs', () => {
  it('the service starts it again, on the same port and with the same data, and stops it in the end', async () => {
    const dataDir = await makeDataDir();
    const service = await startService({ DATA_DIR: dataDir });
    const pid = await readPostgresPid(dataDir);
    const { url } = (await findRunningServer(dataDir))!;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readPostgresPid(dataDir).catch(() => pid)).not.toBe(pid);
    await expect.poll(() => readStatus(service)).toBe(200);
    expect((await findRunningServer(dataDir))!.url).toBe(url);
    expect((await runCommand(['account', 'list', '--json'], { DATA_DIR: dataDir })).json).toEqual([]);
    // It accepts connections before the service has noticed that and logs it.
    await service.waitForOutput('the embedded PostgreSQL is running again');
    expect((await service.stop()).code).toBe(0);
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('two services on one data folder start it once, and both go on', async () => {
    const dataDir = await makeDataDir();
    const services = [await startService({ DATA_DIR: dataDir }), await startService({ DATA_DIR: dataDir })];
    const pid = await readPostgresPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readPostgresPid(dataDir).catch(() => pid)).not.toBe(pid);
    await waitForHolders(dataDir, 2);
    for (const service of services) await expect.poll(() => readStatus(service)).toBe(200);
    for (const service of services) expect((await service.stop()).code).toBe(0);
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('the service ends with an error if it cannot start it again, so that its supervisor notices', async () => {
    const dataDir = await makeDataDir();
    const service = await startService({ DATA_DIR: dataDir });
    await writeFile(path.join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = many\n');
    process.kill(await readPostgresPid(dataDir), 'SIGKILL');
    expect(await service.endPromise).toEqual({ code: 1, signal: null });
    expect(service.stderr()).toContain('PostgreSQL has ended and cannot be started again.');
    expect(service.stderr()).toContain('invalid value for parameter "max_connections"');
  });

  it('the service can be stopped while it tries to start it again', async () => {
    const dataDir = await makeDataDir();
    const service = await startService({ DATA_DIR: dataDir });
    await writeFile(path.join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = many\n');
    process.kill(await readPostgresPid(dataDir), 'SIGKILL');
    await service.waitForOutput('the embedded PostgreSQL has ended');
    await sleep(1000);
    expect((await service.stop()).code).toBe(0);
  });
});

it('after a crash inside PostgreSQL, stopping one of two services does not stop the database under the other', async () => {
  const dataDir = await makeDataDir();
  const firstService = await startService({ DATA_DIR: dataDir });
  const secondService = await startService({ DATA_DIR: dataDir });
  const pid = await readPostgresPid(dataDir);
  await crashBackend(dataDir);
  await waitForHolders(dataDir, 2);
  expect((await firstService.stop()).code).toBe(0);
  expect(await readPostgresPid(dataDir)).toBe(pid);
  await expect.poll(() => readStatus(secondService)).toBe(200);
  expect((await secondService.stop()).code).toBe(0);
  expect(await findRunningServer(dataDir)).toBeNull();
});

describe('the last process that holds the embedded PostgreSQL stops it', () => {
  it('if a command outlives the service', async () => {
    const dataDir = await makeDataDir();
    const service = await startService({ DATA_DIR: dataDir });
    const { finish } = await startWaitingCommands(dataDir, 1);
    service.signal('SIGTERM');
    expect((await service.endPromise).code).toBe(0);
    expect(await findRunningServer(dataDir)).not.toBeNull();
    expect(await finish()).toEqual([0]);
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('if two commands outlive the service and end together', async () => {
    const dataDir = await makeDataDir();
    const service = await startService({ DATA_DIR: dataDir });
    const { finish } = await startWaitingCommands(dataDir, 2);
    service.signal('SIGTERM');
    expect((await service.endPromise).code).toBe(0);
    expect(await finish()).toEqual([0, 0]);
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('if the process that started it ends before, or at the same time', async () => {
    const dataDir = await makeDataDir();
    const hold = () => holdServer((port) => startEmbeddedDatabase({ dataDir, port }));
    const firstHold = await hold();
    const secondHold = await hold();
    await firstHold.release();
    expect(await findRunningServer(dataDir)).not.toBeNull();
    await secondHold.release();
    expect(await findRunningServer(dataDir)).toBeNull();

    const holds = [await hold(), await hold(), await hold()];
    await Promise.all(holds.map(({ release }) => release()));
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('even if another connection ends only after it has begun to wait for that', async () => {
    const dataDir = await makeDataDir();
    const hold = await holdServer((port) => startEmbeddedDatabase({ dataDir, port }));
    const client = await connect(dataDir);
    const releasePromise = hold.release();
    const countExclusiveLocks = async () => {
      const sql = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted`;
      return (await client.query(sql)).rowCount;
    };
    await expect.poll(countExclusiveLocks).toBe(1);
    // Longer than it takes to count the connections for the first time.
    await sleep(300);
    await client.end();
    await releasePromise;
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('but not if nobody who holds it started it, as a command beside a server that a killed service has left', async () => {
    const dataDir = await makeDataDir();
    const database = await startEmbeddedDatabase({ dataDir });
    const hold = () => holdServer((port) => startEmbeddedDatabase({ dataDir, port }));
    const holds = [await hold(), await hold()];
    for (const { release } of holds) await release();
    expect(await findRunningServer(dataDir)).not.toBeNull();
    await database.stop();
  });
});
