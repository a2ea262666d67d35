import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config';
import { createLog } from '../../../src/server/core/log';
import { type EmbeddedDatabase, startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { type RunningApp, startApp } from '../../../src/server/runtime/app';
import { seedReferenceData } from '../../../src/server/runtime/reference-data';
import { createShop } from '../../../src/server/shops/account-service';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { TEST_ACTOR, TEST_SECRET } from '../../support/service/test-service';

let folder: string;
let database: EmbeddedDatabase;
let app: RunningApp;
let key: string;
let accountId: number;

beforeAll(async () => {
  folder = await makeTemporaryFolder('outage');
  database = await startEmbedded({ dataDir: path.join(folder, 'data') });
  const prisma = path.resolve('prisma');
  await migrate(database.url, prisma, (client) => seedReferenceData(client, prisma));
  const config = loadConfig({ PORT: '0', METRICS_PORT: '0' });
  app = await startApp({
    config,
    databaseUrl: database.url,
    secret: TEST_SECRET,
    log: createLog('silent'),
    pages: null,
  });
  ({ key } = await createApiKey(app.services.db, TEST_ACTOR, { name: 'key', expiresAt: null }));
  ({ id: accountId } = await createShop(app.services.db, TEST_ACTOR, { name: 'Shop' }));
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
  if (folder) await removeTemporaryFolder(folder);
});

async function send(at: string, body?: unknown, apiKey: string | undefined = key) {
  const response = await fetch(`http://127.0.0.1:${app.port}${at}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(apiKey ? { 'X-Api-Key': apiKey } : {}), 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

const databaseUp = async () => {
  const response = await fetch(`http://127.0.0.1:${app.metricsPort}/metrics`);
  return /^brickdesk_database_up (.)$/m.exec(await response.text())?.[1];
};

const importOne = (receipt: string) =>
  send('/api/orders/import', { account_id: accountId, rows: [{ receipt_id: receipt, title: 'T' }] });

it('while the database is away every operation is 503 with the envelope, and all works again without a restart', async () => {
  expect((await importOne('before')).status).toBe(200);
  expect(await databaseUp()).toBe('1');
  await database.stop();

  for (const answer of [
    await importOne('away'),
    await send('/api/legos-cate'),
    await send('/api/v1/tracks', {}),
  ]) {
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({
      success: false,
      code: 'service_unavailable',
      message: expect.any(String),
    });
    expect(answer.json.request_id).toBe(answer.headers.get('x-request-id'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/ECONNREFUSED|postgres|127\.0\.0\.1/);
  }
  expect((await send('/api/legos-cate', undefined, '')).status).toBe(401);
  expect((await send('/healthz')).status).toBe(200);
  const away = await send('/readyz');
  expect([away.status, away.json.database]).toEqual([503, 'unreachable']);
  expect(await databaseUp()).toBe('0');

  database = await startEmbedded({ dataDir: path.join(folder, 'data') });
  expect((await send('/readyz')).status).toBe(200);
  expect((await importOne('after')).json.data.new_orders).toBe(1);
  expect((await importOne('before')).json.data.new_orders).toBe(0);
});

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function expectNothingStored(receipt: string): Promise<void> {
  await withClient(async (client) => {
    expect((await client.query('SELECT 1 FROM orders WHERE receipt_id = $1', [receipt])).rows).toEqual([]);
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

const failed = (answer: Awaited<ReturnType<typeof send>>) => {
  expect(answer.status).toBe(500);
  expect(answer.json).toMatchObject({
    success: false,
    message: '导入失败',
    code: 'import_failed',
    error: expect.any(String),
  });
  expect(answer.json.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.text).not.toMatch(/secret internals|terminat|SELECT|order_items/);
};

it('an import that fails inside answers 500 导入失败, stores nothing, and is in the history', async () => {
  await withClient(async (client) => {
    await client.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'secret internals'; END $$`,
    );
    await client.query(
      'CREATE TRIGGER fail BEFORE INSERT ON order_items FOR EACH ROW EXECUTE FUNCTION fail()',
    );
  });
  failed(await importOne('inside'));
  await withClient((client) => client.query('DROP TRIGGER fail ON order_items'));
  await expectNothingStored('inside');
  expect((await importOne('inside')).json.data.new_orders).toBe(1);
});

it('an import whose connection is cut while it waits for its turn answers 500 导入失败 and stores nothing', async () => {
  await withClient(async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(20261, $1)', [accountId]);
    const answer = importOne('cut');
    // Not pg_stat_activity, whose contents do not change within a transaction.
    const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(async () => (await client.query(waiting)).rows.length, { timeout: 10_000 }).toBe(1);
    await client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
    failed(await answer);
    await client.query('ROLLBACK');
  });
  await expectNothingStored('cut');
  expect((await importOne('cut')).json.data.new_orders).toBe(1);
});
