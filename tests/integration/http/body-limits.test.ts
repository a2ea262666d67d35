import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../../src/server/api/router';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { announceBody } from '../../support/service/slow-request';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

const MEBIBYTE = 1024 * 1024;
const IMPORT_LIMIT_BYTES = 2 * MEBIBYTE;
let service: TestService;
let owner: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService({ IMPORT_MAX_BODY_BYTES: String(IMPORT_LIMIT_BYTES) });
  owner = await createSignedInUser(service, 'owner');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const sendAsViewer = (path: string, body: string) =>
  service.send(path, {
    body,
    headers: { 'X-Api-Key': undefined, Cookie: viewer.cookie, Origin: service.url },
  });

const makeNestedJson = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const MCP_HEADERS = { Accept: 'application/json, text/event-stream' };

describe('the limit on the size of a body', () => {
  it('is one mebibyte for a viewer over native tRPC, for a save, an import, an unknown procedure and a batch', async () => {
    for (const path of ['views.save', 'orders.import', 'no.such', 'views.save,views.save?batch=1'])
      expect((await sendAsViewer(`/api/trpc/${path}`, ' '.repeat(MEBIBYTE + 1))).status, path).toBe(413);
  });

  it('is one mebibyte over native tRPC for every procedure that takes no CSV file, even for an owner', async () => {
    const csvProcedureNames = [
      'catalog.readFile',
      'catalog.previewImport',
      'catalog.importProducts',
      'statistics.readFile',
      'statistics.importDays',
      'statistics.previewDays',
      'trackingPaste.readFile',
    ];
    const procedureNames = Object.keys(appRouter._def.procedures).filter(
      (name) => !csvProcedureNames.includes(name),
    );
    expect(procedureNames.length).toBeGreaterThan(100);
    const headers = { Cookie: owner.cookie, Origin: service.url, 'Content-Type': 'application/json' };
    for (const name of procedureNames) {
      const status = await announceBody(`${service.url}/api/trpc/${name}`, headers, MEBIBYTE + 1);
      expect([name, status]).toEqual([name, 413]);
    }
  });

  it('is the same for an import over native tRPC as over REST, except in a batch', async () => {
    const rows = [{ receipt_id: 'large', title: 'Fox' }];
    const inputJson = JSON.stringify({ account_id: service.shopId, rows });
    for (const path of ['/api/orders/import', '/api/trpc/orders.import']) {
      const largestBodyResponse = await service.send(path, { body: inputJson.padEnd(IMPORT_LIMIT_BYTES) });
      expect([path, largestBodyResponse.status], largestBodyResponse.text).toEqual([path, 200]);
      const tooLargeBodyResponse = await service.send(path, {
        body: inputJson.padEnd(IMPORT_LIMIT_BYTES + 1),
      });
      expect([path, tooLargeBodyResponse.status]).toEqual([path, 413]);
    }
    const batchBody = `{"0":${inputJson}}`.padEnd(MEBIBYTE + 1);
    expect((await service.send('/api/trpc/orders.import?batch=1', { body: batchBody })).status).toBe(413);
  });

  it('is one mebibyte for a key that may not import', async () => {
    const keyInput = { name: 'lists', expiresAt: null, scopes: ['get_api_legos_sku'] };
    const { key } = await createApiKey(service.app.services.db, TEST_ACTOR, keyInput);
    const largeRequest = { body: ' '.repeat(MEBIBYTE + 1), headers: { 'X-Api-Key': key } };
    expect((await service.send('/api/trpc/orders.import', largeRequest)).status).toBe(413);
  });
});

describe('JSON in a request', () => {
  it('is refused with 422 if it is nested deeper than 64 levels, over REST, native tRPC and MCP, and in imports small and large', async () => {
    const deepJson = makeNestedJson(65);
    const listToolsRequest = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const padding = ' '.repeat(100_000);
    for (const [path, body] of [
      ['/api/shop-statistics', deepJson],
      ['/api/v1/tracks', deepJson],
      ['/api/v1/marketplace', deepJson],
      ['/api/orders/import', deepJson],
      ['/api/orders/import', padding + deepJson],
      ['/api/trpc/views.save', deepJson],
      ['/api/trpc/orders.import', deepJson],
      ['/api/trpc/orders.import', padding + deepJson],
      ['/mcp', JSON.stringify(listToolsRequest).replace('{}', deepJson)],
    ] as const) {
      const { status, json, text } = await service.send(path, { body, headers: MCP_HEADERS });
      expect([path, status], text).toEqual([path, 422]);
      expect(text).toContain('nested deeper than 64 levels');
      expect(json.code ?? json.error.data.code).toBe('validation_failed');
    }
    const queryResponse = await service.send(`/api/trpc/tracking.text?input=${encodeURIComponent(deepJson)}`);
    expect([queryResponse.status, queryResponse.json.code]).toEqual([422, 'validation_failed']);
  });

  it('may be nested 64 levels deep', async () => {
    const { text } = await service.send('/api/v1/tracks', { body: makeNestedJson(64) });
    expect(text).not.toContain('64 levels');
  });
});

describe('the response to invalid input', () => {
  const makeBodyWithUnknownMembers = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1])));

  it('lists at most 100 problems, says how many there are, and stays small', async () => {
    const body = makeBodyWithUnknownMembers(50_000);
    const restResponse = await service.send('/api/orders/import', { body });
    const nativeResponse = await service.send('/api/trpc/orders.import', { body });
    const viewerResponse = await sendAsViewer('/api/trpc/views.save', body);
    const params = { name: 'post_api_orders_import', arguments: JSON.parse(body) };
    const mcpResponse = await service.send('/mcp', {
      headers: MCP_HEADERS,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    const envelope = JSON.parse(mcpResponse.json.result.content[0].text);
    for (const { text } of [restResponse, nativeResponse, viewerResponse, mcpResponse])
      expect(text.length).toBeLessThan(20_000);
    for (const { errors, error_count } of [restResponse.json, envelope])
      expect([errors.length, error_count > 50_000]).toEqual([100, true]);
    for (const { json } of [nativeResponse, viewerResponse]) {
      const { problems, problemCount } = json.error.data;
      expect([problems.length, problemCount > 50_000]).toEqual([100, true]);
    }
  });

  it('never repeats a long member name in full', async () => {
    const body = JSON.stringify({ ['n'.repeat(500_000)]: 1 });
    const nativeResponse = await service.send('/api/trpc/orders.import', { body });
    for (const { text } of [
      nativeResponse,
      await sendAsViewer('/api/trpc/views.save', body),
      await service.send('/api/orders/import', { body }),
    ])
      expect(text.length).toBeLessThan(10_000);
  });
});
