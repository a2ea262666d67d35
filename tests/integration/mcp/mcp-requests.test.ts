import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countWaitingStatements } from '../../support/database/test-database';
import { announceBody } from '../../support/service/slow-request';
import { startTestService, type TestService } from '../../support/service/test-service';

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
