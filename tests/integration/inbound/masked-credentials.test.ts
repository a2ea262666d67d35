import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MASKED } from '../../../src/server/core/credentials';
import { apiKeys } from '../../../src/server/identity/secret-token';
import { findSecrets } from '../../support/find-secrets';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const readRecord = async (id: unknown) => {
  const [row] = await service.database.query(
    `SELECT query, headers, convert_from(body, 'UTF8') AS body FROM inbound_records WHERE id = $1`,
    [id],
  );
  return row as { query: [string, string][]; headers: Record<string, string>; body: string };
};

const { secret: otherKey } = apiKeys.generate();

describe.each(['/api/v1/marketplace', '/api/v1/tracks'])('a record of %s contains no credential', (path) => {
  it('from the query, whether its name or its shape gives it away', async () => {
    const query = `api_key=hidden1&Access-Token=hidden2&sign=hidden3&page=2&note=${otherKey}&${otherKey}=1&back=${encodeURIComponent('https://x.example/?token=hidden4&a=1')}`;
    const { json } = await service.send(`${path}?${query}`, { body: { a: 1 } });
    const record = await readRecord(json.data.record_id);
    expect(record.query).toEqual([
      ['api_key', MASKED],
      ['Access-Token', MASKED],
      ['sign', MASKED],
      ['page', '2'],
      ['note', MASKED],
      [MASKED, '1'],
      ['back', `https://x.example/?token=${MASKED}&a=1`],
    ]);
  });

  it('from the headers, whether its name or its shape gives it away', async () => {
    const names = ['apikey', 'X-Session-Id', 'Cookie', 'Authorization', '17token', 'X_Access.Token', 'sign'];
    const headers = Object.fromEntries(names.map((name, index) => [name, `hidden${index}`]));
    const { json } = await service.send(path, {
      body: { a: 1 },
      headers: { ...headers, 'X-Custom': 'kept', 'X-Note': `see ${otherKey}` },
    });
    const record = await readRecord(json.data.record_id);
    for (const name of [...names, 'x-api-key']) expect(record.headers[name.toLowerCase()]).toBe(MASKED);
    expect(record.headers).toMatchObject({ 'x-custom': 'kept', 'x-note': `see ${MASKED}` });
  });

  it('of a known shape from the body; the rest is unchanged', async () => {
    const body = `{ "key":"${otherKey}",  "api_key": "not ours", "deep":["Bearer ${'x'.repeat(30)}"] }`;
    const { json } = await service.send(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    const record = await readRecord(json.data.record_id);
    expect(record.body).toBe(`{ "key":"${MASKED}",  "api_key": "not ours", "deep":["Bearer ${MASKED}"] }`);
    expect(findSecrets(JSON.stringify(record))).toEqual([]);
  });
});

it('the request log of a key contains no credential that was sent as a value, a member name or a request id', async () => {
  const { headers } = await service.send('/api/orders/import', {
    body: { account_id: service.shopId, rows: [{ receipt_id: '1', quantity: otherKey }], [otherKey]: 1 },
    headers: { 'X-Request-Id': otherKey },
  });
  expect(headers.get('x-request-id')).not.toBe(otherKey);
  await service.app.services.keyCalls.flush();
  const calls = await service.database.query('SELECT * FROM api_key_calls');
  expect(calls.length).toBeGreaterThan(0);
  expect(findSecrets(JSON.stringify(calls))).toEqual([]);
});
