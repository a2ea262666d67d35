import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createLog } from '../../../../src/server/core/log';
import { type Database, openDatabase } from '../../../../src/server/db/client';
import { createShop } from '../../../../src/server/shops/account-service';
import { receiveCallback } from '../../../../src/server/tracking/callbacks/service';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

// With this setting, a cluster refuses statements for several shards, which may be on several servers.
// A single PostgreSQL ignores it and accepts everything.
const ONE_SERVER_OPTIONS = '-c citus.multi_task_query_log_level=error';

let service: TestService;
let strictDatabase: Database;

beforeAll(async () => {
  service = await startTestService();
  const url = new URL(service.database.url);
  url.searchParams.set('options', ONE_SERVER_OPTIONS);
  strictDatabase = openDatabase({ url: url.href, poolSize: 2, bulkPoolSize: 1, log: createLog('silent') });
});
afterAll(async () => {
  await strictDatabase.close();
  await service.close();
});

it('every statement of a callback needs only one server, even if orders of several shops have its number', async () => {
  const { id: secondShopId } = await createShop(service.app.services.db, TEST_ACTOR, { name: 'Second' });
  await service.importRows([{ receipt_id: 'first', tracking_number: 'BOTH1' }]);
  await service.importRows([{ receipt_id: 'second', tracking_number: 'BOTH1' }], {
    account_id: secondShopId,
  });
  const data = { tracking_number: 'BOTH1', status: 'delivered', time: '2026-08-28T10:00:00Z' };
  const [{ id: apiKeyId } = { id: 0 }] = await service.database.query<{ id: number }>(
    'SELECT id FROM api_keys',
  );
  const callback = {
    body: Buffer.from(JSON.stringify({ event: 'tracking', data })),
    receivedRequest: { method: 'POST', query: [], headers: {} },
    sign: null,
    apiKeyId,
    requestId: 'both',
  };
  const result = await receiveCallback(strictDatabase, callback, { signingSecret: undefined });
  expect(result).toMatchObject({ matched_orders: 2, updated_orders: 2, new_events: 1 });
  for (const receiptId of ['first', 'second'])
    expect(await readStoredOrder(service.database, receiptId)).toMatchObject({ status: 'delivered' });
});

it.runIf(inject('workers').length > 0)('the cluster refuses a statement for all shops', async () => {
  await expect(strictDatabase.pool.query('SELECT count(*) FROM orders')).rejects.toThrow('multi-task query');
});
