import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateApiKey } from '../../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

/** A service that trusts a proxy on this machine to report the addresses of clients. */
let service: TestService;

const createKey = (addressRanges: string[]) =>
  createApiKey(service.app.services.db, TEST_ACTOR, { name: 'bound', expiresAt: null, addressRanges });

beforeAll(async () => {
  service = await startTestService({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '100' });
});
afterAll(() => service?.close());

const get = (key: string, clientAddress?: string, path = '/api/legos-head') =>
  service.send(path, { headers: { 'X-Api-Key': key, 'X-Forwarded-For': clientAddress } });

describe('the address ranges of a key', () => {
  it.each<[string, string[], string, number]>([
    ['its own address', ['203.0.113.7'], '203.0.113.7', 200],
    ['the next address', ['203.0.113.7'], '203.0.113.8', 403],
    ['the first of a range', ['203.0.113.0/24'], '203.0.113.0', 200],
    ['the last of a range', ['203.0.113.0/24'], '203.0.113.255', 200],
    ['the first after a range', ['203.0.113.0/24'], '203.0.114.0', 403],
    ['the second of two ranges', ['10.0.0.0/8', '203.0.113.0/24'], '203.0.113.9', 200],
    ['IPv6 inside a range', ['2001:db8::/32'], '2001:db8:1::1', 200],
    ['IPv6 outside a range', ['2001:db8::/32'], '2001:db9::1', 403],
    ['IPv4 where only IPv6 is allowed', ['2001:db8::/32'], '203.0.113.7', 403],
    ['IPv4 mapped into IPv6', ['203.0.113.0/24'], '::ffff:203.0.113.7', 200],
    ['an address with the port that a proxy adds', ['203.0.113.7'], '203.0.113.7:51234', 200],
    ['IPv6 with the port that a proxy adds', ['2001:db8::/32'], '[2001:db8:1::1]:51234', 200],
    ['an address before a trusted proxy with a port', ['203.0.113.7'], '203.0.113.7, 127.0.0.1:51234', 200],
    ['something that is no address', ['127.0.0.0/8'], 'unknown', 403],
    ['any address, without a range', [], '198.51.100.1', 200],
    ['the address of the proxy itself', ['203.0.113.0/24'], '127.0.0.1', 403],
  ])('decide about %s: with %j, a request from %s gets %i', async (_, ranges, clientAddress, status) => {
    const { key } = await createKey(ranges);
    const response = await get(key, clientAddress);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.json).toMatchObject({ success: false, code: 'forbidden' });
  });

  it('apply over tRPC and MCP too, before the body is read', async () => {
    const { key } = await createKey(['203.0.113.0/24']);
    const headers = { 'X-Api-Key': key, 'X-Forwarded-For': '198.51.100.1' };
    expect((await get(key, '198.51.100.1', '/api/trpc/catalog.headCodes')).status).toBe(403);
    const response = await service.send('/api/orders/import', {
      body: 'x'.repeat(2_000_000),
      headers: { ...headers, 'Content-Type': 'text/plain' },
    });
    expect(response.status).toBe(403);
    const toolCall = { name: 'get_api_legos_head', arguments: {} };
    const acceptHeader = { Accept: 'application/json, text/event-stream' };
    const callTool = (extraHeaders: Record<string, string>) =>
      service.send('/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: toolCall },
        headers: { ...acceptHeader, ...headers, ...extraHeaders },
      });
    const refusal = (await callTool({})).json.result;
    expect([refusal.isError, JSON.parse(refusal.content[0].text).code]).toEqual([true, 'forbidden']);
    expect((await callTool({ 'X-Forwarded-For': '203.0.113.5' })).json.result.isError).toBeUndefined();
    const largeBody = { jsonrpc: '2.0', id: 1, method: 'tools/list', pad: 'x'.repeat(2_000_000) };
    expect(
      (await service.send('/mcp', { body: largeBody, headers: { ...acceptHeader, ...headers } })).status,
    ).toBe(403);
  });

  it('do not matter for an unknown key, which gets 401 from anywhere', async () => {
    expect((await get('nobody', '198.51.100.1')).status).toBe(401);
  });

  it('apply from the next request on when they change', async () => {
    const { key, id } = await createKey([]);
    const { db } = service.app.services;
    expect((await get(key, '198.51.100.1')).status).toBe(200);
    await updateApiKey(db, TEST_ACTOR, id, { addressRanges: ['203.0.113.0/24'] });
    expect((await get(key, '198.51.100.1')).status).toBe(403);
    await updateApiKey(db, TEST_ACTOR, id, { addressRanges: ['198.51.100.0/24'] });
    expect((await get(key, '198.51.100.1')).status).toBe(200);
  });
});

it('the address that a client claims is used only behind a trusted proxy', async () => {
  const directService = await startTestService();
  const { key } = await createApiKey(directService.app.services.db, TEST_ACTOR, {
    name: 'bound',
    expiresAt: null,
    addressRanges: ['203.0.113.0/24'],
  });
  const headers = { 'X-Api-Key': key, 'X-Forwarded-For': '203.0.113.7' };
  expect((await directService.send('/api/legos-head', { headers })).status).toBe(403);
  await directService.close();
});

it("a thief at another address can neither use up a key's rate limit nor update its last use", async () => {
  const { key, id } = await createKey(['203.0.113.7']);
  for (let n = 0; n < 120; n++) expect((await get(key, '198.51.100.1')).status).toBe(403);
  await service.app.services.keyUse.waitForWrites();
  const [row] = await service.database.query('SELECT last_used_at FROM api_keys WHERE id = $1', [id]);
  expect(row).toEqual({ last_used_at: null });
  const response = await get(key, '203.0.113.7');
  expect([response.status, response.headers.get('ratelimit-remaining')]).toEqual([200, '99']);
  // The request log shows the refused requests all the same.
  await service.app.services.keyCalls.flush();
  const calls = await service.database.query(
    'SELECT address, status, count(*)::int AS count FROM api_key_calls WHERE api_key_id = $1 GROUP BY 1, 2 ORDER BY 2',
    [id],
  );
  expect(calls).toEqual([
    { address: '203.0.113.7', status: 200, count: 1 },
    { address: '198.51.100.1', status: 403, count: 120 },
  ]);
});
