import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const Accept = 'application/json, text/event-stream';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const send = (body: unknown, headers: Record<string, string | undefined> = {}) =>
  service.send('/mcp', { body, headers: { Accept, ...headers } });

it('refuses a batch of any size with one small JSON-RPC error', async () => {
  for (const batch of [[LIST], Array(100).fill(LIST), [], ' [{}]', `[${'1,'.repeat(400_000)}1]`]) {
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

it('lists the tools under the id that was sent, whatever it is', async () => {
  const { json } = await send(LIST);
  for (const id of ['{"tools":[]}', 'a"b', 7]) {
    const response = await send({ ...LIST, id });
    expect(response.json).toEqual({ ...json, id });
  }
});

it('puts the list of tools into no other response', async () => {
  const statistics = { shop_id: 'test-shop', date: '2026-01-02', x: { tools: [] } };
  const params = { name: 'post_api_shop_statistics', arguments: statistics };
  const { json } = await send({ ...LIST, method: 'tools/call', params });
  expect(json.result.structuredContent.data.extra).toEqual({ x: { tools: [] } });
});

it('accepts large arguments only for an import', async () => {
  const call = (name: string, args: unknown) =>
    send({ ...LIST, method: 'tools/call', params: { name, arguments: args } });
  const note = 'x'.repeat(1024 * 1024);
  const statistics = await call('post_api_shop_statistics', { shop_id: 'a', date: '2026-01-02', note });
  expect(JSON.parse(statistics.json.result.content[0].text).code).toBe('payload_too_large');
  expect((await call('get_api_logistics', { tracking_number: note })).json.error.code).toBe(-32602);
  const misplaced = await send({ ...LIST, method: 'tools/call', params: { note, arguments: {} } });
  expect([misplaced.status, misplaced.json.code]).toEqual([413, 'payload_too_large']);
  const rows = [{ receipt_id: 'large-1', title: 'Fox', quantity: 1, colour: 'x'.repeat(100) }];
  const many = Array.from({ length: 9_000 }, (_, n) => ({ ...rows[0], receipt_id: `large-${n}` }));
  const imported = await call('post_api_orders_import', { account_id: service.accountId, rows: many });
  expect(imported.json.result.structuredContent.data.new_orders).toBe(9_000);
});
