import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestResponse, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ IMPORT_MAX_BODY_BYTES: '20000', CORS_ORIGINS: 'https://shop.example' });
});
afterAll(() => service.close());

const IMPORT_PATH = '/api/orders/import';

describe('the service', () => {
  const expectEnvelope = (response: TestResponse, status: number, code: string) => {
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({ success: false, code, message: expect.any(String) });
    expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  };

  it('returns 404 for an unknown path, even without a key', async () => {
    expectEnvelope(
      await service.send('/api/nothing', { headers: { 'X-Api-Key': undefined } }),
      404,
      'not_found',
    );
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])(
    'returns 405 with Allow for %s, even without a key',
    async (method) => {
      const response = await service.send(IMPORT_PATH, { method, headers: { 'X-Api-Key': undefined } });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      if (method !== 'HEAD') expectEnvelope(response, 405, 'method_not_allowed');
    },
  );

  it('returns 401 without a key, before the content type is checked', async () => {
    const response = await service.send(IMPORT_PATH, {
      body: 'x',
      headers: { 'X-Api-Key': undefined, 'Content-Type': 'text/plain' },
    });
    expectEnvelope(response, 401, 'unauthorized');
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/json; charset=gbk',
    'application/jsonx',
    'multipart/form-data',
    '',
  ])('returns 415 for the content type %j, before the size is checked', async (type) => {
    expectEnvelope(
      await service.send(IMPORT_PATH, { body: 'x'.repeat(30_000), headers: { 'Content-Type': type } }),
      415,
      'unsupported_media_type',
    );
  });

  it('returns 415 for a compressed body', async () => {
    expectEnvelope(
      await service.send(IMPORT_PATH, { body: '{}', headers: { 'Content-Encoding': 'gzip' } }),
      415,
      'unsupported_media_type',
    );
  });

  it('returns 413 for a body over the limit, with or without a declared length, before it is parsed', async () => {
    const body = 'x'.repeat(20_001);
    expectEnvelope(
      await service.send(IMPORT_PATH, { body, headers: { 'Content-Type': 'application/json' } }),
      413,
      'payload_too_large',
    );
    const status = await new Promise((resolve, reject) => {
      const headers = {
        'X-Api-Key': service.key,
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      };
      const req = request(service.url + IMPORT_PATH, { method: 'POST', headers }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      req.on('error', reject);
      for (let n = 0; n < 10; n++) req.write('x'.repeat(4_000));
      req.end();
    });
    expect(status).toBe(413);
  });

  it('returns 422 for a body that is not JSON', async () => {
    expectEnvelope(
      await service.send(IMPORT_PATH, { body: '{', headers: { 'Content-Type': 'application/json' } }),
      422,
      'validation_failed',
    );
  });
});

describe('every response', () => {
  it("carries the client's request id if it is valid, otherwise a new one", async () => {
    const readReturnedId = async (id: string) =>
      (await service.send('/healthz', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    expect(await readReturnedId('abc-1.2_3')).toBe('abc-1.2_3');
    expect(await readReturnedId('x'.repeat(128))).toBe('x'.repeat(128));
    for (const badId of ['', 'a b', 'ä', 'x'.repeat(129), '<x>'])
      expect(await readReturnedId(badId), badId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['/healthz', '/api/nothing', '/docs/api/openapi.json', '/nothing'])(
    'from %s has the security headers',
    async (url) => {
      const { headers } = await service.send(url);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  it('is logged as one line of JSON, with route, status, duration and key, and without the query', async () => {
    await service.send('/api/orders/import?token=in-the-query', {
      body: { account_id: 1, rows: [] },
      headers: { 'X-Request-Id': 'log-me' },
    });
    await expect.poll(() => service.readLog()).toContain('log-me');
    const line = service
      .readLog()
      .split('\n')
      .find((text) => text.includes('log-me'))!;
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      requestId: 'log-me',
      method: 'POST',
      route: IMPORT_PATH,
      status: 422,
      durationMs: expect.any(Number),
      keyId: expect.any(Number),
    });
    expect(service.readLog()).not.toContain('in-the-query');
  });
});

describe('health', () => {
  it('is reported by /healthz and /readyz, for GET and HEAD only', async () => {
    expect((await service.send('/healthz')).json).toEqual({ status: 'ok' });
    expect((await service.send('/readyz')).json).toEqual({
      status: 'ready',
      database: 'reachable',
      migrations: 'applied',
    });
    const headResponse = await service.send('/readyz', { method: 'HEAD' });
    expect([headResponse.status, headResponse.text]).toEqual([200, '']);
    expect((await service.send('/healthz', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['a migration is not finished', 'UPDATE _prisma_migrations SET finished_at = NULL'],
    ['a migration has been rolled back', 'UPDATE _prisma_migrations SET rolled_back_at = now()'],
    ['a migration is missing', "UPDATE _prisma_migrations SET migration_name = 'another'"],
    ['the table of migrations is missing', 'ALTER TABLE _prisma_migrations RENAME TO elsewhere'],
  ])('is reported as not ready while %s', async (_, damageSql) => {
    await service.database.query('CREATE TABLE kept_migrations AS TABLE _prisma_migrations');
    await service.database.query(damageSql);
    const response = await service.send('/readyz');
    expect(response.status).toBe(503);
    expect(response.json).toEqual({ status: 'not ready', database: 'reachable', migrations: 'pending' });
    await service.database.query('ALTER TABLE IF EXISTS elsewhere RENAME TO _prisma_migrations');
    await service.database.query('TRUNCATE _prisma_migrations');
    await service.database.query('INSERT INTO _prisma_migrations TABLE kept_migrations');
    await service.database.query('DROP TABLE kept_migrations');
    expect((await service.send('/readyz')).status).toBe(200);
  });
});

describe('CORS headers', () => {
  it('are sent to a preflight from a configured origin, but not to one from any other origin', async () => {
    const sendPreflight = (origin: string) =>
      service.send(IMPORT_PATH, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowedPreflightResponse = await sendPreflight('https://shop.example');
    expect(allowedPreflightResponse.status).toBe(204);
    expect(allowedPreflightResponse.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(allowedPreflightResponse.headers.get('access-control-allow-headers')).toContain('X-Api-Key');
    const otherPreflightResponse = await sendPreflight('https://evil.example');
    expect([
      otherPreflightResponse.status,
      otherPreflightResponse.headers.get('vary'),
      otherPreflightResponse.text,
    ]).toEqual([204, 'Origin', '']);
    expect(
      [...otherPreflightResponse.headers.keys()].filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
    expect(otherPreflightResponse.headers.get('cross-origin-resource-policy')).not.toBe('cross-origin');
  });

  it('are not sent if no origins are configured', async () => {
    const serviceWithoutCors = await startTestService();
    try {
      const response = await serviceWithoutCors.send(IMPORT_PATH, {
        method: 'OPTIONS',
        headers: { Origin: 'https://shop.example' },
      });
      expect(response.status).toBe(405);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    } finally {
      await serviceWithoutCors.close();
    }
  });
});

describe('the server', () => {
  function sendRaw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
      let responseText = '';
      socket.on('data', (chunk) => {
        responseText += chunk;
      });
      socket.on('close', () => resolve(responseText)).on('error', reject);
    });
  }

  it('refuses to upgrade a connection to WebSocket', async () => {
    const response = await sendRaw(
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(response).toMatch(/^HTTP\/1.1 426/);
  });

  it('keeps serving after a client has hung up while sending a body', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
        socket.write(
          `POST ${IMPORT_PATH} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"acc`,
        );
        setImmediate(() => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    expect((await service.importRows([{ receipt_id: 'after' }])).status).toBe(200);
  });
});

describe('the OpenAPI document', () => {
  it('has a strong ETag, and is not sent again (304) for a matching If-None-Match', async () => {
    const fullResponse = await service.send('/docs/api/openapi.json');
    const etag = fullResponse.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    const notModifiedResponse = await service.send('/docs/api/openapi.json', {
      headers: { 'If-None-Match': `"x", ${etag}` },
    });
    expect([notModifiedResponse.status, notModifiedResponse.text]).toEqual([304, '']);
    expect(
      (await service.send('/docs/api/openapi.json', { headers: { 'If-None-Match': '"x"' } })).status,
    ).toBe(200);
    const headResponse = await service.send('/docs/api/openapi.json', { method: 'HEAD' });
    expect([headResponse.status, headResponse.text, headResponse.headers.get('etag')]).toEqual([
      200,
      '',
      etag,
    ]);
  });

  it('describes the import: full path, bounds, security and every error', async () => {
    const { json } = await service.send('/docs/api/openapi.json');
    const { post } = json.paths['/api/orders/import'];
    expect(json.info.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(post).toMatchObject({ operationId: 'post_api_orders_import', security: [{ ApiKey: [] }] });
    expect(Object.keys(post.responses)).toEqual([
      '200',
      '401',
      '403',
      '408',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    const { schema } = post.requestBody.content['application/json'];
    expect(schema).toMatchObject({ required: ['account_id', 'rows'], additionalProperties: false });
    expect(schema.properties.rows).toMatchObject({ minItems: 1, maxItems: 50_000 });
    expect(schema.examples).toHaveLength(1);
    expect(Object.keys(json.components.securitySchemes)).toEqual(['ApiKey', 'OAuth2']);
    expect(Object.keys(json.components.schemas.OrderRow.properties)).toHaveLength(36);
    expect(Object.keys(json.components.schemas).filter((name) => name.startsWith('error.'))).toEqual([]);
  });
});
