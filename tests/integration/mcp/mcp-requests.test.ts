import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { countWaitingStatements } from '../../support/database/test-database';
import { announceBody } from '../../support/service/slow-request';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ APP_URL: 'https://desk.example', CORS_ORIGINS: 'https://shop.example' });
});
afterAll(() => service.close());

const Accept = 'application/json, text/event-stream';
const LIST_TOOLS_REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const send = (body: unknown, headers: Record<string, string | undefined> = {}) =>
  service.send('/mcp', { body, headers: { Accept, ...headers } });

it('MCP serves our own pages and those of configured origins, and refuses all others', async () => {
  for (const Origin of ['https://evil.example', 'http://localhost', 'null', service.url]) {
    const { status, json } = await send(LIST_TOOLS_REQUEST, { Origin });
    expect([status, json.code], Origin).toEqual([403, 'forbidden']);
  }
  for (const Origin of ['https://desk.example', 'https://shop.example'])
    expect((await send(LIST_TOOLS_REQUEST, { Origin })).status, Origin).toBe(200);
  const { headers } = await send(LIST_TOOLS_REQUEST, { Origin: 'https://shop.example' });
  expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

it('MCP is stateless: no session, no stream', async () => {
  expect((await send(LIST_TOOLS_REQUEST)).headers.get('mcp-session-id')).toBeNull();
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers, json } = await service.send('/mcp', { method });
    expect([status, headers.get('allow'), json.code]).toEqual([405, 'POST', 'method_not_allowed']);
  }
});

it('MCP refuses anything but JSON-RPC', async () => {
  expect((await send('{')).json.error.code).toBe(-32700);
  expect((await send('{"a":1}')).status).toBe(400);
});

it('MCP refuses a request with invalid parameters in a sentence that names them, under the id of the request', async () => {
  for (const [method, params, message] of [
    ['tools/call', undefined, 'params: is required'],
    ['tools/call', {}, 'params.name: is required'],
    ['tools/call', { name: 5 }, 'params.name: must be text'],
    ['tools/call', { name: 'get_api_legos_sku', arguments: null }, 'params.arguments: must be an object'],
    ['tools/list', { cursor: 5 }, 'params.cursor: must be text'],
    ['initialize', { capabilities: {} }, 'params.protocolVersion: is required (and 1 more)'],
  ] as const) {
    const { status, json } = await send({ jsonrpc: '2.0', id: 'a', method, params });
    expect([status, json], message).toEqual([
      200,
      { jsonrpc: '2.0', id: 'a', error: { code: -32602, message } },
    ]);
  }
});

it('MCP refuses a large body without a valid key before reading it, even one that exceeds every limit', async () => {
  for (const keyHeaders of [{}, { 'X-Api-Key': 'bd_wrong' }] as Record<string, string>[])
    for (const length of [2 ** 20 + 1, 2 ** 30]) {
      const headers = { Accept, 'Content-Type': 'application/json', ...keyHeaders };
      expect(await announceBody(`${service.url}/mcp`, headers, length)).toBe(401);
    }
});

it('MCP accepts an import that is larger than any other body may be', async () => {
  const rows = [{ receipt_id: 'large', note: 'x'.repeat(2 ** 20) }];
  const params = { name: 'post_api_orders_import', arguments: { account_id: service.shopId, rows } };
  const { status, json } = await send({ ...LIST_TOOLS_REQUEST, method: 'tools/call', params });
  expect(status).toBe(200);
  expect(json.result.content[0].text).not.toContain('payload_too_large');
});

describe('the rate limit of a key over MCP', () => {
  const LIMIT = 40;
  let limitedService: TestService;
  beforeAll(async () => {
    limitedService = await startTestService({ RATE_LIMIT_PER_MINUTE: `${LIMIT}` });
  });
  afterAll(() => limitedService.close());

  const createKey = async (restrictions: { scopes?: string[]; addressRanges?: string[] } = {}) => {
    const { db } = limitedService.app.services;
    const newKey = { name: 'mcp', expiresAt: null, ...restrictions };
    return (await createApiKey(db, TEST_ACTOR, newKey)).key;
  };
  const sendWithKey = (key: string, body: unknown, headers: Record<string, string> = {}) =>
    limitedService.send('/mcp', { body, headers: { Accept, 'X-Api-Key': key, ...headers } });
  const callTool = (name: string, args: unknown) => ({
    ...LIST_TOOLS_REQUEST,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const largeNote = 'x'.repeat(2 ** 20);
  const importRows = [{ receipt_id: 'counted', title: 'Fox', quantity: 1, price: 1 }];

  it('counts every message once, whatever it is', async () => {
    const key = await createKey();
    const args = { account_id: limitedService.shopId, rows: importRows };
    for (const [index, [name, body, headers]] of (
      [
        ['a list of tools', LIST_TOOLS_REQUEST],
        ['a large list of tools', { ...LIST_TOOLS_REQUEST, params: { arguments: { note: largeNote } } }],
        ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
        ['an unknown method', { ...LIST_TOOLS_REQUEST, method: 'resources/list' }],
        ['a tool call', callTool('get_api_legos_sku', {})],
        ['a refused tool call', callTool('get_api_logistics', { a: 1 })],
        [
          'a large tool call',
          callTool('post_api_orders_import', { ...args, rows: [{ ...importRows[0], note: largeNote }] }),
        ],
        ['an unknown tool', callTool('no_such_tool', {})],
        ['invalid parameters', callTool('get_api_legos_sku', null)],
        ['a batch', [LIST_TOOLS_REQUEST]],
        ['no JSON', '{'],
        ['deep nesting', `${'['.repeat(100)}${']'.repeat(100)}`],
        ['an Accept header that MCP does not allow', LIST_TOOLS_REQUEST, { Accept: 'text/html' }],
      ] as [string, unknown, Record<string, string>?][]
    ).entries()) {
      const response = await sendWithKey(key, body, headers);
      expect(response.headers.get('ratelimit-remaining'), name).toBe(`${LIMIT - 1 - index}`);
    }
  });

  it('refuses any message with 429 once it is used up, a large one before it is read', async () => {
    const key = await createKey();
    for (let n = 0; n < LIMIT; n++) expect((await sendWithKey(key, LIST_TOOLS_REQUEST)).status).toBe(200);
    const refusal = await sendWithKey(key, LIST_TOOLS_REQUEST);
    expect([refusal.status, refusal.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    const headers = { Accept, 'Content-Type': 'application/json', 'X-Api-Key': key };
    expect(await announceBody(`${limitedService.url}/mcp`, headers, 2 ** 20 + 1)).toBe(429);
  });

  it('does not count messages from outside the ranges of the key, which get 403', async () => {
    const { status, headers, json } = await sendWithKey(
      await createKey({ addressRanges: ['203.0.113.0/24'] }),
      LIST_TOOLS_REQUEST,
    );
    expect([status, json.code, headers.get('ratelimit-limit')]).toEqual([403, 'forbidden', null]);
  });

  it('a key that may not import gets 413 for a larger body than the common limit, before it is read', async () => {
    const otherKey = await createKey({ scopes: ['get_api_legos_sku'] });
    const headers = { Accept, 'Content-Type': 'application/json', 'X-Api-Key': otherKey };
    expect(await announceBody(`${limitedService.url}/mcp`, headers, 2 ** 20 + 1)).toBe(413);
    const key = await createKey({ scopes: ['post_api_orders_import'] });
    const rows = [{ ...importRows[0], note: largeNote }];
    const body = callTool('post_api_orders_import', { account_id: limitedService.shopId, rows });
    const { result } = (await sendWithKey(key, body)).json;
    // The import itself refuses the long note.
    expect(JSON.parse(result.content[0].text).code).toBe('validation_failed');
  });
});

it('a caller who disconnects while a tool runs is logged with 499, not as a failure', async () => {
  const lockingClient = new pg.Client({ connectionString: service.database.url });
  await lockingClient.connect();
  await lockingClient.query('BEGIN');
  await lockingClient.query('LOCK TABLE shops IN ACCESS EXCLUSIVE MODE');
  const abortController = new AbortController();
  const args = { account_id: service.shopId, rows: [{ receipt_id: 'left' }] };
  const abandonedRequestPromise = fetch(`${service.url}/mcp`, {
    method: 'POST',
    signal: abortController.signal,
    headers: {
      Accept,
      'Content-Type': 'application/json',
      'X-Api-Key': service.key,
    },
    body: JSON.stringify({
      ...LIST_TOOLS_REQUEST,
      method: 'tools/call',
      params: { name: 'post_api_orders_import', arguments: args },
    }),
  });
  await expect.poll(() => countWaitingStatements(service.database)).toBeGreaterThan(0);
  abortController.abort();
  await expect(abandonedRequestPromise).rejects.toThrow('abort');
  await lockingClient.query('ROLLBACK');
  await lockingClient.end();
  await expect.poll(() => service.readLog()).toMatch(/"route":"\/mcp","status":499/);
  expect(service.readLog()).not.toContain('internal_error');
});

it('MCP refuses a batch of any size with one small JSON-RPC error', async () => {
  for (const batch of [
    [LIST_TOOLS_REQUEST],
    Array(100).fill(LIST_TOOLS_REQUEST),
    [],
    ' [{}]',
    `[${'1,'.repeat(400_000)}1]`,
  ]) {
    const { status, json, text } = await send(batch, { 'X-Api-Key': undefined });
    expect(status).toBe(400);
    expect(json).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.stringContaining('Batches are not supported') },
      id: null,
    });
    expect(text.length).toBeLessThan(300);
  }
});

it('MCP returns the tool list with the id of the request, whatever that id is', async () => {
  const { json } = await send(LIST_TOOLS_REQUEST);
  for (const id of ['{"tools":[]}', 'a"b', 7]) {
    const response = await send({ ...LIST_TOOLS_REQUEST, id });
    expect(response.json).toEqual({ ...json, id });
  }
});

it('a member named tools in the response of a tool is returned unchanged', async () => {
  const statistics = { shop_id: 'test-shop', date: '2026-01-02', x: { tools: [] } };
  const params = { name: 'post_api_shop_statistics', arguments: statistics };
  const { json } = await send({ ...LIST_TOOLS_REQUEST, method: 'tools/call', params });
  expect(json.result.structuredContent.data.extra).toEqual({ x: { tools: [] } });
});

it('MCP accepts large arguments only for an import', async () => {
  const callTool = (name: string, args: unknown) =>
    send({ ...LIST_TOOLS_REQUEST, method: 'tools/call', params: { name, arguments: args } });
  const note = 'x'.repeat(1024 * 1024);
  const statisticsResponse = await callTool('post_api_shop_statistics', {
    shop_id: 'a',
    date: '2026-01-02',
    note,
  });
  expect(JSON.parse(statisticsResponse.json.result.content[0].text).code).toBe('payload_too_large');
  expect((await callTool('get_api_logistics', { tracking_number: note })).json.error.code).toBe(-32602);
  const misplacedNoteResponse = await send({
    ...LIST_TOOLS_REQUEST,
    method: 'tools/call',
    params: { note, arguments: {} },
  });
  expect([misplacedNoteResponse.status, misplacedNoteResponse.json.code]).toEqual([413, 'payload_too_large']);
  const row = { title: 'Fox', quantity: 1, colour: 'x'.repeat(100) };
  const rows = Array.from({ length: 9_000 }, (_, n) => ({ ...row, receipt_id: `large-${n}` }));
  const importResponse = await callTool('post_api_orders_import', {
    account_id: service.shopId,
    rows,
  });
  expect(importResponse.json.result.structuredContent.data.new_orders).toBe(9_000);
});
