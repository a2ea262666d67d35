import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type IndexingDelay,
  indexOrders,
  type RetryDelay,
  SearchIndexer,
} from '../../../../src/server/orders/indexing/search-service';
import { createShop } from '../../../../src/server/shops/account-service';
import { countWaitingStatements, openUnyieldingConnection } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

/** One more than the maximum number of matches that conditions-service.ts sorts as a whole. */
const MATCH_COUNT = 20_001;

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  // One order for each hour, going back from 11:00 UTC on 22 August 2026. Every second order has a lantern; only the oldest has the
  // rare word.
  await service.database.query(
    `INSERT INTO orders (shop_id, receipt_id, status, sale_date)
     SELECT $1::int, n::text, 'paid', timestamptz '2026-08-22 12:00Z' - n * interval '1 hour'
       FROM generate_series(1, 2 * $2::int) n`,
    [service.shopId, MATCH_COUNT],
  );
  await service.database.query(
    `INSERT INTO order_search (shop_id, order_id, document)
     SELECT shop_id, id, receipt_id || CASE WHEN receipt_id::int % 2 = 0 THEN E'\\nmoon lantern' ELSE E'\\nfox' END
                || CASE WHEN receipt_id::int = $1::int THEN ' rarest' ELSE '' END
       FROM orders`,
    [2 * MATCH_COUNT],
  );
});
afterAll(() => service?.close());

const listReceiptIds = async (filter: object, options: object = {}) => {
  const { data, error } = await viewer.call('orders.list', { filter, limit: 3, ...options });
  expect(error).toBeNull();
  return data.orders.map((order: { receipt_id: string }) => order.receipt_id);
};

it('a search for a very common word finds the newest orders first, page by page', async () => {
  expect(await listReceiptIds({ text: 'lantern' })).toEqual(['2', '4', '6']);
  const { data } = await viewer.call('orders.list', { filter: { text: 'lantern' }, limit: 3 });
  expect(await listReceiptIds({ text: 'lantern' }, { cursor: data.next })).toEqual(['8', '10', '12']);
  expect(await listReceiptIds({ text: 'moon lantern' }, { direction: 'oldest' })).toEqual(
    [0, 2, 4].map((offset) => String(2 * MATCH_COUNT - offset)),
  );
});

it('orders found by a very common word can be counted and filtered further', async () => {
  expect((await viewer.call('orders.count', { filter: { text: 'lantern' } })).data).toEqual({
    count: 10_000,
    more: true,
  });
  const dayFilter = { sold_from: '2026-08-21', sold_to: '2026-08-21' };
  expect(await listReceiptIds({ text: 'lantern', ...dayFilter }, { limit: 50 })).toEqual(
    await readEvenReceiptIds('2026-08-21'),
  );
});

it('a search for a rare word finds its orders wherever they are in the list', async () => {
  expect(await listReceiptIds({ text: 'rarest' })).toEqual([String(2 * MATCH_COUNT)]);
  expect(await listReceiptIds({ text: 'lantern rarest' })).toEqual([String(2 * MATCH_COUNT)]);
  expect(await listReceiptIds({ text: 'fox rarest' })).toEqual([]);
});

/** Returns the even order numbers of a day in New York, newest first. */
async function readEvenReceiptIds(day: string): Promise<string[]> {
  const rows = await service.database.query<{ receipt_id: string }>(
    `SELECT receipt_id FROM orders WHERE (sale_date AT TIME ZONE 'America/New_York')::date = $1::date
        AND receipt_id::int % 2 = 0 ORDER BY sale_date DESC`,
    [day],
  );
  expect(rows).toHaveLength(12);
  return rows.map((row) => row.receipt_id);
}

/** Makes the last import, of an order with this title, look as if it had not been indexed yet. No run of the indexer is scheduled. */
async function makeLastImportUnindexed(title: string): Promise<void> {
  await service.database.query('DELETE FROM order_search WHERE document LIKE $1', [`%${title}%`]);
  await service.database.query(
    'UPDATE imports SET searchable = false WHERE id = (SELECT max(id) FROM imports)',
  );
}

it('indexing an import never overwrites a tracking number that is added at the same time', async () => {
  const [order] = await service.database.query<{ id: string }>(
    `INSERT INTO orders (shop_id, receipt_id, status) VALUES ($1, 'r-1', 'paid') RETURNING id::text`,
    [service.shopId],
  );
  const { db, log, searchIndexer } = service.app.services;
  await service.importRows([{ receipt_id: 'r-1', title: 'Zebra' }]);
  await searchIndexer.finishIndexing();
  await makeLastImportUnindexed('zebra');
  const otherConnection = new pg.Client({ connectionString: service.database.url });
  await otherConnection.connect();
  await otherConnection.query('BEGIN');
  await otherConnection.query('SELECT 1 FROM orders WHERE shop_id = $1 AND id = $2 FOR UPDATE', [
    service.shopId,
    order!.id,
  ]);
  await otherConnection.query(
    `INSERT INTO order_search (shop_id, order_id, document) VALUES ($1, $2, E'r-1\\nzebra\\nadded-number')`,
    [service.shopId, order!.id],
  );
  await otherConnection.query(`INSERT INTO tracking_numbers (tracking_number) VALUES ('ADDED-NUMBER')`);
  await otherConnection.query(
    `INSERT INTO shipments (shop_id, order_id, tracking_number) VALUES ($1, $2, 'ADDED-NUMBER')`,
    [service.shopId, order!.id],
  );
  const indexingPromise = indexOrders(db, log);
  await expect.poll(() => countWaitingStatements(service.database)).toBeGreaterThan(0);
  await otherConnection.query('COMMIT');
  await otherConnection.end();
  await indexingPromise;
  expect(
    await service.database.query('SELECT document FROM order_search WHERE order_id = $1', [order!.id]),
  ).toEqual([{ document: 'r-1\nzebra\nadded-number' }]);
});

it('a shop that cannot be indexed does not keep other shops from being indexed', async () => {
  const { db, log, searchIndexer } = service.app.services;
  const { id: otherShopId } = await createShop(db, TEST_ACTOR, { name: 'Other shop', shopId: 'other-shop' });
  await searchIndexer.finishIndexing();
  await service.database.query(
    `ALTER TABLE order_search ADD CONSTRAINT no_unicorns CHECK (document NOT LIKE '%unicorn%') NOT VALID`,
  );
  const cells = { sale_date: '8/20/2026', quantity: 2 };
  await service.importRows([{ ...cells, receipt_id: 'refused', title: 'Unicorn' }]);
  await service.importRows([{ ...cells, receipt_id: 'indexed', title: 'Badger' }], {
    account_id: otherShopId,
  });
  const readDays = () =>
    service.database.query('SELECT day::text, quantity::int FROM order_days WHERE shop_id = $1', [
      otherShopId,
    ]);

  // Gives up the retry as well, which could index the order in the middle of the test.
  await (searchIndexer as SearchIndexer).close();
  expect(await listReceiptIds({ text: 'badger' })).toEqual(['indexed']);
  expect(await readDays()).toEqual([{ day: '2026-08-20', quantity: 2 }]);
  expect(service.readLog()).toContain(`"shopId":${service.shopId},"msg":"orders of a shop could not`);
  // The run fails, so that the job queue reports the problem.
  await expect(indexOrders(db, log)).rejects.toThrow(
    `orders of a shop could not be made searchable: ${service.shopId}`,
  );

  await service.database.query('ALTER TABLE order_search DROP CONSTRAINT no_unicorns');
  expect(await indexOrders(db, log)).toBe(1);
  expect(await listReceiptIds({ text: 'unicorn' })).toEqual(['refused']);
});

it('indexing that PostgreSQL ends because of a deadlock is repeated immediately', async () => {
  const { db, log, searchIndexer } = service.app.services;
  await service.importRows([{ receipt_id: 'deadlocked', sale_date: '8/20/2026', title: 'Quokka' }]);
  await searchIndexer.finishIndexing();
  await service.database.query(
    'UPDATE imports SET searchable = false WHERE id = (SELECT max(id) FROM imports)',
  );
  const otherConnection = await openUnyieldingConnection(service.database);
  await otherConnection.query('BEGIN');
  await otherConnection.query('SELECT 1 FROM shops WHERE id = $1 FOR UPDATE', [service.shopId]);
  const indexingPromise = indexOrders(db, log);
  await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
  // The advisory lock of a shop's daily sums.
  await otherConnection.query('SELECT pg_advisory_xact_lock(20262, $1)', [service.shopId]);
  await otherConnection.query('COMMIT');
  await otherConnection.end();
  expect(await indexingPromise).toBe(1);
});

it('the first titles and the tracking numbers of an order with very many items are searchable', async () => {
  const { shopId, database, app } = service;
  const [order] = await database.query<{ id: string }>(
    `INSERT INTO orders (shop_id, receipt_id, status) VALUES ($1, 'huge', 'paid') RETURNING id::text`,
    [shopId],
  );
  await database.query(
    `INSERT INTO order_items (shop_id, order_id, transaction_id, title)
     SELECT $1, $2, 'huge-' || n, md5(n::text) || 'ü' FROM generate_series(1, 20000) n`,
    [shopId, order!.id],
  );
  await service.importRows([{ receipt_id: 'huge', tracking_number: 'HUGE123456' }]);
  await app.services.searchIndexer.finishIndexing();
  const titleOf = (n: number) => createHash('md5').update(String(n)).digest('hex');
  expect(await listReceiptIds({ text: titleOf(1) })).toEqual(['huge']);
  expect(await listReceiptIds({ text: 'uge12345' })).toEqual(['huge']);
  expect(await listReceiptIds({ text: titleOf(20_000) })).toEqual([]);
});

/** Imports an order and makes it look as if it had not been indexed yet. Returns an indexer that indexes it. */
async function importUnindexedOrder(
  title: string,
  delay: IndexingDelay,
  retryDelay?: RetryDelay,
): Promise<SearchIndexer> {
  const { db, log, searchIndexer } = service.app.services;
  await service.importRows([{ receipt_id: title, title }]);
  await searchIndexer.finishIndexing();
  await makeLastImportUnindexed(title);
  return new SearchIndexer(db, log, delay, retryDelay);
}

it('orders become searchable even if imports follow each other without a pause', async () => {
  const indexer = await importUnindexedOrder('axolotl', { quietMs: 60_000, maxWaitMs: 500 });
  await expect
    .poll(() => {
      indexer.schedule();
      return listReceiptIds({ text: 'axolotl' });
    })
    .toEqual(['axolotl']);
  await indexer.finishIndexing();
});

it('indexing waits while an import is running', async () => {
  const indexer = await importUnindexedOrder('pangolin', { quietMs: 100, maxWaitMs: 60_000 });
  indexer.schedule();
  await indexer.duringImport(async () => {
    await sleep(400);
    expect(await listReceiptIds({ text: 'pangolin' })).toEqual([]);
  });
  await expect.poll(() => listReceiptIds({ text: 'pangolin' })).toEqual(['pangolin']);
  await indexer.finishIndexing();
});

it('indexing that fails is tried again soon without another import', async () => {
  const delay = { quietMs: 0, maxWaitMs: 0 };
  const indexer = await importUnindexedOrder('narwhal', delay, { firstMs: 50, maxMs: 200 });
  await service.database.query(
    `ALTER TABLE order_search ADD CONSTRAINT no_narwhals CHECK (document NOT LIKE '%narwhal%') NOT VALID`,
  );
  const countFailures = () => service.readLog().split('orders could not be made searchable').length - 1;
  const earlierFailures = countFailures();
  indexer.schedule();
  await expect.poll(countFailures).toBeGreaterThan(earlierFailures + 3);
  await service.database.query('ALTER TABLE order_search DROP CONSTRAINT no_narwhals');
  await expect.poll(() => listReceiptIds({ text: 'narwhal' })).toEqual(['narwhal']);
  await indexer.close();
});

it('indexing that fails is not tried again once the indexer is closed', async () => {
  const delay = { quietMs: 0, maxWaitMs: 0 };
  const indexer = await importUnindexedOrder('okapi', delay, { firstMs: 50, maxMs: 50 });
  await service.database.query(
    `ALTER TABLE order_search ADD CONSTRAINT no_okapis CHECK (document NOT LIKE '%okapi%') NOT VALID`,
  );
  indexer.schedule();
  await indexer.close();
  await service.database.query('ALTER TABLE order_search DROP CONSTRAINT no_okapis');
  await sleep(300);
  expect(await listReceiptIds({ text: 'okapi' })).toEqual([]);
});
