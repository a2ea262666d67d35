import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config';
import { createLog } from '../../../src/server/core/log';
import { inTransaction } from '../../../src/server/db/transaction';
import { isDatabaseUnavailable } from '../../../src/server/db/unavailable';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { type RunningApp, startApp } from '../../../src/server/runtime/app';
import { createShop } from '../../../src/server/shops/account-service';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { TEST_ACTOR, TEST_SECRET } from '../../support/service/test-service';
import { type BlackHoleProxy, startBlackHoleProxy } from '../../support/stand-ins/black-hole-proxy';

const TIMEOUTS_MS = { work: 1_000, bulk: 2_000 };

let database: TestDatabase;
let proxy: BlackHoleProxy;
let app: RunningApp;
let apiKey: string;
let shopId: number;

const startService = (databaseTimeoutsMs?: typeof TIMEOUTS_MS) => {
  // A single connection for short work, so that the next query would get the broken connection if it were reused.
  const config = loadConfig({ PORT: '0', DATABASE_POOL_SIZE: '1' });
  const log = createLog('silent');
  return startApp({
    config,
    databaseUrl: proxy.url,
    secret: TEST_SECRET,
    log,
    pages: null,
    databaseTimeoutsMs,
  });
};

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startBlackHoleProxy(database.url);
  app = await startService(TIMEOUTS_MS);
  ({ key: apiKey } = await createApiKey(app.services.db, TEST_ACTOR, { name: 'key', expiresAt: null }));
  ({ id: shopId } = await createShop(app.services.db, TEST_ACTOR, { name: 'Shop' }));
});
afterEach(() => proxy.resumeForwarding());
afterAll(async () => {
  await app?.stop();
  await proxy?.remove();
  await database?.drop();
});

async function sendRequest(path: string, body?: unknown, port = app.port) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

const importOrder = (receiptId: string) =>
  sendRequest('/api/orders/import', { account_id: shopId, rows: [{ receipt_id: receiptId, title: 'T' }] });

it('while the database does not respond, operations return 503 with the error envelope in time, and afterwards they work again without a restart', async () => {
  expect((await sendRequest('/api/legos-cate')).status).toBe(200);
  proxy.stopForwarding();
  const responses = await Promise.all([
    sendRequest('/api/legos-cate'),
    sendRequest('/api/v1/tracks', { event: 'x', data: {} }),
    sendRequest('/api/shop-statistics', { shop_id: 's', date: '2026-08-22' }),
    // The key cannot be checked without the database, so the import fails before validation, with 503 rather than its own 500.
    importOrder('hole'),
  ]);
  for (const response of responses) {
    expect(response.status).toBe(503);
    expect(response.json).toMatchObject({ success: false, code: 'service_unavailable' });
    expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.text).not.toMatch(/timeout|query|127\.0\.0\.1/i);
  }
  expect((await sendRequest('/healthz')).status).toBe(200);

  proxy.resumeForwarding();
  expect((await sendRequest('/api/legos-cate')).status).toBe(200);
  expect((await importOrder('hole')).json.data.new_orders).toBe(1);
});

it('an import that has been validated returns 500 导入失败 in time, and stores nothing', async () => {
  const otherClient = new pg.Client({ connectionString: database.url });
  await otherClient.connect();
  await otherClient.query('BEGIN');
  await otherClient.query('SELECT pg_advisory_xact_lock(20261, $1)', [shopId]);
  const importPromise = importOrder('late');
  const waitingLocksSql = `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                            WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`;
  await expect
    .poll(async () => (await otherClient.query(waitingLocksSql)).rows.length, { timeout: 10_000 })
    .toBe(1);
  proxy.stopForwarding();
  const response = await importPromise;
  expect(response.status).toBe(500);
  expect(response.json).toMatchObject({ success: false, message: '导入失败', code: 'import_failed' });
  expect(response.json.error).toContain('The database could not be reached');

  proxy.resumeForwarding();
  await otherClient.query('ROLLBACK');
  await otherClient.end();
  expect((await importOrder('late')).json.data.new_orders).toBe(1);
});

it('/readyz returns 503 before other paths do, because its timeout is shorter', async () => {
  const appWithDefaultTimeouts = await startService();
  try {
    expect((await sendRequest('/readyz', undefined, appWithDefaultTimeouts.port)).status).toBe(200);
    proxy.stopForwarding();
    const otherResponsePromise = sendRequest('/api/legos-cate', undefined, appWithDefaultTimeouts.port);
    const firstResponse = await Promise.race([
      otherResponsePromise,
      sendRequest('/readyz', undefined, appWithDefaultTimeouts.port),
    ]);
    expect([firstResponse.status, firstResponse.json.database]).toEqual([503, 'unreachable']);
    expect((await otherResponsePromise).status).toBe(503);
  } finally {
    proxy.resumeForwarding();
    await appWithDefaultTimeouts.stop();
  }
});

it.each([
  [
    'of our pool',
    () =>
      inTransaction(app.services.db.pool, async (client) => {
        await client.query(`INSERT INTO shops (name) VALUES ('lost')`);
        proxy.stopForwarding();
        await client.query('SELECT 1');
      }),
  ],
  [
    "of Prisma's",
    () =>
      app.services.db.prisma.$transaction(async (tx) => {
        await tx.shop.create({ data: { name: 'lost' } });
        proxy.stopForwarding();
        await tx.shop.count();
      }),
  ],
])(
  'a transaction %s that got no response fails, and its connection is not used again',
  async (owner, run) => {
    const error = await run().catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error), String(error)).toBe(true);
    proxy.resumeForwarding();

    // If the connection still had an open transaction, this row would never be committed.
    const name = `after one ${owner}`;
    await app.services.db.pool.query('INSERT INTO shops (name) VALUES ($1)', [name]);
    const storedShops = await database.query('SELECT name FROM shops WHERE name IN ($1, $2)', [name, 'lost']);
    expect(storedShops).toEqual([{ name }]);
  },
);

it('a Prisma statement that gets no response fails as if the database were unreachable', async () => {
  const { prisma } = app.services.db;
  await prisma.shop.count();
  proxy.stopForwarding();
  const error = await prisma.shop.count().catch((thrown: unknown) => thrown);
  expect(isDatabaseUnavailable(error), String(error)).toBe(true);
});
