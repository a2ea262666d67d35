import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/server/db/transaction';
import { recomputeDaySums } from '../../../src/server/orders/indexing/day-service';
import { deleteMarkedShops } from '../../../src/server/shop-data/removal-service';
import { countWaitingStatements } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let otherConnection: pg.Client;
let shopCount = 0;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
});
afterAll(() => service.close());
beforeEach(async () => {
  otherConnection = new pg.Client({ connectionString: service.database.url });
  await otherConnection.connect();
});
afterEach(() => otherConnection.end());

const makeName = () => `Shop ${++shopCount}`;
async function makeShop(): Promise<{ id: number; name: string; shop_id: string }> {
  const name = makeName();
  const shop_id = name.toLowerCase().replace(' ', '-');
  const { data } = await owner.call('shops.create', { name, shop_id });
  return { id: data.id, name, shop_id };
}
const readShop = async (id: number) => {
  const [row] = await service.database.query<{ name: string; currency: string | null; isMarked: boolean }>(
    `SELECT name, currency, deleting_at IS NOT NULL AS "isMarked" FROM shops WHERE id = $1`,
    [id],
  );
  return row!;
};
const waitForWaitingStatements = (count: number) =>
  expect.poll(() => countWaitingStatements(service.database)).toBe(count);

/** Locks a shop's row as an import does until it has stored its orders. */
async function lockAsImport(id: number): Promise<void> {
  await otherConnection.query('BEGIN');
  await otherConnection.query('SELECT 1 FROM shops WHERE id = $1 FOR KEY SHARE', [id]);
}

/** Calls a procedure, and returns the status and Retry-After of its response. */
async function post(
  path: string,
  input: object,
): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const response = await fetch(`${service.url}/api/trpc/${path}`, {
    method: 'POST',
    headers: { Origin: service.url, 'Content-Type': 'application/json', Cookie: owner.cookie },
    body: JSON.stringify(input),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

it("a rename waits for the sums of the shop's first orders, which set its currency, without a deadlock", async () => {
  const { id } = await makeShop();
  await service.importRows(
    [
      { receipt_id: `a-${id}`, sale_date: '8/20/2026', quantity: 1 },
      { receipt_id: `b-${id}`, sale_date: '8/21/2026', quantity: 1, item_total: '5', currency: 'USD' },
    ],
    { account_id: id },
  );
  const { db, searchIndexer } = service.app.services;
  await searchIndexer.finishIndexing();
  await service.database.query('UPDATE shops SET currency = NULL WHERE id = $1', [id]);
  await service.database.query('DELETE FROM order_days WHERE shop_id = $1', [id]);
  const newName = makeName();
  let renamePromise: ReturnType<SignedInUser['call']>;
  await inTransaction(db.bulkPool, async (client) => {
    await recomputeDaySums(client, id, ['2026-08-20']);
    renamePromise = owner.call('shops.update', { id, name: newName });
    await waitForWaitingStatements(1);
    await recomputeDaySums(client, id, ['2026-08-21']);
  });
  expect((await renamePromise!).error).toBeNull();
  expect(await readShop(id)).toMatchObject({ name: newName, currency: 'USD' });
});

it('a rename waits until other transactions no longer refer to the shop, even if several do', async () => {
  const { id } = await makeShop();
  await lockAsImport(id);
  const newName = makeName();
  let renamePromise: ReturnType<SignedInUser['call']>;
  await inTransaction(service.app.services.db.bulkPool, async (client) => {
    await client.query('SELECT 1 FROM shops WHERE id = $1 FOR KEY SHARE', [id]);
    renamePromise = owner.call('shops.update', { id, name: newName });
    await waitForWaitingStatements(1);
    await client.query(`UPDATE shops SET currency = 'EUR' WHERE id = $1`, [id]);
  });
  await otherConnection.query('COMMIT');
  expect((await renamePromise!).error).toBeNull();
  expect(await readShop(id)).toMatchObject({ name: newName, currency: 'EUR' });
});

describe('while an import of a shop is running', () => {
  it('a rename gets 503 with Retry-After after a few seconds; other shops are created and renamed, and get prompts, immediately', async () => {
    const [busyShop, otherShop] = [await makeShop(), await makeShop()];
    await lockAsImport(busyShop.id);
    let hasRenameEnded = false;
    const renamePromise = post('shops.update', { id: busyShop.id, name: makeName() }).finally(() => {
      hasRenameEnded = true;
    });
    await waitForWaitingStatements(1);
    const responses = [
      await owner.call('shops.create', { name: makeName() }),
      await owner.call('shops.update', { id: otherShop.id, name: makeName() }),
      await owner.call('prompts.set', { shop_name: otherShop.name, text: 'Kindly.' }),
      await owner.call('prompts.set', { shop_name: makeName(), text: 'Kindly.' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // None of them waited for the import, nor for the rename, which goes on waiting.
    expect([hasRenameEnded, await countWaitingStatements(service.database)]).toEqual([false, 1]);
    const { status, retryAfter, text } = await renamePromise;
    expect([status, retryAfter]).toEqual([503, '60']);
    expect(text).toContain('recordsBusy');
    await otherConnection.query('COMMIT');
    expect(await readShop(busyShop.id)).toMatchObject({ name: busyShop.name });
    expect((await owner.call('shops.update', { id: busyShop.id, name: makeName() })).status).toBe(200);
  });

  it('changes that leave its name and shop_id alone do not wait', async () => {
    const shop = await makeShop();
    await lockAsImport(shop.id);
    const { id, name, shop_id } = shop;
    const responses = [
      await owner.call('shops.update', { id, name, shop_id, time_zone: 'Europe/London' }),
      await owner.call('shops.archive', { id }),
      await owner.call('shops.restore', { id }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('the deletion of a shop', () => {
  it('is refused if the shop has got another name since the user typed it, and leaves no trace', async () => {
    const { id, name } = await makeShop();
    const newName = makeName();
    await otherConnection.query('BEGIN');
    await otherConnection.query('UPDATE shops SET name = $2 WHERE id = $1', [id, newName]);
    const deletionPromise = owner.call('shopData.delete', { id, name });
    await waitForWaitingStatements(1);
    await otherConnection.query('COMMIT');
    const { status, error } = await deletionPromise;
    expect([status, error?.problems]).toEqual([
      422,
      [{ path: 'name', message: `must be the name of the shop: ${newName}` }],
    ]);
    expect(await readShop(id)).toMatchObject({ isMarked: false });
    expect(
      await service.database.query(
        `SELECT 1 FROM audit_log WHERE action = 'account.delete' AND record_id = $1`,
        [String(id)],
      ),
    ).toEqual([]);
  });

  it('and a rename that are requested at the same time never both succeed, and the audit log has the name of the marked shop', async () => {
    for (let n = 0; n < 20; n++) {
      const { id, name } = await makeShop();
      const [deletion, rename] = await Promise.all([
        owner.call('shopData.delete', { id, name }),
        owner.call('shops.update', { id, name: makeName(), shop_id: `moved-${id}` }),
      ]);
      expect([
        [200, 409],
        [422, 200],
      ]).toContainEqual([deletion.status, rename.status]);
      if (deletion.status !== 200) continue;
      const [entry] = await service.database.query<{ isSame: boolean }>(
        `SELECT a.before ->> 'name' = s.name AND a.before ->> 'shop_id' = s.shop_id AS "isSame"
           FROM audit_log a JOIN shops s ON s.id = $1 WHERE a.action = 'account.delete' AND a.record_id = $2`,
        [id, String(id)],
      );
      expect(entry).toEqual({ isSame: true });
    }
  });

  it('deletes the statistics of the shop_id that the shop has, not of one that another shop has taken over', async () => {
    const [shop, nextShop] = [await makeShop(), await makeShop()];
    const newShopId = `new-${shop.shop_id}`;
    for (const shop_id of [shop.shop_id, newShopId])
      await service.send('/api/shop-statistics', { body: { shop_id, date: '2026-01-01' } });
    await service.database.query('UPDATE shops SET deleting_at = now() WHERE id = $1', [shop.id]);
    await otherConnection.query('BEGIN');
    // The advisory lock of a shop's deletion.
    await otherConnection.query('SELECT pg_advisory_xact_lock(20263, $1)', [shop.id]);
    const deletionPromise = deleteMarkedShops(service.app.services);
    await waitForWaitingStatements(1);
    await otherConnection.query('UPDATE shops SET shop_id = $2 WHERE id = $1', [shop.id, newShopId]);
    await otherConnection.query('UPDATE shops SET shop_id = $2 WHERE id = $1', [nextShop.id, shop.shop_id]);
    await otherConnection.query('COMMIT');
    await deletionPromise;
    expect(
      await service.database.query('SELECT shop_id FROM shop_daily_statistics WHERE shop_id = ANY($1)', [
        [shop.shop_id, newShopId],
      ]),
    ).toEqual([{ shop_id: shop.shop_id }]);
  });
});
