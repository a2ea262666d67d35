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

it('arguments that are sent twice are refused, because it is not clear which of them count', async () => {
  const { json } = await callTool('get_api_legos_sku', '{}, "arguments": {}');
  expect(json.error).toEqual({
    code: -32602,
    message: 'MCP error -32602: params.arguments: must be sent once, and its name without escape sequences',
  });
});
