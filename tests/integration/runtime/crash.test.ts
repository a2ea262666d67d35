import { rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunningServer } from '../../../src/server/db/embedded';
import { createMigratedDataDir } from '../../support/database/migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { insertShop } from '../../support/database/test-database';
import {
  killServices,
  type ReadyService,
  readPostgresPid,
  startService,
} from '../../support/process/service-process';
import { createRandom, ImportingClient, readStoredData } from '../../support/service/order-traffic';

/** `CRASH_ROUNDS=300 npm run test:one tests/integration/runtime/crash.test.ts` takes about half an hour. */
const ROUND_COUNT = Number(process.env.CRASH_ROUNDS ?? 12);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const random = createRandom(SEED);

let folder: string;
let dataDir: string;
let service: ReadyService;
let apiKey: string;
let clients: ImportingClient[];

beforeAll(async () => {
  console.log(`crash test with seed ${SEED}; CRASH_SEED=${SEED} repeats it`);
  folder = await makeTemporaryFolder('crash');
  dataDir = await createMigratedDataDir(path.join(folder, 'data'));
  service = await startService({ DATA_DIR: dataDir });
  apiKey = service.key!;
  const shopNames = ['one', 'two'];
  for (const name of shopNames) await insertShop((await findRunningServer(dataDir))!.url, name);
  clients = [1, 1, 2].map((shopId, n) => new ImportingClient(`C${n}`, shopId, random));
});
afterAll(async () => {
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

/**
 * Waits until some imports are confirmed, then calls `kill` at a random moment while all clients are sending.
 * Returns the number of confirmed imports.
 */
async function crashDuringImports(kill: () => Promise<unknown>): Promise<number> {
  let confirmedCount = 0;
  const clientRunPromises = clients.map((client) => client.run(service.url, apiKey, () => confirmedCount++));
  await expect.poll(() => confirmedCount, { timeout: 20_000, interval: 5 }).toBeGreaterThan(2);
  await sleep(random() * 300);
  await kill();
  await Promise.all(clientRunPromises);
  return confirmedCount;
}

/** Checks that no import is stored in part, no confirmed import is missing, and nothing is stored that was not sent. */
async function expectIntactImports(): Promise<void> {
  const database = await findRunningServer(dataDir);
  const storedData = await readStoredData(database!.url);
  const problems = clients.flatMap((client) => client.check(storedData).problems);
  expect(problems, `seed ${SEED}`).toEqual([]);
  expect([...storedData.orders.keys()], 'orders that nobody sent').toEqual([]);
  expect(storedData.orphanCount).toBe(0);
  expect(storedData.imports.filter((row) => row.outcome === 'running')).toEqual([]);
}

it(
  'after the server is killed at random moments, again and again, every order is complete and every confirmed import is stored',
  async () => {
    let confirmedCount = 0;
    for (let round = 0; round < ROUND_COUNT; round++) {
      confirmedCount += await crashDuringImports(() => service.kill());
      service = await startService({ DATA_DIR: dataDir });
      expect(service.key, 'a second start creates no second key').toBeUndefined();
      await expectIntactImports();
    }
    expect(confirmedCount).toBeGreaterThan(ROUND_COUNT * 2);
    console.log(`${ROUND_COUNT} crashes, ${confirmedCount} imports confirmed`);
  },
  ROUND_COUNT * 20_000,
);

it('after PostgreSQL itself is killed, requests are refused with an error until the service has started it again, and then and after a restart of the service every order is complete', async () => {
  // Without this file, PostgreSQL cannot be started again before every client has been refused.
  const settingsFile = path.join(dataDir, 'postgres', 'postgresql.conf');
  await crashDuringImports(async () => {
    await rename(settingsFile, `${settingsFile}.away`);
    process.kill(await readPostgresPid(dataDir), 'SIGKILL');
  });
  await rename(`${settingsFile}.away`, settingsFile);
  const refusals = clients.flatMap((client) => client.refusals);
  expect(refusals.length).toBeGreaterThan(0);
  for (const { status, json, headers } of refusals) {
    expect([500, 503]).toContain(status);
    expect(json).toMatchObject({
      success: false,
      message: expect.any(String),
      request_id: headers.get('x-request-id'),
    });
  }
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
  await expectIntactImports();
  await service.stop();
  service = await startService({ DATA_DIR: dataDir });
  await expectIntactImports();
  await crashDuringImports(() => service.kill());
  service = await startService({ DATA_DIR: dataDir });
  await expectIntactImports();
}, 120_000);
