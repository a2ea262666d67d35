import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { createDocumentCheck, type DocumentCheck } from '../../support/document-check';
import {
  startTestService,
  TEST_ACTOR,
  type TestResponse,
  type TestService,
} from '../../support/service/test-service';

let service: TestService;
let check: DocumentCheck;
/** The response headers that were checked, each as the status of its response and its own name: "200 etag". */
const checkedHeaders = new Set<string>();

beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: '60', UNAUTHENTICATED_LIMIT_PER_MINUTE: '40' });
  check = createDocumentCheck((await service.send('/docs/api/openapi.json')).json);
});
afterAll(() => service.close());

function expectDocumented(operationId: string, response: TestResponse, status: number): void {
  expect(response.status, `${operationId}: ${response.text}`).toBe(status);
  const operation = check.operations.find((candidate) => candidate.operationId === operationId)!;
  expect(check.findResponseProblem(operation, response), operationId).toBeNull();
  for (const name of response.headers.keys()) checkedHeaders.add(`${status} ${name}`);
}

/** Creates a key, which has its own rate limit, and returns it as a header. */
async function createKeyHeader(scopes: string[] = []): Promise<{ 'X-Api-Key': string }> {
  const input = { name: 'fresh', expiresAt: null, scopes };
  return { 'X-Api-Key': (await createApiKey(service.app.services.db, TEST_ACTOR, input)).key };
}

describe('the OpenAPI document', () => {
  it('documents the 200, 304, 401, 403 and 429 responses of a list with their headers', async () => {
    const id = 'get_api_legos_sku';
    const listResponse = await service.send('/api/legos-sku');
    expectDocumented(id, listResponse, 200);
    const headers = { 'If-None-Match': listResponse.headers.get('etag')! };
    expectDocumented(id, await service.send('/api/legos-sku', { headers }), 304);
    expectDocumented(id, await service.send('/api/legos-sku', { headers: { 'X-Api-Key': undefined } }), 401);
    const otherKeyHeader = await createKeyHeader(['get_api_legos_cate']);
    expectDocumented(id, await service.send('/api/legos-sku', { headers: otherKeyHeader }), 403);
    const keyHeader = await createKeyHeader();
    for (let n = 0; n < 60; n++) await service.send('/api/legos-sku', { headers: keyHeader });
    expectDocumented(id, await service.send('/api/legos-sku', { headers: keyHeader }), 429);
  });

  it('documents the 200, 415, 422 and replayed responses of an import, and the 413 response of statistics', async () => {
    const id = 'post_api_orders_import';
    const headers = { 'Idempotency-Key': 'documented' };
    const body = { account_id: service.shopId, rows: [{ receipt_id: 'documented' }] };
    const send = (overrides: object) => service.send('/api/orders/import', { body, headers, ...overrides });
    expectDocumented(id, await send({}), 200);
    const replayedResponse = await send({});
    expect(replayedResponse.headers.get('idempotent-replayed')).toBe('true');
    expectDocumented(id, replayedResponse, 200);
    expectDocumented(id, await send({ body: {} }), 422);
    expectDocumented(id, await send({ headers: { 'Content-Type': 'text/plain' } }), 415);
    const tooLargeResponse = await service.send('/api/shop-statistics', { body: ' '.repeat(2_000_000) });
    expectDocumented('post_api_shop_statistics', tooLargeResponse, 413);
  });

  it('documents a 404 and a 503 response, and the 401 and 429 responses to requests without a bearer token', async () => {
    const noKeyHeader = { 'X-Api-Key': undefined };
    expectDocumented('get_api_user', await service.send('/api/user', { headers: noKeyHeader }), 401);
    expectDocumented(
      'get_api_v1_tracking_text',
      await service.send('/api/v1/tracking-text?order_id=999999'),
      404,
    );
    const notConfiguredResponse = await service.send('/api/logistics?tracking_number=LX1');
    expectDocumented('get_api_logistics', notConfiguredResponse, 503);
    expect(notConfiguredResponse.headers.get('retry-after')).toBeNull();
    for (let n = 0; n < 40; n++) await service.send('/api/user', { headers: noKeyHeader });
    expectDocumented('get_api_user', await service.send('/api/user', { headers: noKeyHeader }), 429);
  });

  it('is compared with responses that have ETag, rate limit, replay, Retry-After and WWW-Authenticate headers', () => {
    for (const header of [
      '200 etag',
      '304 etag',
      '200 ratelimit-limit',
      '422 ratelimit-remaining',
      '200 ratelimit-reset',
      '429 retry-after',
      '200 idempotent-replayed',
      '401 www-authenticate',
    ])
      expect(checkedHeaders).toContain(header);
  });

  it('documents 429 for every operation, and 408 and 413 for every operation with a body', () => {
    for (const { method, responses, operationId } of check.operations) {
      expect(Object.keys(responses), operationId).toContain('429');
      if (method === 'post') expect(Object.keys(responses)).toEqual(expect.arrayContaining(['408', '413']));
    }
  });

  it('documents Idempotency-Key for order imports and message replies, and for no other operation', async () => {
    const { json } = await service.send('/docs/api/openapi.json');
    const acceptingOperations = check.operations.filter(({ path, method }) =>
      json.paths[path][method].parameters?.some(({ name }: { name: string }) => name === 'Idempotency-Key'),
    );
    expect(acceptingOperations.map(({ operationId }) => operationId).toSorted()).toEqual([
      'post_api_marketplace_message',
      'post_api_orders_import',
    ]);
  });
});
