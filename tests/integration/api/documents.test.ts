import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

/** The public operations: name, method, path and credential. */
const OPERATIONS: [string, string, string, 'key' | 'bearer'][] = [
  ['get_api_user', 'GET', '/api/user', 'bearer'],
  ['get_api_legos_head', 'GET', '/api/legos-head', 'key'],
  ['get_api_legos_body', 'GET', '/api/legos-body', 'key'],
  ['get_api_legos_hair', 'GET', '/api/legos-hair', 'key'],
  ['get_api_legos_leg', 'GET', '/api/legos-leg', 'key'],
  ['get_api_legos_brick', 'GET', '/api/legos-brick', 'key'],
  ['get_api_legos_cate', 'GET', '/api/legos-cate', 'key'],
  ['get_api_legos_sku', 'GET', '/api/legos-sku', 'key'],
  ['post_api_v1_tracks', 'POST', '/api/v1/tracks', 'key'],
  ['get_api_v1_marketplace', 'GET', '/api/v1/marketplace', 'key'],
  ['post_api_v1_marketplace', 'POST', '/api/v1/marketplace', 'key'],
  ['get_api_v1_tracking_text', 'GET', '/api/v1/tracking-text', 'key'],
  ['get_api_logistics', 'GET', '/api/logistics', 'key'],
  ['post_api_marketplace_message', 'POST', '/api/marketplace/message', 'key'],
  ['post_api_shop_statistics', 'POST', '/api/shop-statistics', 'key'],
  ['post_api_product_statistics', 'POST', '/api/product-statistics', 'key'],
  ['post_api_orders_import', 'POST', '/api/orders/import', 'key'],
];

beforeAll(async () => {
  service = await startTestService({ APP_URL: 'https://desk.example/', ADMIN_PREFIX: '/erp' });
});
afterAll(() => service.close());

describe('the tool list', () => {
  it('has all public operations with their names, methods, paths and credentials', async () => {
    const { json } = await service.send('/docs/api/mcp-tools.json');
    const listedOperations = json.tools.map((tool: Record<string, string>) => [
      tool.name,
      tool.method,
      tool.path,
      tool.auth,
    ]);
    expect(listedOperations.toSorted(), 'Add the operation to OPERATIONS in this file').toEqual(
      OPERATIONS.toSorted(),
    );
  });

  it('says in the description of every tool which header its calls need', async () => {
    const { json } = await service.send('/docs/api/mcp-tools.json');
    for (const { name, auth, description } of json.tools) {
      const [neededHeader, otherHeader] =
        auth === 'bearer' ? ['Authorization: Bearer', 'X-Api-Key'] : ['X-Api-Key', 'Authorization: Bearer'];
      expect(description, name).toContain(`Needs the header ${neededHeader}`);
      expect(description, name).not.toContain(`Needs the header ${otherHeader}`);
    }
  });

  it('has URLs with the configured application URL and admin prefix', async () => {
    const { json } = await service.send('/docs/api/mcp-tools.json');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const urls = { erp_admin_url: 'https://desk.example/erp', docs_url: 'https://desk.example/docs/api' };
    expect(json.server).toEqual({ name: 'brickdesk', version, base_url: 'https://desk.example', ...urls });
    expect(json).toMatchObject(urls);
  });

  it('describes every tool with the types of its input and output', async () => {
    const { json } = await service.send('/docs/api/mcp-tools.json');
    for (const tool of json.tools) {
      expect(tool.description.length, tool.name).toBeGreaterThan(20);
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema, tool.name).toHaveProperty('type');
    }
    const trackingTextTool = json.tools.find(
      (tool: { name: string }) => tool.name === 'get_api_v1_tracking_text',
    );
    expect(trackingTextTool.inputSchema).toMatchObject({
      additionalProperties: false,
      properties: { order_id: { type: 'integer' }, format: { enum: ['json', 'text'] } },
    });
  });
});

describe('the OpenAPI document', () => {
  it('has all public operations, each with a summary, a description, a security requirement and error responses', async () => {
    const { json } = await service.send('/docs/api/openapi.json');
    expect(json.servers).toEqual([{ url: 'https://desk.example' }]);
    const listedOperations = Object.entries<
      Record<
        string,
        { operationId: string; security: object[]; summary: string; description: string; responses: object }
      >
    >(json.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        expect(operation.summary && operation.description, path).toBeTruthy();
        expect(Object.keys(operation.responses), path).toEqual(
          expect.arrayContaining(['200', '401', '429', '500', '503']),
        );
        return [
          operation.operationId,
          method.toUpperCase(),
          path,
          'ApiKey' in operation.security[0]! ? 'key' : 'bearer',
        ];
      }),
    );
    expect(listedOperations.toSorted(), 'Add the operation to OPERATIONS in this file').toEqual(
      OPERATIONS.toSorted(),
    );
  });

  it('has 304, 404, 502 and 504 responses and text/plain for the operations that return them', async () => {
    const { json } = await service.send('/docs/api/openapi.json');
    expect(json.paths['/api/legos-sku'].get.responses).toHaveProperty('304');
    expect(json.paths['/api/legos-sku'].get.responses).not.toHaveProperty('422');
    const trackingTextOperation = json.paths['/api/v1/tracking-text'].get;
    expect(trackingTextOperation.responses).toHaveProperty('404');
    expect(Object.keys(trackingTextOperation.responses['200'].content)).toEqual([
      'application/json',
      'text/plain',
    ]);
    expect(
      trackingTextOperation.parameters.find((parameter: { name: string }) => parameter.name === 'order_id')
        .schema.type,
    ).toBe('integer');
    for (const path of ['/api/logistics', '/api/marketplace/message']) {
      const operation = json.paths[path].get ?? json.paths[path].post;
      expect(operation.responses, path).toMatchObject({ 502: {}, 504: {} });
    }
  });

  it('mentions used-up tokens in a 429 response only where replies are written, an unreachable service in every 502 response, and a paused service in a 503 response only where another service is called', async () => {
    const { json } = await service.send('/docs/api/openapi.json');
    const responsesOf = (status: string) =>
      OPERATIONS.flatMap(([name, method, path]) => {
        const response = json.paths[path][method.toLowerCase()].responses[status];
        return response ? [[name, response.description] as const] : [];
      });
    const responsesMentioningTokens = responsesOf('429').filter(([, description]) =>
      description.includes('tokens'),
    );
    expect(responsesMentioningTokens.map(([name]) => name)).toEqual(['post_api_marketplace_message']);
    for (const [name, description] of responsesOf('502'))
      expect(description, name).toContain('could not be reached');
    const operationsWithOtherService = responsesOf('503').filter(([, description]) =>
      description.includes('other service'),
    );
    expect(operationsWithOtherService.map(([name]) => name)).toEqual([
      'get_api_logistics',
      'post_api_marketplace_message',
    ]);
    for (const [name, description] of operationsWithOtherService)
      expect(description, name).toContain('not configured: then there is no Retry-After');
  });
});

describe('the operation', () => {
  it.each(OPERATIONS.filter(([, method]) => method === 'POST'))(
    '%s returns 415 or 422 for anything but a JSON object',
    async (_, method, path) => {
      const send = (body: string, type: string) =>
        service.send(path, { method, body, headers: { 'Content-Type': type } });
      expect((await send('{}', 'text/plain')).status).toBe(415);
      for (const body of ['', '[]', 'null', '1', '{"a":}', '"x"'])
        expect((await send(body, 'application/json')).status, body).toBe(422);
    },
  );
});
