import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedRelease } from '../../../scripts/keep-release';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { killServices, type ReadyService, startService } from '../../support/process/service-process';
import { readLastRelease, unpackRelease } from '../../support/service/last-release';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_SECRET, type TestService } from '../../support/service/test-service';

const TEMPORARY_TABLE_PATTERN = /^CREATE TEMPORARY TABLE/m;
/** Matches the statements that PostgreSQL cannot prepare. */
const UNPREPARABLE_PATTERN = /^(?:CREATE|LOCK|ANALYZE|SET LOCAL)\b/m;

let release: SavedRelease;
let newVersionService: TestService;
let lastReleaseService: ReadyService;
let lastReleaseUser: SignedInUser;
let newVersionUser: SignedInUser;
let folder: string;

/** The new version and the last release use one database, which the new version has migrated, as in a deployment. */
beforeAll(async () => {
  release = await readLastRelease();
  folder = await makeTemporaryFolder('last-release');
  newVersionService = await startTestService();
  const program = await unpackRelease(release, folder);
  lastReleaseService = await startService(
    { DATABASE_URL: newVersionService.database.url, NEXTAUTH_SECRET: TEST_SECRET },
    program,
  );
  lastReleaseUser = await createSignedInUser(
    { ...newVersionService, url: lastReleaseService.url },
    'operator',
  );
  newVersionUser = await createSignedInUser(newVersionService, 'operator');
}, 60_000);
afterAll(async () => {
  await lastReleaseService?.stop();
  await killServices();
  await newVersionService?.close();
  if (folder) await removeTemporaryFolder(folder);
});

async function sendTo(url: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Api-Key': newVersionService.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const importTo = (url: string, rows: object[]) =>
  sendTo(url, '/api/orders/import', { account_id: newVersionService.shopId, rows });
const makeRow = (receiptId: string, fields: object = {}) => ({
  receipt_id: receiptId,
  transaction_id: `${receiptId}T`,
  title: 'Brick',
  quantity: 1,
  price: 4.5,
  currency: 'USD',
  sale_date: '08/22/2026',
  country_name: 'Germany',
  ...fields,
});
const listOrders = async (user: SignedInUser, receiptId: string) => {
  const { data } = await user.call('orders.list', { filter: { text: receiptId } });
  return data.orders;
};

describe('the last release on the schema of the new version', () => {
  it('says that it is ready, and which version it is', async () => {
    expect((await sendTo(lastReleaseService.url, '/readyz')).json).toMatchObject({ status: 'ready' });
    expect(lastReleaseService.stdout()).toContain(`Brickdesk ${release.version} is ready`);
  });

  it('imports new orders, and updates those that the new version has imported', async () => {
    expect((await importTo(newVersionService.url, [makeRow('A1')])).status).toBe(200);
    const { json } = await importTo(lastReleaseService.url, [makeRow('A1', { quantity: 3 }), makeRow('A2')]);
    expect(json.data).toEqual({ new_orders: 1, updated_orders: 1, order_items_inserted: 1 });
    const secondResponse = await importTo(newVersionService.url, [
      makeRow('A1', { quantity: 3 }),
      makeRow('A2'),
    ]);
    expect(secondResponse.json.data).toEqual({ new_orders: 0, updated_orders: 2, order_items_inserted: 0 });
  });

  it('lists orders, shows one and changes it, and the new version sees the change', async () => {
    await importTo(newVersionService.url, [makeRow('LISTED1')]);
    // Search finds an order some time after its import.
    await expect.poll(() => listOrders(lastReleaseUser, 'LISTED1')).toHaveLength(1);
    const [order] = await listOrders(lastReleaseUser, 'LISTED1');
    const statusChange = { filter: { ids: [order.id] }, count: 1, status: 'cancelled' };
    expect((await lastReleaseUser.call('orders.setStatus', statusChange)).data).toEqual({ changed: 1 });
    expect((await lastReleaseUser.call('orders.one', { id: order.id })).status).toBe(200);
    expect(await listOrders(newVersionUser, 'LISTED1')).toMatchObject([
      { id: order.id, status: 'cancelled' },
    ]);
  });

  it('and the new version never give the same name to two shops, nor an internal error', async () => {
    const { url } = lastReleaseService;
    const [newAdmin, oldAdmin] = [
      await createSignedInUser(newVersionService, 'admin'),
      await createSignedInUser({ ...newVersionService, url }, 'admin'),
    ];
    const { data: shop } = await newAdmin.call('shops.create', { name: 'Twice' });
    for (let n = 0; n < 15; n++) {
      const name = `Twice ${n}`;
      const responses = await Promise.all([
        oldAdmin.call('shops.create', { name }),
        n % 2 === 0
          ? newAdmin.call('shops.create', { name })
          : newAdmin.call('shops.update', { id: shop.id, name }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  it('accepts callbacks, and shows those that the new version has received', async () => {
    const makeCallback = (trackingNumber: string) => ({
      event: 'tracking',
      data: { tracking_number: trackingNumber, status: 'in_transit', time: '2026-08-23T10:00:00Z' },
    });
    await importTo(lastReleaseService.url, [
      makeRow('C1', { tracking_number: 'CT1' }),
      makeRow('C2', { tracking_number: 'CT2' }),
    ]);
    for (const [receivingUrl, readingUrl, trackingNumber] of [
      [lastReleaseService.url, newVersionService.url, 'CT1'],
      [newVersionService.url, lastReleaseService.url, 'CT2'],
    ] as const) {
      const { json } = await sendTo(receivingUrl, '/api/v1/tracks', makeCallback(trackingNumber));
      expect(json.data).toMatchObject({ matched_orders: 1, updated_orders: 1, new_events: 1 });
      const textResponse = await sendTo(
        readingUrl,
        `/api/v1/tracking-text?tracking_number=${trackingNumber}`,
      );
      expect(textResponse.json.data).toMatchObject({
        status: 'in_transit',
        receipt_id: `C${trackingNumber.at(-1)}`,
      });
    }
  });

  it('writes and reads statistics', async () => {
    const day = { shop_id: 'test-shop', date: '2026-08-22' };
    expect(
      (await sendTo(lastReleaseService.url, '/api/shop-statistics', { ...day, total_visits: 7 })).status,
    ).toBe(200);
    const { json } = await sendTo(newVersionService.url, '/api/shop-statistics', { ...day, total_orders: 3 });
    expect(json.data).toMatchObject({ total_visits: 7, total_orders: 3, created: false });
    const productDay = { ...day, listing_id: 7, visits: 2 };
    expect((await sendTo(lastReleaseService.url, '/api/product-statistics', productDay)).status).toBe(200);
    for (const procedure of ['overview.read', 'statistics.shopDays'])
      expect([
        procedure,
        (await lastReleaseUser.call(procedure, { from: '2026-08-20', to: '2026-08-23' })).error,
      ]).toEqual([procedure, null]);
  });

  it('shows the errors that the new version has logged, and the new version shows its own', async () => {
    await sendTo(newVersionService.url, '/api/v1/tracking-text?tracking_number=NEW');
    await sendTo(lastReleaseService.url, '/api/v1/tracking-text?tracking_number=OLD');
    const [{ id }] = (await newVersionService.database.query(
      `SELECT api_key_id AS id FROM api_key_calls LIMIT 1`,
    )) as [{ id: number }];
    const readErrors = async (service: { url: string }) => {
      const owner = await createSignedInUser({ ...newVersionService, url: service.url }, 'owner');
      const { data, error } = await owner.call('keys.calls', { id, errors_only: true });
      expect(error).toBeNull();
      return data.calls.map((call: { error: object }) => call.error);
    };
    const loggedError = {
      code: 'not_found',
      reason: 'tracking.unknownNumber',
      values: { number: '…' },
      problems: [],
    };
    await expect.poll(() => readErrors(lastReleaseService)).toHaveLength(2);
    for (const service of [lastReleaseService, newVersionService])
      expect(await readErrors(service)).toEqual([loggedError, loggedError]);
  });

  it('has no statement that the new schema refuses', async () => {
    // Some statements read the tables of the job queue, which are created after the start.
    await expect
      .poll(() => newVersionService.database.query(`SELECT to_regclass('pgboss.job')::text AS job`))
      .toEqual([{ job: 'pgboss.job' }]);
    const client = new pg.Client({ connectionString: newVersionService.database.url });
    await client.connect();
    await client.query('BEGIN');
    const refusals: string[] = [];
    // Temporary tables first, because other statements use them.
    const createsTemporaryTable = (text: string) => TEMPORARY_TABLE_PATTERN.test(text);
    const statements = Object.entries(release.statements).sort(
      ([, a], [, b]) => Number(createsTemporaryTable(b)) - Number(createsTemporaryTable(a)),
    );
    for (const [name, text] of statements) {
      await client.query('SAVEPOINT before_statement');
      const statement = UNPREPARABLE_PATTERN.test(text) ? text : `PREPARE probe AS ${text}; DEALLOCATE probe`;
      await client.query(statement).catch(async (error: Error) => {
        refusals.push(`${name}: ${error.message}`);
        await client.query('ROLLBACK TO before_statement');
      });
    }
    await client.end();
    expect(refusals).toEqual([]);
  });
});
