import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { openDatabase } from '../../../src/server/db/client';
import {
  type ServiceOnOwnServer,
  startServiceOnOwnServer,
} from '../../support/service/service-on-own-server';
import type { TestResponse } from '../../support/service/test-service';

let service: ServiceOnOwnServer;

beforeAll(async () => {
  service = await startServiceOnOwnServer('outage', { METRICS_PORT: '0', BACKGROUND_JOBS: 'true' });
});
afterAll(() => service?.close());

const sendRequest: ServiceOnOwnServer['send'] = (path, init) => service.send(path, init);
const importOrder = (receiptId: string) => service.importRows([{ receipt_id: receiptId, title: 'T' }]);

const readDatabaseUp = async () => {
  const response = await fetch(`http://127.0.0.1:${service.app.metricsPort}/metrics`);
  return /^brickdesk_database_up (.)$/m.exec(await response.text())?.[1];
};

it('while the database is down, operations return 503 with the error envelope; afterwards, imports work again without a restart', async () => {
  expect((await importOrder('before')).status).toBe(200);
  expect(await readDatabaseUp()).toBe('1');
  await service.stopDatabase();

  for (const response of [
    await importOrder('away'),
    await sendRequest('/api/legos-cate'),
    await sendRequest('/api/v1/tracks', { body: {} }),
  ]) {
    expect(response.status).toBe(503);
    expect(response.json).toMatchObject({
      success: false,
      code: 'service_unavailable',
      message: expect.any(String),
    });
    expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.text).not.toMatch(/ECONNREFUSED|postgres|127\.0\.0\.1/);
  }
  expect((await sendRequest('/api/legos-cate', { headers: { 'X-Api-Key': undefined } })).status).toBe(401);
  expect((await sendRequest('/healthz')).status).toBe(200);
  const readiness = await sendRequest('/readyz');
  expect([readiness.status, readiness.json.database]).toEqual([503, 'unreachable']);
  expect(await readDatabaseUp()).toBe('0');

  await service.startDatabase();
  expect((await sendRequest('/readyz')).status).toBe(200);
  expect((await importOrder('after')).json.data.new_orders).toBe(1);
  expect((await importOrder('before')).json.data.new_orders).toBe(0);
});

async function expectNothingStored(receiptId: string): Promise<void> {
  await service.withConnection(async (client) => {
    expect((await client.query('SELECT 1 FROM orders WHERE receipt_id = $1', [receiptId])).rows).toEqual([]);
    const { rows } = await client.query('SELECT outcome, failure FROM imports ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([
      {
        outcome: 'failed',
        failure: { reason: expect.stringMatching(/^import\.(?:noDatabase|logged)$/), values: {} },
      },
    ]);
    expect((await client.query(`SELECT 1 FROM imports WHERE outcome = 'running'`)).rows).toEqual([]);
  });
}

const expectImportFailed = (response: TestResponse) => {
  expect(response.status).toBe(500);
  expect(response.json).toMatchObject({
    success: false,
    message: '导入失败',
    code: 'import_failed',
    error: expect.any(String),
  });
  expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
  expect(response.text).not.toMatch(/secret internals|terminat|SELECT|order_items/);
};

it('an import that fails returns 500 导入失败, stores nothing, and is in the history', async () => {
  await service.withConnection(async (client) => {
    await client.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'secret internals'; END $$`,
    );
    await client.query(
      'CREATE TRIGGER fail BEFORE INSERT ON order_items FOR EACH ROW EXECUTE FUNCTION fail()',
    );
  });
  expectImportFailed(await importOrder('inside'));
  await service.withConnection((client) => client.query('DROP TRIGGER fail ON order_items'));
  await expectNothingStored('inside');
  expect((await importOrder('inside')).json.data.new_orders).toBe(1);
});

it('an import whose connection is cut while it waits for its turn returns 500 导入失败 and stores nothing', async () => {
  await service.withConnection(async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(20261, $1)', [service.shopId]);
    const importPromise = importOrder('cut');
    // Not pg_stat_activity, whose contents do not change within a transaction.
    const waitingLocksSql = `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                              WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`;
    await expect
      .poll(async () => (await client.query(waitingLocksSql)).rows.length, { timeout: 10_000 })
      .toBe(1);
    await client.query(`SELECT pg_terminate_backend(pid) FROM (${waitingLocksSql}) w`);
    expectImportFailed(await importPromise);
    await client.query('ROLLBACK');
  });
  await expectNothingStored('cut');
  expect((await importOrder('cut')).json.data.new_orders).toBe(1);
});

it('a commit that gets no response in time stays invisible as long as it waits for a standby', async () => {
  const setSynchronousStandby = (standby: string) =>
    service.runAsSuperuser(
      `ALTER SYSTEM SET synchronous_standby_names TO '${standby}'`,
      'SELECT pg_reload_conf()',
    );
  const db = openDatabase({
    url: service.database.url,
    poolSize: 1,
    bulkPoolSize: 1,
    log: createLog('silent'),
    queryTimeoutsMs: { work: 500, bulk: 500 },
  });
  let attemptCount = 0;
  const commitShop = () =>
    db.pool.query('INSERT INTO shops (name) VALUES ($1)', [`unconfirmed ${++attemptCount}`]).then(
      () => 'confirmed',
      () => 'overdue',
    );
  const findLastShop = () =>
    service.database.query('SELECT name FROM shops WHERE name = $1', [`unconfirmed ${attemptCount}`]);
  await setSynchronousStandby('nobody');
  try {
    // On a busy machine, a commit may also be overdue before the setting has its effect; it is then visible.
    await expect.poll(async () => [await commitShop(), await findLastShop()]).toEqual(['overdue', []]);
    // The server notices within this time that the connection was closed.
    await sleep(4_000);
    expect(await findLastShop()).toEqual([]);
  } finally {
    await setSynchronousStandby('');
    await db.close();
  }
  await expect.poll(findLastShop).toHaveLength(1);
});
