import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runOnce } from '../../../src/server/gateway/idempotency-service';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let idempotencyKey: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(() => {
  idempotencyKey = randomUUID();
});

const send = (receiptId: string, options: { key?: string; apiKey?: string; quantity?: unknown } = {}) =>
  service.send('/api/orders/import', {
    body: {
      account_id: service.shopId,
      rows: [{ receipt_id: receiptId, transaction_id: '1', quantity: options.quantity ?? 1 }],
    },
    headers: {
      'Idempotency-Key': options.key ?? idempotencyKey,
      ...(options.apiKey ? { 'X-Api-Key': options.apiKey } : {}),
    },
  });

it('a request with the same Idempotency-Key and body gets the stored response', async () => {
  const firstResponse = await send('replay');
  expect(firstResponse.headers.get('idempotent-replayed')).toBeNull();
  expect(firstResponse.json.data.new_orders).toBe(1);
  const secondResponse = await send('replay');
  expect(secondResponse.status).toBe(200);
  expect(secondResponse.text).toBe(firstResponse.text);
  expect(secondResponse.headers.get('idempotent-replayed')).toBe('true');
});

it('a refusal is replayed like any other response, with the request id of the first one', async () => {
  const firstResponse = await send('refusal', { quantity: 'x' });
  const secondResponse = await send('refusal', { quantity: 'x' });
  expect([firstResponse.status, secondResponse.status]).toEqual([422, 422]);
  expect(secondResponse.text).toBe(firstResponse.text);
  expect(secondResponse.json.request_id).toBe(firstResponse.headers.get('x-request-id'));
  expect(secondResponse.headers.get('x-request-id')).not.toBe(firstResponse.headers.get('x-request-id'));
  expect(secondResponse.headers.get('idempotent-replayed')).toBe('true');
});

it('a request with the same Idempotency-Key and another body gets 422 and imports nothing', async () => {
  await send('one-body');
  const response = await send('another-body');
  expect(response.status).toBe(422);
  expect(response.json.errors[0].path).toBe('Idempotency-Key');
  expect(await service.database.query(`SELECT 1 FROM orders WHERE receipt_id = 'another-body'`)).toEqual([]);
});

it('only one of several concurrent requests with the same Idempotency-Key and body runs', async () => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => send('at-once')));
  expect(responses.map(({ json }) => json.data.new_orders)).toEqual(Array(6).fill(1));
  expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5);
  const imports = await service.database.query(
    `SELECT 1 FROM imports WHERE new_orders = 1 AND request_id = ANY($1)`,
    [responses.map(({ headers }) => headers.get('x-request-id'))],
  );
  expect(imports).toHaveLength(1);
});

it('every request without an Idempotency-Key runs', async () => {
  const sendWithoutKey = () => service.importRows([{ receipt_id: 'plain', transaction_id: '1' }]);
  expect((await sendWithoutKey()).json.data.new_orders).toBe(1);
  expect((await sendWithoutKey()).json.data.new_orders).toBe(0);
});

it('after 24 hours an Idempotency-Key can be used again', async () => {
  await send('day');
  await service.database.query(
    `UPDATE idempotent_requests SET created_at = now() - interval '25 hours' WHERE key = $1`,
    [idempotencyKey],
  );
  expect((await send('day')).json.data).toMatchObject({ new_orders: 0, updated_orders: 1 });
});

it('a call left behind by a process that died is taken over once its lease has expired', async () => {
  await send('died');
  await service.database.query(
    `UPDATE idempotent_requests SET status = NULL, body = NULL, leased_until = now() + interval '300 milliseconds' WHERE key = $1`,
    [idempotencyKey],
  );
  const response = await send('died');
  expect(response.json.data).toMatchObject({ new_orders: 0, updated_orders: 1 });
  expect(response.headers.get('idempotent-replayed')).toBeNull();
});

it('an internal failure is not stored, so the same call can be retried', async () => {
  const { services } = service.app;
  const [apiKey] = await service.database.query<{ id: number }>('SELECT id FROM api_keys LIMIT 1');
  const call = {
    apiKeyId: apiKey!.id,
    operation: 'test',
    key: idempotencyKey,
    bodyHash: createHash('sha256').digest(),
  };
  await expect(runOnce(services, call, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const retryResponse = await runOnce(services, call, async () => ({ status: 200, body: '{}' }));
  expect(retryResponse).toEqual({ status: 200, body: '{}', replayed: false });
});

it.each(['a b', 'ä', '\u0080', '', 'x'.repeat(256)])('the Idempotency-Key %j is refused', async (badKey) => {
  const { status, json } = await send('bad', { key: badKey });
  expect([status, json.errors[0].path]).toEqual([422, 'Idempotency-Key']);
  expect(await service.database.query(`SELECT 1 FROM orders WHERE receipt_id = 'bad'`)).toEqual([]);
});

it('two API keys can use the same Idempotency-Key independently', async () => {
  const { createApiKey } = await import('../../../src/server/identity/keys/service');
  const { key: otherKey } = await createApiKey(
    service.app.services.db,
    { kind: 'system', name: 'test' },
    { name: 'other', expiresAt: null },
  );
  await send('apart');
  expect((await send('apart', { apiKey: otherKey })).json.data).toMatchObject({
    new_orders: 0,
    updated_orders: 1,
  });
});
