import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestResponse, type TestService } from '../../../support/service/test-service';

const LIMIT = 20;
let service: TestService;
let user: SignedInUser;
/** The last part of the current address. Each test has an address of its own, and so a rate limit of its own. */
let addressNumber = 0;

beforeAll(async () => {
  service = await startTestService({
    UNAUTHENTICATED_LIMIT_PER_MINUTE: String(LIMIT),
    TRUSTED_PROXIES: '127.0.0.1',
    CORS_ORIGINS: 'https://shop.example',
  });
  user = await createSignedInUser(service, 'owner');
});
afterAll(() => service.close());
beforeEach(() => {
  addressNumber++;
});

type Headers = Record<string, string | undefined>;

const NO_KEY_HEADERS: Headers = { 'X-Api-Key': undefined };
const LIST_TOOLS_REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function send(path: string, headers: Headers = NO_KEY_HEADERS, body?: unknown) {
  const commonHeaders = {
    'X-Forwarded-For': `198.51.100.${addressNumber}`,
    Accept: 'application/json, text/event-stream',
  };
  return service.send(path, { body, headers: { ...commonHeaders, ...headers } });
}

/** Sends an anonymous request without fetch, which would normalise the path. Returns the status. */
function sendAsIs(path: string): Promise<number> {
  const { port } = new URL(service.url);
  const headers = { 'X-Forwarded-For': `198.51.100.${addressNumber}` };
  return new Promise((resolve, reject) => {
    request({ port, path, headers }, (res) => res.resume().on('end', () => resolve(res.statusCode!)))
      .on('error', reject)
      .end();
  });
}

/** Uses up the limit of the test's address. */
async function exhaustLimit(): Promise<void> {
  for (let n = 0; n < LIMIT; n++) expect((await send('/api/legos-sku')).status).toBe(401);
}

describe('an address that sends no credential', () => {
  it.each([
    ['the API', '/api/legos-sku', undefined],
    ['unknown paths', '/api/nothing', undefined],
    ['MCP', '/mcp', LIST_TOOLS_REQUEST],
    ['native tRPC', '/api/trpc/shops.list', undefined],
    ['OAuth', '/oauth/token', {}],
    ["the sign-in page's API", '/api/auth/csrf', undefined],
    ['downloads', '/api/downloads/orders', undefined],
    ['uploads', '/api/uploads/orders', undefined],
    ['documents', '/docs/api/openapi.json', undefined],
    ['pages', '/admin', undefined],
  ])('is limited on %s: 429 in the error envelope, with Retry-After', async (_name, path, body) => {
    for (let n = 0; n < LIMIT; n++) expect((await send(path, NO_KEY_HEADERS, body)).status).not.toBe(429);
    const { status, headers, json } = await send(path, NO_KEY_HEADERS, body);
    expect([status, json.success, json.code]).toEqual([429, false, 'rate_limited']);
    expect(json.request_id).toBe(headers.get('x-request-id'));
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each([
    '/_next/static/../../admin/sign-in',
    '/_next/static/x/../../../docs/api',
    '/_next/static/%2e%2e/%2E%2E/admin/sign-in',
    '/_next/static/.%2e/.%2e/admin/sign-in',
    '/_next/static/..%2f..%2fadmin/sign-in',
    '/_next/static/..\\..\\admin/sign-in',
    '/_next/static/x\\..\\..\\..\\admin/sign-in',
    '/_next/static//admin/sign-in',
    '/_next/static/..',
    '/healthz/../admin/sign-in',
  ])('is limited on %s, which may lead to something other than an asset', async (path) => {
    for (let n = 0; n < LIMIT; n++) expect(await sendAsIs(path)).not.toBe(429);
    expect(await sendAsIs(path)).toBe(429);
  });

  it.each([
    '/_next/static/chunks/3-uqjxbvpich0.js',
    '/_next/static/5p-ill4XfbFoXYhIAJz_5/_buildManifest.js?dpl=1',
    '/_next/static/media/inter_latin_wght_normal-s.p.0gsaq8ukbf34m.woff2',
  ])('is not limited on the asset %s', async (path) => {
    await exhaustLimit();
    expect(await sendAsIs(path)).toBe(404);
  });

  it('has one count for all paths, separate from the counts of other addresses', async () => {
    await exhaustLimit();
    for (const path of ['/mcp', '/api/auth/csrf', '/oauth/token', '/api/trpc/shops.list'])
      expect((await send(path)).status, path).toBe(429);
    addressNumber++;
    expect((await send('/api/auth/csrf')).status).toBe(200);
  });

  it('still reaches the probes once it is over the limit, and pages of configured origins can still send preflights and read the 429', async () => {
    await exhaustLimit();
    for (const probe of ['/healthz', '/readyz'])
      expect([probe, (await send(probe)).status]).toEqual([probe, 200]);
    const preflightResponse = await service.send('/api/legos-sku', {
      method: 'OPTIONS',
      headers: {
        ...NO_KEY_HEADERS,
        Origin: 'https://shop.example',
        'X-Forwarded-For': `198.51.100.${addressNumber}`,
      },
    });
    expect(preflightResponse.status).toBe(204);
    const refusal = await send('/api/legos-sku', { ...NO_KEY_HEADERS, Origin: 'https://shop.example' });
    expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([
      429,
      'https://shop.example',
    ]);
  });
});

describe('a bad credential', () => {
  it.each([
    ['a key', '/api/legos-sku', { 'X-Api-Key': 'bdk_wrong' }],
    ['a token', '/api/user', { ...NO_KEY_HEADERS, Authorization: 'Bearer wrong' }],
    ['a session', '/api/trpc/shops.list', { ...NO_KEY_HEADERS, Cookie: 'next-auth.session-token=wrong' }],
    ['a session on a page', '/admin', { ...NO_KEY_HEADERS, Cookie: 'next-auth.session-token=wrong' }],
    ['a key over MCP', '/mcp', { 'X-Api-Key': 'bdk_wrong' }],
  ])('counts as none: %s', async (_name, path, headers) => {
    // These requests are counted after the response, so a few more than the limit may pass.
    const responses: TestResponse[] = [];
    for (let n = 0; n < 3 * LIMIT; n++) responses.push(await send(path, headers));
    const refusals = responses.filter(({ status }) => status === 429);
    expect(refusals.length).toBeGreaterThan(LIMIT);
    for (const { headers, json } of refusals) {
      expect([json.success, json.code]).toEqual([false, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('a request with a valid credential', () => {
  const makeSessionHeaders = () => ({ ...NO_KEY_HEADERS, Cookie: user.cookie, Origin: service.url });

  it('is not counted', async () => {
    for (let n = 0; n < LIMIT; n++) {
      expect((await send('/api/legos-sku', {})).status).toBe(200);
      expect((await send('/mcp', {}, LIST_TOOLS_REQUEST)).status).toBe(200);
      expect((await send('/api/auth/session', makeSessionHeaders())).status).toBe(200);
    }
    expect((await send('/api/auth/csrf')).status).toBe(200);
  });

  it('is accepted, however many unauthenticated requests the same address has sent', async () => {
    await exhaustLimit();
    expect((await send('/api/legos-sku')).status).toBe(429);
    expect((await send('/api/legos-sku', {})).status).toBe(200);
    expect((await send('/mcp', {}, LIST_TOOLS_REQUEST)).json.result.tools).not.toHaveLength(0);
    expect((await send('/api/trpc/shops.list', makeSessionHeaders())).status).toBe(200);
    expect((await send('/api/auth/session', makeSessionHeaders())).json.user.email).toBe(user.email);
    expect((await send('/api/user', { ...NO_KEY_HEADERS, Authorization: 'Bearer wrong' })).status).toBe(429);
  });
});
