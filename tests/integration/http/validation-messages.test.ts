import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../../src/server/api/router';
import type { Meta } from '../../../src/server/trpc/init';
import { createInvalidInputs, INPUT_SCHEMAS } from '../../support/invalid-inputs';
import { isLibraryWording } from '../../support/library-wording';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '1000000' });
  owner = await createSignedInUser(service, 'owner');
});
afterAll(() => service.close());

/** Returns the documented API paths with their operations. */
async function readOperations(): Promise<[string, Record<string, object>][]> {
  const { json } = await service.send('/docs/api/openapi.json');
  return Object.entries(json.paths);
}

/** Matches the procedures that store any object; their schemas only document its usual members. */
const ANY_OBJECT_PROCEDURE_PATTERN = /^(?:debug\.|tracking\.callback$)/;

/** Calls a procedure with the credential that it requires. */
function callProcedure(path: string, input: unknown): ReturnType<SignedInUser['call']> {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: Meta } }>;
  const needsKey = procedures[path]?._def.meta?.credential === 'key';
  return owner.call(path, input, needsKey ? { 'X-Api-Key': service.key } : {});
}

const INVALID_BODIES = [
  {},
  { account_id: '1', rows: {}, excel_format: 'yes' },
  { account_id: 1.5, rows: [], other: 1 },
  { account_id: null, rows: [[], {}, 5, null, { receipt_id: [], quantity: {} }] },
  { shop_id: 5, date: 5, listing_id: 'x', ad_clicks: '5', ad_click_rate: 101, visits: -1, roas: null },
  { shop_name: 5, order_number: 5, buyer_name: {}, messages: {} },
  { shop_name: 'x', messages: [5, {}, { sender: 5, content: '' }] },
];
const INVALID_QUERIES = [
  '?x=1',
  '?order_id=',
  '?order_id=a&format=xml',
  '?tracking_number=&order_id=1&order_id=2',
];

describe('the message for an invalid request', () => {
  it('over REST is in our own words', async () => {
    const messages: string[] = [];
    for (const [path, methods] of await readOperations()) {
      const attempts =
        'post' in methods
          ? INVALID_BODIES.map((body) => service.send(path, { body }))
          : INVALID_QUERIES.map((query) => service.send(path + query));
      for (const { text, status } of await Promise.all(attempts)) if (status >= 400) messages.push(text);
    }
    expect(messages.length).toBeGreaterThan(30);
    expect(messages.filter(isLibraryWording)).toEqual([]);
  });

  it('over MCP is in our own words, even if the call itself is malformed', async () => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const calls = [
      { name: 'post_api_orders_import', arguments: { account_id: 'x', rows: 5, other: true } },
      { name: 'get_api_v1_tracking_text', arguments: { order_id: [], x: 1 } },
      { name: 5, arguments: 'x' },
      {},
      5,
    ];
    for (const params of calls) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { text } = await service.send('/mcp', { body, headers });
      expect(isLibraryWording(text), text).toBe(false);
    }
  });

  it('about an unknown member names the known ones', async () => {
    const { json } = await service.send('/api/v1/tracking-text?order=1');
    expect(json.errors).toContainEqual({
      path: 'order',
      message: 'is not a known field; the known fields are order_id, tracking_number, format',
    });
  });
});

describe.each(INPUT_SCHEMAS)('over native tRPC, the message about %s', (name, input) => {
  it('is in our own words', async () => {
    // Sends only inputs that the schema refuses, so that no procedure runs except those that store any object.
    const invalidInputs = createInvalidInputs(input).filter((value) => !input.safeParse(value).success);
    const sentInputs = invalidInputs.filter((_, n) => n % Math.ceil(invalidInputs.length / 12) === 0);
    const [path] = name.split(' ') as [string];
    const responses = await Promise.all(sentInputs.map((value) => callProcedure(path, value)));
    const expectedStatuses = ANY_OBJECT_PROCEDURE_PATTERN.test(path) ? [200, 422] : [422];
    expect(responses.filter(({ status }) => !expectedStatuses.includes(status))).toEqual([]);
    const messages = responses.flatMap(({ error }) =>
      error ? [error.message, ...error.problems.map(({ message }) => message)] : [],
    );
    expect(messages.filter(isLibraryWording)).toEqual([]);
  });
});

it('a request that tRPC itself refuses gets a message in our own words', async () => {
  const responses = await Promise.all([
    service.send('/api/trpc/no.such'),
    service.send('/api/trpc/catalog.headCodes', { body: {} }),
    service.send('/api/trpc/statistics.upsertShop', { body: '{' }),
    service.send('/api/trpc/catalog.headCodes?input={'),
  ]);
  for (const { text } of responses)
    expect(text).not.toMatch(/No procedure|Unsupported|JSON at position|Unexpected token|not-parsable/i);
});
