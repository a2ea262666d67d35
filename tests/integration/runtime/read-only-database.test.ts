import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { openPool } from '../../../src/server/db/client';
import { createShop } from '../../../src/server/shops/account-service';
import { publicError } from '../../../src/server/trpc/public-error';
import {
  type ServiceOnOwnServer,
  startServiceOnOwnServer,
} from '../../support/service/service-on-own-server';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: ServiceOnOwnServer;

beforeAll(async () => {
  service = await startServiceOnOwnServer('read-only', { BACKGROUND_JOBS: 'true' });
});
afterAll(() => service?.close());

const sendRequest: ServiceOnOwnServer['send'] = (path, init) => service.send(path, init);
const importOrder = (receiptId: string) => service.importRows([{ receipt_id: receiptId, title: 'T' }]);
const sendCallback = (number: string) =>
  sendRequest('/api/v1/tracks', {
    body: { event: 'x', data: { tracking_number: number, status: 'in_transit' } },
  });
const sendStatistics = () =>
  sendRequest('/api/shop-statistics', { body: { shop_id: 's', date: '2026-08-22', total_visits: 1 } });

/** Sends as many requests at once as the pool may have connections, so that the pool opens all of them. Returns the statuses. */
const openAllConnections = () =>
  Promise.all(Array.from({ length: 10 }, (_, n) => sendCallback(`OPEN${n}`).then(({ status }) => status)));

it('while a database is read-only, writes on open connections fail, with 503 and Retry-After except for imports; immediately afterwards, callbacks and imports succeed', async () => {
  await openAllConnections();
  expect((await importOrder('before')).status).toBe(200);
  // Affects open connections too, as when a pooler keeps them connected to a primary that has become a standby.
  await service.runAsSuperuser(
    'ALTER SYSTEM SET default_transaction_read_only = on',
    'SELECT pg_reload_conf()',
  );
  await expect.poll(async () => (await sendRequest('/readyz')).json.database).toBe('read-only');
  expect((await sendRequest('/readyz')).status).toBe(503);
  for (const response of [await sendCallback('A'), await sendStatistics()]) {
    expect(response.status).toBe(503);
    expect(response.json).toMatchObject({ success: false, code: 'service_unavailable' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    // A request id, which the service makes up of random digits, may contain the number.
    const { request_id: _, ...body } = response.json;
    expect(JSON.stringify(body)).not.toMatch(/read-only|25006/);
  }
  expect((await importOrder('read-only')).json).toMatchObject({ code: 'import_failed' });
  const creationPromise = createShop(service.app.services.db, TEST_ACTOR, { name: 'Other' });
  const refusal = await creationPromise.catch((error: unknown) => publicError(error));
  expect(refusal).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });

  await service.runAsSuperuser('ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()');
  await expect.poll(async () => (await sendRequest('/readyz')).status).toBe(200);
  expect(await openAllConnections()).toEqual(Array(10).fill(200));
  expect((await importOrder('read-only')).json.data.new_orders).toBe(1);
});

it('after one refused write, no connection that was open then is used again', async () => {
  const pool = openPool(service.database.url, {
    name: 'work',
    max: 3,
    connectTimeoutMs: 5000,
    queryTimeoutMs: 5000,
    log: createLog('silent'),
  });
  const connectAll = () => Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  const readPids = (clients: pg.PoolClient[]) =>
    Promise.all(
      clients.map(async (client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid),
    );
  const firstClients = await connectAll();
  const pids = await readPids(firstClients);
  await firstClients[0].query('BEGIN READ ONLY');
  await expect(firstClients[0].query('DELETE FROM categories')).rejects.toThrow('read-only transaction');
  await firstClients[0].query('ROLLBACK');
  for (const client of firstClients) client.release();
  const secondClients = await connectAll();
  expect((await readPids(secondClients)).filter((pid) => pids.includes(pid))).toEqual([]);
  for (const client of secondClients) client.release();
  await pool.end();
});

it('a standby is not used even for reading: requests return 503 until it is promoted, and then succeed without a restart', async () => {
  await service.stopDatabase();
  await writeFile(path.join(service.dataDir, 'postgres', 'standby.signal'), '', { mode: 0o644 });
  await service.startDatabase();
  expect((await sendRequest('/readyz')).status).toBe(503);
  const response = await sendRequest('/api/legos-cate');
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await importOrder('standby')).status).toBe(503);

  await service.runAsSuperuser('SELECT pg_promote()');
  expect((await sendRequest('/readyz')).status).toBe(200);
  expect((await importOrder('standby')).json.data.new_orders).toBe(1);
});
