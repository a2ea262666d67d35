import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateApiKey } from '../../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
/** A key that may only list the heads. */
let key: string;

const HEADS_OPERATION = 'get_api_legos_head';
const listOperationNames = () => service.app.services.keyOperations.map(({ name }) => name);

const createKey = (scopes: string[]) =>
  createApiKey(service.app.services.db, TEST_ACTOR, { name: 'scoped', expiresAt: null, scopes });

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await createKey([HEADS_OPERATION]));
});
afterAll(() => service?.close());

/** Calls every operation that requires a key, using `apiKey`. Returns the responses by operation name. */
async function callAllOperations(
  apiKey: string,
): Promise<Map<string, { status: number; code: string; message: string }>> {
  const { json: document } = await service.send('/docs/api/openapi.json');
  const responses = new Map();
  for (const [path, methods] of Object.entries<Record<string, { operationId: string; security: object[] }>>(
    document.paths,
  )) {
    for (const [method, { operationId, security }] of Object.entries(methods)) {
      if (!('ApiKey' in security[0]!)) continue;
      const body = method === 'post' ? { account_id: service.shopId } : undefined;
      const { status, json } = await service.send(path, {
        method: method.toUpperCase(),
        body,
        headers: { 'X-Api-Key': apiKey },
      });
      responses.set(operationId, { status, code: json.code, message: json.message });
    }
  }
  return responses;
}

describe('over REST', () => {
  it('a key with a scope may call the operation that the scope names, and gets 403 from every other one', async () => {
    const responses = await callAllOperations(key);
    expect([...responses.keys()].toSorted()).toEqual(listOperationNames());
    for (const [name, { status, code, message }] of responses) {
      if (name === HEADS_OPERATION) expect(status).toBe(200);
      else expect([name, status, code]).toEqual([name, 403, 'forbidden']);
      if (name !== HEADS_OPERATION) {
        expect(message).toContain(name);
        // The message must not reveal what else the key may call.
        expect(message).not.toContain(HEADS_OPERATION);
      }
    }
  });

  it('a key without scopes may call everything, and so may one with all scopes', async () => {
    for (const scopes of [[], listOperationNames()]) {
      const createdKey = await createKey(scopes);
      const refusedCalls = [...(await callAllOperations(createdKey.key))].filter(
        ([, { status }]) => status === 401 || status === 403,
      );
      expect(refusedCalls).toEqual([]);
    }
  });

  it('HEAD needs the same scope as GET', async () => {
    const sendHead = (path: string) => service.send(path, { method: 'HEAD', headers: { 'X-Api-Key': key } });
    expect((await sendHead('/api/legos-head')).status).toBe(200);
    expect((await sendHead('/api/legos-hair')).status).toBe(403);
  });

  it('the scope is checked after the key, but before the type, size and content of the body', async () => {
    const send = (headers: Record<string, string>) =>
      service.send('/api/orders/import', {
        body: 'x'.repeat(2_000_000),
        headers: { 'Content-Type': 'text/plain', ...headers },
      });
    expect((await send({ 'X-Api-Key': key })).status).toBe(403);
    expect((await send({ 'X-Api-Key': 'nobody' })).status).toBe(401);
  });

  it('changed scopes apply from the next request on', async () => {
    const { db } = service.app.services;
    const createdKey = await createKey([HEADS_OPERATION]);
    const fetchHairStatus = async () =>
      (await service.send('/api/legos-hair', { headers: { 'X-Api-Key': createdKey.key } })).status;
    expect(await fetchHairStatus()).toBe(403);
    await updateApiKey(db, TEST_ACTOR, createdKey.id, { scopes: ['get_api_legos_hair'] });
    expect(await fetchHairStatus()).toBe(200);
    await updateApiKey(db, TEST_ACTOR, createdKey.id, { scopes: [] });
    expect(await fetchHairStatus()).toBe(200);
    await updateApiKey(db, TEST_ACTOR, createdKey.id, { scopes: [HEADS_OPERATION] });
    expect(await fetchHairStatus()).toBe(403);
  });
});

describe('over tRPC', () => {
  const callProcedure = (path: string, headers: Record<string, string> = {}) =>
    service.send(`/api/trpc/${path}`, { headers: { 'X-Api-Key': key, ...headers } });

  it('a key may call only what it may call over REST', async () => {
    expect((await callProcedure('catalog.headCodes')).status).toBe(200);
    const { status, json } = await callProcedure('catalog.hairCodes');
    expect([status, json.error.data.code]).toEqual([403, 'forbidden']);
  });

  it('each call of a batch is checked separately', async () => {
    const { json } = await callProcedure(
      'catalog.headCodes,catalog.hairCodes,catalog.headCodes?batch=1&input={}',
    );
    expect(json.map((result: { error?: { data: { code: string } } }) => result.error?.data.code)).toEqual([
      undefined,
      'forbidden',
      undefined,
    ]);
  });

  it('a mutation outside the scopes is refused, and changes nothing', async () => {
    const { status } = await service.send('/api/trpc/orders.import', {
      body: { account_id: service.shopId, rows: [{ receipt_id: 'scope' }] },
      headers: { 'X-Api-Key': key },
    });
    expect(status).toBe(403);
    expect(await service.database.query('SELECT 1 FROM orders')).toEqual([]);
  });

  it('back office procedures are closed to keys', async () => {
    expect((await callProcedure('keys.list')).status).toBe(401);
  });
});

describe('over MCP', () => {
  it('a tool outside the scopes is refused with the error code of REST, and a tool inside them runs', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { 'X-Api-Key': key } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    const callTool = async (name: string, toolArguments = {}) =>
      (await client.callTool({ name, arguments: toolArguments })) as {
        isError?: boolean;
        content: { text: string }[];
      };
    expect((await callTool(HEADS_OPERATION)).isError).toBeUndefined();
    const refusal = await callTool('get_api_legos_hair');
    expect(refusal.isError).toBe(true);
    expect(JSON.parse(refusal.content[0]!.text)).toMatchObject({ success: false, code: 'forbidden' });
    const importResult = await callTool('post_api_orders_import', {
      account_id: service.shopId,
      rows: [{ receipt_id: 'mcp' }],
    });
    expect(JSON.parse(importResult.content[0]!.text).code).toBe('forbidden');
    expect(await service.database.query('SELECT 1 FROM orders')).toEqual([]);
    await client.close();
  });
});

it('a call refused for lack of a scope is in the request log of the key, and counts against its rate limit', async () => {
  // The rate limit's minute begins with the first call of a new key, so both calls fall into it.
  const newKey = await createKey([HEADS_OPERATION]);
  const callForbiddenOperation = async (requestId: string) => {
    const { headers } = await service.send('/api/legos-leg', {
      headers: { 'X-Api-Key': newKey.key, 'X-Request-Id': requestId },
    });
    return Number(headers.get('ratelimit-remaining'));
  };
  const remainingCount = await callForbiddenOperation('scope-refused');
  expect(remainingCount).toBeGreaterThan(0);
  expect(await callForbiddenOperation('scope-refused-again')).toBe(remainingCount - 1);
  await service.app.services.keyCalls.flush();
  const rows = await service.database.query(
    `SELECT api_key_id, status, route, error->>'code' AS code FROM api_key_calls WHERE request_id = 'scope-refused'`,
  );
  expect(rows).toEqual([{ api_key_id: newKey.id, status: 403, route: '/api/legos-leg', code: 'forbidden' }]);
});
