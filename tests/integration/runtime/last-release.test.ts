import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedRelease } from '../../../scripts/keep-release';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { readLastRelease, unpackRelease } from '../../support/service/last-release';
import { killServices, type ReadyService, startService } from '../../support/service/service-process';
import { type SignedIn, signedInAs } from '../../support/service/signed-in';
import { startTestService, TEST_SECRET, type TestService } from '../../support/service/test-service';

const TEMPORARY_TABLE = /^CREATE TEMPORARY TABLE/m;
/** Statements that PostgreSQL cannot prepare. */
const UNPREPARABLE = /^(?:CREATE|LOCK|ANALYZE|SET LOCAL)\b/m;

let release: SavedRelease;
let ours: TestService;
let theirs: ReadyService;
let theirUser: SignedIn;
let ourUser: SignedIn;
let folder: string;

/** Both versions use one database, which ours has migrated, as during a deployment and after a rollback. */
beforeAll(async () => {
  release = await readLastRelease();
  folder = await makeTemporaryFolder('last-release');
  ours = await startTestService();
  const program = await unpackRelease(release, folder);
  theirs = await startService({ DATABASE_URL: ours.database.url, NEXTAUTH_SECRET: TEST_SECRET }, program);
  theirUser = await signedInAs({ ...ours, url: theirs.url }, 'operator');
  ourUser = await signedInAs(ours, 'operator');
}, 60_000);
afterAll(async () => {
  await theirs?.stop();
  await killServices();
  await ours?.close();
  if (folder) await removeTemporaryFolder(folder);
});

async function sendTo(url: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Api-Key': ours.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const importTo = (url: string, rows: object[]) =>
  sendTo(url, '/api/orders/import', { account_id: ours.accountId, rows });
const row = (receiptId: string, fields: object = {}) => ({
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
const listOrders = async (user: SignedIn, receiptId: string) => {
  const { data } = await user.call('orders.list', { filter: { text: receiptId } });
  return data.orders;
};

describe('the last release on our schema', () => {
  it('says that it is ready, and which version it is', async () => {
    expect((await sendTo(theirs.url, '/readyz')).json).toMatchObject({ status: 'ready' });
    expect(theirs.stdout()).toContain(`Brickdesk ${release.version} is ready`);
  });

  it('imports new orders, and changes those that the new version has imported', async () => {
    expect((await importTo(ours.url, [row('A1')])).status).toBe(200);
    const { json } = await importTo(theirs.url, [row('A1', { quantity: 3 }), row('A2')]);
    expect(json.data).toEqual({ new_orders: 1, updated_orders: 1, order_items_inserted: 1 });
    const again = await importTo(ours.url, [row('A1', { quantity: 3 }), row('A2')]);
    expect(again.json.data).toEqual({ new_orders: 0, updated_orders: 2, order_items_inserted: 0 });
  });

  it('lists orders, shows one and changes it, and the new version sees the change', async () => {
    await importTo(ours.url, [row('LISTED1')]);
    // Search finds an order some time after its import.
    await expect.poll(() => listOrders(theirUser, 'LISTED1')).toHaveLength(1);
    const [order] = await listOrders(theirUser, 'LISTED1');
    const status = { filter: { ids: [order.id] }, count: 1, status: 'cancelled' };
    expect((await theirUser.call('orders.setStatus', status)).data).toEqual({ changed: 1 });
    expect((await theirUser.call('orders.one', { id: order.id })).status).toBe(200);
    expect(await listOrders(ourUser, 'LISTED1')).toMatchObject([{ id: order.id, status: 'cancelled' }]);
  });

  it('accepts callbacks, and shows those that the new version has received', async () => {
    const callback = (number: string) => ({
      event: 'tracking',
      data: { tracking_number: number, status: 'in_transit', time: '2026-08-23T10:00:00Z' },
    });
    await importTo(theirs.url, [
      row('C1', { tracking_number: 'CT1' }),
      row('C2', { tracking_number: 'CT2' }),
    ]);
    for (const [from, to, number] of [
      [theirs.url, ours.url, 'CT1'],
      [ours.url, theirs.url, 'CT2'],
    ] as const) {
      const { json } = await sendTo(from, '/api/v1/tracks', callback(number));
      expect(json.data).toMatchObject({ matched_orders: 1, updated_orders: 1, new_events: 1 });
      const tracking = await sendTo(to, `/api/v1/tracking-text?tracking_number=${number}`);
      expect(tracking.json.data).toMatchObject({ status: 'in_transit', receipt_id: `C${number.at(-1)}` });
    }
  });

  it('writes and reads statistics', async () => {
    const day = { shop_id: 'test-shop', date: '2026-08-22' };
    expect((await sendTo(theirs.url, '/api/shop-statistics', { ...day, total_visits: 7 })).status).toBe(200);
    const { json } = await sendTo(ours.url, '/api/shop-statistics', { ...day, total_orders: 3 });
    expect(json.data).toMatchObject({ total_visits: 7, total_orders: 3, created: false });
    const product = { ...day, listing_id: 7, visits: 2 };
    expect((await sendTo(theirs.url, '/api/product-statistics', product)).status).toBe(200);
    for (const query of ['overview.read', 'statistics.shopDays'])
      expect([query, (await theirUser.call(query, { from: '2026-08-20', to: '2026-08-23' })).error]).toEqual([
        query,
        null,
      ]);
  });

  it('has no statement that our schema refuses', async () => {
    // Some statements read the tables of the job queue, which are created after the start.
    await expect
      .poll(() => ours.database.query(`SELECT to_regclass('pgboss.job')::text AS job`))
      .toEqual([{ job: 'pgboss.job' }]);
    const client = new pg.Client({ connectionString: ours.database.url });
    await client.connect();
    await client.query('BEGIN');
    const refusals: string[] = [];
    // Temporary tables first, because other statements use them.
    const createsTemporaryTable = (text: string) => Number(TEMPORARY_TABLE.test(text));
    const statements = Object.entries(release.statements).sort(
      ([, a], [, b]) => createsTemporaryTable(b) - createsTemporaryTable(a),
    );
    for (const [name, text] of statements) {
      await client.query('SAVEPOINT before');
      const statement = UNPREPARABLE.test(text) ? text : `PREPARE kept AS ${text}; DEALLOCATE kept`;
      await client.query(statement).catch(async (error: Error) => {
        refusals.push(`${name}: ${error.message}`);
        await client.query('ROLLBACK TO before');
      });
    }
    await client.end();
    expect(refusals).toEqual([]);
  });
});
