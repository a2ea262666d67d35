import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findRunningServer, startEmbeddedDatabase } from '../../../../src/server/db/embedded';
import {
  killProcess,
  query,
  reserveDataDir,
  startDatabase,
  startInChild,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';
import { readPostgresPid } from '../../../support/process/service-process';

stopDatabasesAfterTests();

async function findLeftovers(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => name.includes('.new-'));
}

describe('a fresh folder', () => {
  it('gets a database with a private password, UTF-8 and durable commits', async () => {
    const dataDir = await reserveDataDir();
    const logLines: string[] = [];
    const database = await startEmbeddedDatabase({ dataDir, log: (line) => logLines.push(line) });

    expect(database.isNewlyStarted).toBe(true);
    expect(database.url).toMatch(
      new RegExp(
        `^postgresql://brickdesk:[0-9a-f]{48}@127\\.0\\.0\\.1:${database.port}/brickdesk\\?sslmode=disable$`,
      ),
    );
    // Only a superuser can see some of these settings.
    const superuserUrl = new URL(database.url);
    superuserUrl.username = 'postgres';
    superuserUrl.password = await readFile(join(dataDir, 'database-superuser-password'), 'utf8');
    const settings = await query<{ name: string; setting: string }>(
      superuserUrl.href,
      `SELECT name, setting FROM pg_settings WHERE name IN ('server_encoding', 'fsync', 'synchronous_commit', 'TimeZone',
       'log_timezone', 'jit', 'listen_addresses', 'unix_socket_directories', 'max_connections', 'password_encryption')`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      TimeZone: 'UTC',
      log_timezone: 'UTC',
      jit: 'off',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      password_encryption: 'scram-sha-256',
    });
    const [row] = await query(database.url, `SELECT upper('ä') AS upper, length('🧱') AS length`);
    expect(row).toEqual({ upper: 'Ä', length: 1 });
    expect((await stat(join(dataDir, 'database-password'))).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).sort()).toEqual([
      'database-password',
      'database-superuser-password',
      'postgres',
      'postgres.log',
    ]);
    expect(logLines).toHaveLength(2);

    await database.stop();
    await database.stop(); // the second call does nothing
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('gets a database that admits nobody with a wrong password', async () => {
    const { url } = await startDatabase(await reserveDataDir());
    await expect(query(url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);
  });

  it('may have spaces, quotes, dollar signs and non-ASCII letters in its path', async () => {
    const dataDir = await reserveDataDir(`Mein Ordner "ä" $HOME 'é' 積木`);
    const database = await startDatabase(dataDir);
    expect((await findRunningServer(dataDir))?.port).toBe(database.port);
    await database.stop();
    expect((await startDatabase(dataDir)).isNewlyStarted).toBe(true);
  });

  it('may have a path that is too long for a Unix socket', async () => {
    const dataDir = await reserveDataDir(join('x'.repeat(120), 'y'.repeat(120)));
    expect((await startDatabase(dataDir)).isNewlyStarted).toBe(true);
  });
});

describe('concurrent starts', () => {
  it('by several processes run one server in a fresh folder, which all of them use', async () => {
    const dataDir = await reserveDataDir();
    const reports = await Promise.all(
      [1, 2, 3].map(async () => {
        const { reportPromise } = await startInChild(dataDir);
        return await reportPromise;
      }),
    );
    expect(reports.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(new Set(reports.map(({ url }) => url)).size).toBe(1);
    expect(reports.filter(({ isNewlyStarted }) => isNewlyStarted)).toHaveLength(1);
    expect(await query(reports[0]!.url!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await findLeftovers(dataDir)).toEqual([]);
  });

  it('in one process run one server after the previous one was killed', async () => {
    const dataDir = await reserveDataDir();
    await startDatabase(dataDir);
    process.kill(await readPostgresPid(dataDir), 'SIGKILL');
    const databases = await Promise.all([startDatabase(dataDir), startDatabase(dataDir)]);
    expect(databases[0].url).toBe(databases[1].url);
    expect(databases.filter(({ isNewlyStarted }) => isNewlyStarted)).toHaveLength(1);
  });
});

describe('a first start that was killed', () => {
  it('is repaired by the next start, which creates a complete cluster and removes the leftovers', async () => {
    const dataDir = await reserveDataDir();
    const { child } = await startInChild(dataDir);
    await vi.waitUntil(
      async () => {
        const leftovers = existsSync(dataDir) ? await findLeftovers(dataDir) : [];
        return leftovers.some((name) => existsSync(join(dataDir, name, 'PG_VERSION')));
      },
      { timeout: 10_000, interval: 10 },
    );
    await killProcess(child);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

    expect((await startDatabase(dataDir)).isNewlyStarted).toBe(true);
    expect(await findLeftovers(dataDir)).toEqual([]);
  });
});

describe('findRunningServer', () => {
  it('returns null if there is no folder, and does not create one', async () => {
    const dataDir = await reserveDataDir();
    expect(await findRunningServer(dataDir)).toBeNull();
    expect(existsSync(dataDir)).toBe(false);
  });

  it('returns the running server', async () => {
    const dataDir = await reserveDataDir();
    const { url, port } = await startDatabase(dataDir);
    expect(await findRunningServer(dataDir)).toMatchObject({ url, port, isNewlyStarted: false });
  });
});
