import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let client: Client;

async function connect(headers: Record<string, string>): Promise<Client> {
  const newClient = new Client({ name: 'test', version: '1.0.0' });
  await newClient.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
  return newClient;
}

type ToolResult = {
  isError?: boolean;
  structuredContent?: unknown;
  content: { type: string; text: string }[];
};

const callTool = async (name: string, args: Record<string, unknown> = {}, caller = client) =>
  (await caller.callTool({ name, arguments: args })) as ToolResult;

const parseError = ({ isError, content }: ToolResult) => {
  expect(isError).toBe(true);
  return JSON.parse(content[0]!.text);
};

beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: '30' });
  client = await connect({ 'X-Api-Key': service.key });
});
afterAll(async () => {
  await client.close();
  await service.close();
});

describe('tools/list', () => {
  it('returns the tools of /docs/api/mcp-tools.json, with the same names, descriptions and schemas', async () => {
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

  const TOOLS_RETURNING_LISTS = ['body', 'brick', 'cate', 'hair', 'head', 'leg', 'sku'].map(
    (name) => `get_api_legos_${name}`,
  );

  it('has an output schema for every tool but those whose output is a list', async () => {
    const { tools } = await client.listTools();
    const toolsWithoutSchema = tools.filter(({ outputSchema }) => outputSchema === undefined);
    expect(toolsWithoutSchema.map(({ name }) => name).toSorted()).toEqual(TOOLS_RETURNING_LISTS);
  });

  it('says which tools only read, which replace stored values, which may be repeated, and which call other services', async () => {
    const { tools } = await client.listTools();
    type Hint = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint';
    const namesWith = (hint: Hint, value: boolean) =>
      tools
        .filter(({ annotations }) => annotations?.[hint] === value)
        .map(({ name }) => name)
        .toSorted();
    // A new operation belongs in the list of its effect.
    const readingTools = [...TOOLS_RETURNING_LISTS, 'get_api_user', 'get_api_v1_tracking_text'];
    expect(namesWith('readOnlyHint', true)).toEqual(readingTools);
    const replacingTools = [
      'post_api_orders_import',
      'post_api_product_statistics',
      'post_api_shop_statistics',
    ];
    expect(namesWith('destructiveHint', true)).toEqual(replacingTools);
    const appendingTools = [
      'get_api_v1_marketplace',
      'post_api_marketplace_message',
      'post_api_v1_marketplace',
    ];
    expect(namesWith('idempotentHint', false)).toEqual(appendingTools);
    const mergingTools = ['get_api_logistics', 'post_api_v1_tracks'];
    expect(namesWith('destructiveHint', false)).toEqual([...appendingTools, ...mergingTools].toSorted());
    expect(namesWith('idempotentHint', true)).toEqual(
      [...readingTools, ...replacingTools, ...mergingTools].toSorted(),
    );
    expect(namesWith('openWorldHint', true)).toEqual(['get_api_logistics', 'post_api_marketplace_message']);
  });

  it('needs no key, as the list is public', async () => {
    const anonymousClient = await connect({});
    expect(await anonymousClient.listTools()).toEqual(await client.listTools());
    await anonymousClient.close();
  });
});

describe('tools/call', () => {
  it('runs a tool that reads a list', async () => {
    const { content } = await callTool('get_api_legos_cate');
    expect(JSON.parse(content[0]!.text)).toEqual((await service.send('/api/legos-cate')).json);
  });

  it('imports orders, and returns their counts', async () => {
    const rows = [{ receipt_id: 'mcp-1', quantity: 1, tracking_number: 'MCP1' }];
    const { structuredContent } = await callTool('post_api_orders_import', {
      account_id: service.shopId,
      rows,
    });
    expect(structuredContent).toMatchObject({ success: true, data: { new_orders: 1 } });
    const importedOrders = await service.database.query(
      "SELECT receipt_id FROM orders WHERE receipt_id = 'mcp-1'",
    );
    expect(importedOrders).toHaveLength(1);
    const trackingResult = await callTool('get_api_v1_tracking_text', {
      tracking_number: 'MCP1',
      format: 'text',
    });
    expect(trackingResult.structuredContent).toMatchObject({ success: true, data: { receipt_id: 'mcp-1' } });
    expect(trackingResult.content[0]!.text).toBe(
      (trackingResult.structuredContent as { data: { text: string } }).data.text,
    );
  });

  it('refuses invalid input with the error envelope, naming the field', async () => {
    const args = { account_id: service.shopId, rows: [{ receipt_id: 'bad', quantity: 'x' }] };
    const error = parseError(await callTool('post_api_orders_import', args));
    expect(error).toMatchObject({ success: false, code: 'validation_failed' });
    expect(error.errors[0].path).toBe('rows.0.quantity');
    expect(parseError(await callTool('get_api_v1_tracking_text', { order_id: [1] })).code).toBe(
      'validation_failed',
    );
    expect(parseError(await callTool('get_api_logistics', { tracking_number: 'LX123456789CN' })).code).toBe(
      'upstream_not_configured',
    );
  });

  it('refuses an argument of another JSON type than the parameter, instead of looking for its text', async () => {
    for (const [tool, args, path, message] of [
      ['get_api_logistics', { tracking_number: null }, 'tracking_number', 'must be text'],
      ['get_api_logistics', { order_number: '1', tracking_number: null }, 'tracking_number', 'must be text'],
      ['get_api_logistics', { tracking_number: ['A1234'] }, 'tracking_number', 'must be text'],
      ['get_api_v1_tracking_text', { tracking_number: 94001118 }, 'tracking_number', 'must be text'],
      ['get_api_v1_tracking_text', { order_id: true }, 'order_id', 'must be a whole number'],
      ['get_api_v1_tracking_text', { order_id: null }, 'order_id', 'must be a whole number'],
      ['get_api_v1_tracking_text', { order_id: '5' }, 'order_id', 'must be a whole number'],
    ] as const)
      expect(parseError(await callTool(tool, args)).errors, JSON.stringify(args)).toEqual([
        { path, message },
      ]);
    const storedNumbers = await service.database.query(
      "SELECT 1 FROM tracking_numbers WHERE tracking_number = 'NULL'",
    );
    expect(storedNumbers).toEqual([]);
  });

  it('refuses a caller without a valid key, and a key in place of a bearer token', async () => {
    for (const headers of [{}, { 'X-Api-Key': 'bd_wrong' }]) {
      const refusedClient = await connect(headers as Record<string, string>);
      const rows = [{ receipt_id: 'stranger' }];
      const refusal = await callTool(
        'post_api_orders_import',
        { account_id: service.shopId, rows },
        refusedClient,
      );
      expect(parseError(refusal).code).toBe('unauthorized');
      await refusedClient.close();
    }
    expect(parseError(await callTool('get_api_user')).message).toContain('Bearer');
    expect(await service.database.query("SELECT 1 FROM orders WHERE receipt_id = 'stranger'")).toEqual([]);
  });

  it('refuses the name of a tool that does not exist', async () => {
    for (const name of ['no_such_tool', '__proto__', 'constructor'])
      await expect(callTool(name)).rejects.toThrow(
        'MCP error -32602: There is no tool with this name. tools/list returns all tools.',
      );
  });

  it('counts calls against the rate limit of the key', async () => {
    // A new key, whose minute begins now: that of the other tests' key may end between these calls.
    const newKey = { name: 'limited', expiresAt: null };
    const { key } = await createApiKey(service.app.services.db, TEST_ACTOR, newKey);
    const limitedClient = await connect({ 'X-Api-Key': key });
    let lastResult: ToolResult | undefined;
    for (let n = 0; n < 31; n++) lastResult = await callTool('get_api_legos_sku', {}, limitedClient);
    await limitedClient.close();
    expect(parseError(lastResult!).code).toBe('rate_limited');
    const params = { name: 'get_api_legos_sku', arguments: {} };
    const { headers } = await service.send('/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers: { Accept: 'application/json, text/event-stream', 'X-Api-Key': key },
    });
    expect(headers.get('ratelimit-limit')).toBe('30');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
