import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  runOnce,
  type StoredResponse,
  type StoreResponse,
} from '../../../src/server/gateway/idempotency-service';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let idempotencyKey: string;

beforeAll(async () => {
  service = await startTestService();
  await service.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'responses cannot be stored'; END $$`);
});
afterAll(() => service.close());
beforeEach(() => {
  idempotencyKey = randomUUID();
});

const send = (receiptId: string, quantity: unknown = 1) =>
  service.send('/api/orders/import', {
    body: { account_id: service.shopId, rows: [{ receipt_id: receiptId, transaction_id: '1', quantity }] },
    headers: { 'Idempotency-Key': idempotencyKey },
  });
const readClaimedAt = async () => {
  const sql = 'SELECT created_at::text FROM idempotent_requests WHERE key = $1';
  return (await service.database.query<{ created_at: string }>(sql, [idempotencyKey]))[0]?.created_at ?? null;
};
/** Stores a response as an operation does, on a connection of its own. */
const storeSecondResponse = async (storeResponse: StoreResponse) => {
  const client = await service.app.services.db.pool.connect();
  try {
    await storeResponse(client, { success: 'second' });
  } finally {
    client.release();
  }
};
const findOrders = (receiptId: string) =>
  service.database.query('SELECT 1 FROM orders WHERE receipt_id = $1', [receiptId]);

/** Runs `work` while no response can be stored. */
async function runWithoutStorage<Result>(work: () => Promise<Result>): Promise<Result> {
  await service.database.query(
    'CREATE TRIGGER refuse BEFORE UPDATE OF status ON idempotent_requests FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  try {
    return await work();
  } finally {
    await service.database.query('DROP TRIGGER refuse ON idempotent_requests');
  }
}

it('an import whose response cannot be stored creates no orders, and a retry creates them', async () => {
  const failedResponse = await runWithoutStorage(() => send('unkept'));
  expect([failedResponse.status, failedResponse.json.message]).toEqual([500, '导入失败']);
  expect(await findOrders('unkept')).toEqual([]);
  const retryResponse = await send('unkept');
  expect([retryResponse.status, retryResponse.json.data.new_orders]).toEqual([200, 1]);
});

it('a refusal that cannot be stored is sent all the same', async () => {
  expect((await runWithoutStorage(() => send('refused', 'x'))).status).toBe(422);
});

it('the stored response of an import is word for word the one that is sent', async () => {
  const response = await send('together');
  const [row] = await service.database.query<{ status: number; body: string }>(
    'SELECT status, body FROM idempotent_requests WHERE key = $1',
    [idempotencyKey],
  );
  expect(row).toEqual({ status: 200, body: response.text });
});

it('if a process dies after its commit, a repeated call gets the stored response', async () => {
  const { services } = service.app;
  const [apiKey] = await service.database.query<{ id: number }>('SELECT id FROM api_keys LIMIT 1');
  const call = {
    apiKeyId: apiKey!.id,
    operation: 'test',
    key: idempotencyKey,
    bodyHash: createHash('sha256').digest(),
  };
  const output = { success: true, data: { new_orders: 1 } };
  let markCommitted = () => {};
  const commitPromise = new Promise<void>((resolve) => {
    markCommitted = resolve;
  });
  // A run that never returns after its commit stands for a process that has died.
  const commitAndHang = (storeResponse: StoreResponse) =>
    (async () => {
      const client = await services.db.pool.connect();
      await client.query('BEGIN');
      await storeResponse(client, output);
      await client.query('COMMIT');
      client.release();
      markCommitted();
      return new Promise<StoredResponse>(() => {});
    })();
  void runOnce(services, call, commitAndHang);
  await commitPromise;
  const replayedResponse = await runOnce(services, call, () =>
    Promise.reject(new Error('runs a second time')),
  );
  expect(replayedResponse).toEqual({ status: 200, body: JSON.stringify(output), replayed: true });
});

it('if the confirmation of a commit is lost, the call gets the stored response', async () => {
  const { services } = service.app;
  const [apiKey] = await service.database.query<{ id: number }>('SELECT id FROM api_keys LIMIT 1');
  const call = {
    apiKeyId: apiKey!.id,
    operation: 'test',
    key: idempotencyKey,
    bodyHash: createHash('sha256').digest(),
  };
  const response = await runOnce(services, call, async (storeResponse) => {
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    await client.query('BEGIN');
    await storeResponse(client as never, { success: true });
    await client.query('COMMIT');
    await client.end();
    throw new Error('Connection terminated unexpectedly');
  });
  expect(response).toEqual({ status: 200, body: '{"success":true}', replayed: false });
});

it('a call that another process has taken over and finished gets the response of that process', async () => {
  const { services } = service.app;
  const [apiKey] = await service.database.query<{ id: number }>('SELECT id FROM api_keys LIMIT 1');
  const call = {
    apiKeyId: apiKey!.id,
    operation: 'test',
    key: idempotencyKey,
    bodyHash: createHash('sha256').digest(),
  };
  const response = await runOnce(services, call, async (storeResponse) => {
    await service.database.query(
      `UPDATE idempotent_requests SET status = 200, body = '"first"' WHERE key = $1`,
      [idempotencyKey],
    );
    await storeSecondResponse(storeResponse);
    return { status: 200, body: '"second"' };
  });
  expect(response).toMatchObject({ status: 200, body: '"first"' });
});

it('a call that fails after another process has taken it over leaves the claim to that process', async () => {
  const { services } = service.app;
  const [apiKey] = await service.database.query<{ id: number }>('SELECT id FROM api_keys LIMIT 1');
  const call = {
    apiKeyId: apiKey!.id,
    operation: 'test',
    key: idempotencyKey,
    bodyHash: createHash('sha256').digest(),
  };
  let failFirstCall = (_: Error) => {};
  const firstCallPromise = runOnce(
    services,
    call,
    () =>
      new Promise<never>((_, reject) => {
        failFirstCall = reject;
      }),
  );
  await expect.poll(() => readClaimedAt()).not.toBeNull();
  // As if the first process could not renew its lease.
  await service.database.query(
    `UPDATE idempotent_requests SET leased_until = now() - interval '1 s' WHERE key = $1`,
    [idempotencyKey],
  );
  const claimedAt = await readClaimedAt();
  let finishSecondCall = () => {};
  const finishPromise = new Promise<void>((resolve) => {
    finishSecondCall = resolve;
  });
  const secondCallPromise = runOnce(services, call, async (storeResponse) => {
    await finishPromise;
    await storeSecondResponse(storeResponse);
    return { status: 200, body: '{"success":"second"}' };
  });
  await expect.poll(() => readClaimedAt()).not.toBe(claimedAt);
  failFirstCall(new Error('too late'));
  await expect(firstCallPromise).rejects.toThrow('too late');
  finishSecondCall();
  expect(await secondCallPromise).toEqual({ status: 200, body: '{"success":"second"}', replayed: false });
});

it('a call that another process has taken over but not finished fails with service_unavailable', async () => {
  const { services } = service.app;
  const [apiKey] = await service.database.query<{ id: number }>('SELECT id FROM api_keys LIMIT 1');
  const call = {
    apiKeyId: apiKey!.id,
    operation: 'test',
    key: idempotencyKey,
    bodyHash: createHash('sha256').digest(),
  };
  const responsePromise = runOnce(services, call, async (storeResponse) => {
    await service.database.query(
      `UPDATE idempotent_requests SET created_at = created_at + interval '1 s' WHERE key = $1`,
      [idempotencyKey],
    );
    await storeSecondResponse(storeResponse);
    return { status: 200, body: '{"success":"second"}' };
  });
  await expect(responsePromise).rejects.toMatchObject({ code: 'service_unavailable' });
});
