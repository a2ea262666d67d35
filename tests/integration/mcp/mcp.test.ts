import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWaiting } from '../../support/database/test-database';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let client: Client;

async function connect(headers: Record<string, string>): Promise<Client> {
  const newClient = new Client({ name: 'test', version: '1.0.0' });
  await newClient.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
  return newClient;
}

type Call = { isError?: boolean; structuredContent?: unknown; content: { type: string; text: string }[] };

const call = async (name: string, args: Record<string, unknown> = {}, caller = client) =>
  (await caller.callTool({ name, arguments: args })) as Call;

const errorOf = ({ isError, content }: Call) => {
  expect(isError).toBe(true);
  return JSON.parse(content[0]!.text);
};

beforeAll(async () => {
  service = await startTestService({
    APP_URL: 'https://desk.example',
    CORS_ORIGINS: 'https://shop.example',
    RATE_LIMIT_PER_MINUTE: '30',
  });
  client = await connect({ 'X-Api-Key': service.key });
});
afterAll(async () => {
  await client.close();
  await service.close();
});

describe('tools/list', () => {
  it('has the tools of the tool list, each exactly as listed there', async () => {
    const { json } = await service.send('/docs/api/mcp-tools.json');
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations: _, ...tool }) => tool)).toEqual(
      json.tools.map(
        ({
          name,
          description,
          inputSchema,
          outputSchema,
        }: Record<string, { type?: string } | undefined>) => ({
          name,
          description,
          inputSchema,
          ...(outputSchema?.type === 'object' ? { outputSchema } : {}),
        }),
      ),
    );
  });

  it('says which tools only read, and which call other services', async () => {
    const { tools } = await client.listTools();
    const namesWith = (hint: 'readOnlyHint' | 'openWorldHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    expect(namesWith('readOnlyHint').toSorted()).toEqual([
      'get_api_legos_body',
      'get_api_legos_brick',
      'get_api_legos_cate',
      'get_api_legos_hair',
      'get_api_legos_head',
      'get_api_legos_leg',
      'get_api_legos_sku',
      'get_api_user',
      'get_api_v1_tracking_text',
    ]);
    expect(namesWith('openWorldHint').toSorted()).toEqual([
      'get_api_logistics',
      'post_api_marketplace_message',
    ]);
  });

  it('needs no key, as the list is public', async () => {
    const stranger = await connect({});
    expect((await stranger.listTools()).tools).toHaveLength(17);
    await stranger.close();
  });
});

describe('tools/call', () => {
  it('runs a tool that reads a list', async () => {
    const response = await call('get_api_legos_cate');
    expect(JSON.parse(response.content[0]!.text)).toEqual((await service.send('/api/legos-cate')).json);
  });

  it('imports orders, and returns their counts', async () => {
    const rows = [{ receipt_id: 'mcp-1', quantity: 1, tracking_number: 'MCP1' }];
    const { structuredContent } = await call('post_api_orders_import', {
      account_id: service.accountId,
      rows,
    });
    expect(structuredContent).toMatchObject({ success: true, data: { new_orders: 1 } });
    const stored = await service.database.query("SELECT receipt_id FROM orders WHERE receipt_id = 'mcp-1'");
    expect(stored).toHaveLength(1);
    const text = await call('get_api_v1_tracking_text', { tracking_number: 'MCP1', format: 'text' });
    expect(text.structuredContent).toMatchObject({ success: true, data: { receipt_id: 'mcp-1' } });
    expect(text.content[0]!.text).toBe((text.structuredContent as { data: { text: string } }).data.text);
  });

  it('refuses a bad input with the envelope, naming the field', async () => {
    const body = { account_id: service.accountId, rows: [{ receipt_id: 'bad', quantity: 'x' }] };
    const error = errorOf(await call('post_api_orders_import', body));
    expect(error).toMatchObject({ success: false, code: 'validation_failed' });
    expect(error.errors[0].path).toBe('rows.0.quantity');
    expect(errorOf(await call('get_api_v1_tracking_text', { order_id: [1] })).code).toBe('validation_failed');
    expect(errorOf(await call('get_api_logistics', { tracking_number: 'LX123456789CN' })).code).toBe(
      'upstream_not_configured',
    );
  });

  it('refuses a caller without a valid key, and a key in place of a bearer token', async () => {
    for (const headers of [{}, { 'X-Api-Key': 'bd_wrong' }]) {
      const stranger = await connect(headers as Record<string, string>);
      const rows = [{ receipt_id: 'stranger' }];
      const refused = await call('post_api_orders_import', { account_id: service.accountId, rows }, stranger);
      expect(errorOf(refused).code).toBe('unauthorized');
      await stranger.close();
    }
    expect(errorOf(await call('get_api_user')).message).toContain('Bearer');
    expect(await service.database.query("SELECT 1 FROM orders WHERE receipt_id = 'stranger'")).toEqual([]);
  });

  it('knows no other tools', async () => {
    for (const name of ['no_such_tool', '__proto__', 'constructor'])
      await expect(call(name)).rejects.toThrow('no tool with this name');
  });
});

describe('POST /mcp', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const send = (headers: Record<string, string>, body: unknown = list) =>
    service.send('/mcp', {
      body,
      headers: { Accept: 'application/json, text/event-stream', ...headers },
    });

  it('refuses the pages of other origins, and serves our own and the configured ones', async () => {
    for (const Origin of ['https://evil.example', 'http://localhost', 'null', service.url]) {
      const { status, json } = await send({ Origin });
      expect([status, json.code], Origin).toEqual([403, 'forbidden']);
    }
    for (const Origin of ['https://desk.example', 'https://shop.example'])
      expect((await send({ Origin })).status, Origin).toBe(200);
    const { headers } = await send({ Origin: 'https://shop.example' });
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('is stateless: no session, no stream', async () => {
    expect((await send({})).headers.get('mcp-session-id')).toBeNull();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers, json } = await service.send('/mcp', { method });
      expect([status, headers.get('allow'), json.code]).toEqual([405, 'POST', 'method_not_allowed']);
    }
  });

  it('refuses anything but JSON-RPC, and a large body from a stranger before reading it', async () => {
    expect((await send({}, '{')).json.error.code).toBe(-32700);
    expect((await send({}, '{"a":1}')).status).toBe(400);
    expect((await send({ 'X-Api-Key': 'bd_wrong' }, 'x'.repeat(2 ** 20 + 1))).status).toBe(401);
  });

  it('accepts an import larger than other bodies', async () => {
    const rows = [{ receipt_id: 'large', note: 'x'.repeat(2 ** 20) }];
    const args = { name: 'post_api_orders_import', arguments: { account_id: service.accountId, rows } };
    const { status, json } = await send({}, { ...list, method: 'tools/call', params: args });
    expect(status).toBe(200);
    expect(json.result.content[0].text).not.toContain('payload_too_large');
  });

  it('logs a caller who leaves while a tool runs as gone, not as a failure', async () => {
    const locker = new pg.Client({ connectionString: service.database.url });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE shops IN ACCESS EXCLUSIVE MODE');
    const leave = new AbortController();
    const args = { account_id: service.accountId, rows: [{ receipt_id: 'left' }] };
    const abandonedRequest = fetch(`${service.url}/mcp`, {
      method: 'POST',
      signal: leave.signal,
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        'X-Api-Key': service.key,
      },
      body: JSON.stringify({
        ...list,
        method: 'tools/call',
        params: { name: 'post_api_orders_import', arguments: args },
      }),
    });
    await expect.poll(() => countWaiting(service.database)).toBeGreaterThan(0);
    leave.abort();
    await expect(abandonedRequest).rejects.toThrow('abort');
    await locker.query('ROLLBACK');
    await locker.end();
    await expect.poll(() => service.logged()).toMatch(/"route":"\/mcp","status":499/);
    expect(service.logged()).not.toContain('internal_error');
  });

  it('counts calls against the rate limit of the key', async () => {
    let last: Call | undefined;
    for (let n = 0; n < 31; n++) last = await call('get_api_legos_sku');
    expect(errorOf(last!).code).toBe('rate_limited');
    const args = { name: 'get_api_legos_sku', arguments: {} };
    const { headers } = await send({}, { ...list, method: 'tools/call', params: args });
    expect(headers.get('ratelimit-limit')).toBe('30');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
