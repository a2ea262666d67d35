import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const toBytes = (text: string) => Buffer.from(text, 'latin1');

/** Sends a message that calls a tool, with the bytes of `args` as they are. */
function callTool(name: string, args: string, start = Buffer.alloc(0)) {
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments": ${args} }}`;
  return service.send('/mcp', {
    body: Buffer.concat([start, toBytes(message)]),
    headers: { Accept: 'application/json, text/event-stream' },
  });
}

const postStatistics = (body: Buffer) => service.send('/api/shop-statistics', { body });
const statisticsOf = (shopId: string, visits: string) =>
  `{"shop_id":"${shopId}","date":"2026-01-02","note":${visits}}`;

describe('a tool with a body gets the values that the REST API gets', () => {
  it.each(['1e400', '-1e400', '12345678901234567890', '"\\ud800"'])(
    'and refuses %s as the REST API does',
    async (value) => {
      const body = statisticsOf('values', value);
      const rest = await postStatistics(toBytes(body));
      const { json } = await callTool('post_api_shop_statistics', body);
      expect([rest.status, json.result.isError]).toEqual([422, true]);
      const { request_id: _, ...refusal } = JSON.parse(json.result.content[0].text);
      const { request_id: __, ...restRefusal } = rest.json;
      expect(refusal).toEqual(restRefusal);
    },
  );

  it('and refuses bytes that are not UTF-8, so that no replacement character is stored', async () => {
    const body = statisticsOf('\xff', '1');
    const rest = await postStatistics(toBytes(body));
    const { status, json } = await callTool('post_api_shop_statistics', body);
    expect(status).toBe(422);
    expect({ ...json, request_id: '' }).toEqual({ ...rest.json, request_id: '' });
    const stored = await service.database.query(
      `SELECT 1 FROM shop_daily_statistics WHERE shop_id LIKE '%\ufffd%'`,
    );
    expect(stored).toEqual([]);
  });

  it('and may have a byte order mark before the message', async () => {
    const body = statisticsOf('marked', '1');
    const rest = await postStatistics(Buffer.concat([BYTE_ORDER_MARK, toBytes(body)]));
    const { json } = await callTool('post_api_shop_statistics', body, BYTE_ORDER_MARK);
    expect([rest.status, json.result.structuredContent.success]).toEqual([200, true]);
  });

  it('and stores a body byte by byte as it was sent', async () => {
    const body = '{"a" : 12345678901234567890, "b":1e400, "a":1.10}';
    const { json } = await callTool('post_api_v1_marketplace', body);
    const [row] = await service.database.query<{ body: Buffer }>(
      'SELECT body FROM inbound_records WHERE id = $1',
      [json.result.structuredContent.data.record_id],
    );
    expect(row!.body.toString()).toBe(body);
  });
});

describe('a call of a procedure through tRPC gets the values that the REST API gets', () => {
  const callProcedure = (body: Buffer) => service.send('/api/trpc/statistics.upsertShop', { body });

  it.each([
    ['bytes that are not UTF-8', statisticsOf('\xff', '1')],
    ['a member __proto__', statisticsOf('proto', '1').replace('"note"', '"__proto__"')],
  ])('and refuses %s as the REST API does', async (_, body) => {
    const rest = await postStatistics(toBytes(body));
    const { status, json } = await callProcedure(toBytes(body));
    expect([rest.status, status]).toEqual([422, 422]);
    expect((json.error ?? json).message).toBe(rest.json.message);
    const stored = await service.database.query(
      `SELECT 1 FROM shop_daily_statistics WHERE shop_id LIKE '%\ufffd%' OR shop_id = 'proto'`,
    );
    expect(stored).toEqual([]);
  });
});

it('numbers among the arguments of a tool without a body keep their digits as query parameters', async () => {
  const args = '{"a":12345678901234567890,"b":1e400,"c":5.0,"d":[1.10],"e":"text","f":-3,"f":1.50}';
  const { json } = await callTool('get_api_v1_marketplace', args);
  const [row] = await service.database.query('SELECT query FROM inbound_records WHERE id = $1', [
    json.result.structuredContent.data.record_id,
  ]);
  expect(row!.query).toEqual([
    ['a', '12345678901234567890'],
    ['b', '1e400'],
    ['c', '5'],
    ['d', '[1.10]'],
    ['e', 'text'],
    ['f', '1.50'],
  ]);
});

it.each([
  ['params', '"params":', String.raw`"p\u0061rams":`],
  ['arguments', '"arguments":', String.raw`"\u0061rguments":`],
  [
    'arguments, spelled out in full',
    '"arguments":',
    `"${[...'arguments'].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}":`,
  ],
])(
  'arguments that are sent twice, once with escape sequences in the name of %s, are refused',
  async (_, plain, escaped) => {
    const tool = '"name":"post_api_shop_statistics"';
    const argumentsOf = (shopId: string) => statisticsOf(shopId, '1');
    const params = plain.startsWith('"params')
      ? `${plain}{${tool},"arguments":${argumentsOf('plain')}},${escaped}{${tool},"arguments":${argumentsOf('escaped')}}`
      : `"params":{${tool},${plain}${argumentsOf('plain')},${escaped}${argumentsOf('escaped')}}`;
    const { json } = await service.send('/mcp', {
      body: toBytes(`{"jsonrpc":"2.0","id":1,"method":"tools/call",${params}}`),
      headers: { Accept: 'application/json, text/event-stream' },
    });
    expect(json.error?.code).toBe(-32602);
    expect(
      await service.database.query(
        `SELECT shop_id FROM shop_daily_statistics WHERE shop_id IN ('plain', 'escaped')`,
      ),
    ).toEqual([]);
  },
);

it('an argument __proto__ of a tool without a body is refused as the REST API refuses it', async () => {
  const rest = await service.send('/api/logistics?__proto__=1');
  const { json } = await callTool('get_api_logistics', '{"__proto__":"1"}');
  const { request_id: _, ...refusal } = JSON.parse(json.result.content[0].text);
  expect({ ...refusal, request_id: '' }).toEqual({ ...rest.json, request_id: '' });
  expect(rest.status).toBe(422);
});

it('a call that asks to be run as a task is run as usual, because the server has no tasks', async () => {
  const { json } = await service.send('/mcp', {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'post_api_shop_statistics',
        arguments: { shop_id: 'task', date: '2026-01-02' },
        task: { ttl: 60_000 },
      },
    },
    headers: { Accept: 'application/json, text/event-stream' },
  });
  expect(json.error).toBeUndefined();
  expect(json.result.structuredContent.success).toBe(true);
});

it('arguments that are sent twice are refused, because it is not clear which of them count', async () => {
  const { json } = await callTool('get_api_legos_sku', '{}, "arguments": {}');
  expect(json.error).toEqual({
    code: -32602,
    message: 'params.arguments: must be sent once, and its name without escape sequences',
  });
});
