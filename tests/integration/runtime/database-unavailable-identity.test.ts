import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config';
import { createLog } from '../../../src/server/core/log';
import { type RunningApp, startApp } from '../../../src/server/runtime/app';
import { type BrowserSession, createBrowserSession, signIn } from '../../support/browser/browser-session';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { findFreePort } from '../../support/service/free-port';
import {
  getTokens,
  getUser,
  makeClient,
  makeUser,
  type OAuthService,
  requestAuthorization,
  type TestClient,
} from '../../support/service/oauth-service';
import { TEST_SECRET } from '../../support/service/test-service';
import { type BlackHoleProxy, startBlackHoleProxy } from '../../support/stand-ins/black-hole-proxy';

const SESSION_COOKIE = 'next-auth.session-token';

let database: TestDatabase;
let proxy: BlackHoleProxy;
let app: RunningApp;
let service: OAuthService;
let wikiClient: TestClient;
let user: Awaited<ReturnType<typeof makeUser>>;
let browser: BrowserSession;
let wikiGrant: Awaited<ReturnType<typeof getTokens>>;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startBlackHoleProxy(database.url);
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  app = await startApp({
    config: loadConfig({ PORT: `${port}`, APP_URL: issuer }),
    databaseUrl: proxy.url,
    secret: TEST_SECRET,
    log: createLog('silent'),
    pages: null,
    databaseTimeoutsMs: { work: 1_000, bulk: 1_000 },
  });
  service = { app, url: `http://127.0.0.1:${port}`, issuer } as OAuthService;
  user = await makeUser(service, 'person@example.com');
  wikiClient = await makeClient(service, { name: 'Wiki' });
  browser = createBrowserSession(issuer);
  await signIn(browser, user);
  wikiGrant = await getTokens(service, wikiClient, browser);
  await app.services.sessionUse.waitForWrites();
});
afterAll(async () => {
  await app?.stop();
  await proxy?.remove();
  await database?.drop();
});

interface ErrorResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  json: any;
}

/** Checks that a response has Retry-After and reveals no cause. Returns the response with its body. */
async function expectRetryAfter(
  sendRequest: () => Promise<Response | ErrorResponse>,
): Promise<ErrorResponse> {
  const response = await sendRequest();
  const text = response instanceof Response ? await response.text() : response.text;
  expect(text).not.toMatch(/timeout|query|prisma|ECONN|SELECT|invocation|oops/i);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

const requestToken = (fields: Record<string, string>) =>
  fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${wikiClient.id}:${wikiClient.secret}`)}` },
    body: new URLSearchParams(fields),
  });

const expectedEnvelope = { success: false, code: 'service_unavailable', request_id: expect.any(String) };

describe.each([
  ['does not respond', () => proxy.stopForwarding()],
  ['refuses connections', () => proxy.remove()],
])('while the database %s', (_name, makeDatabaseUnavailable) => {
  beforeEach(async () => {
    await makeDatabaseUnavailable();
  });

  it('signing in returns 503, not the error of a wrong password, and sets no session cookie', async () => {
    const newBrowser = createBrowserSession(service.issuer);
    const response = await expectRetryAfter(() => signIn(newBrowser, user));
    expect(response.status).toBe(503);
    expect(response.json).toMatchObject(expectedEnvelope);
    expect(newBrowser.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it('nobody is signed out by loading the session, nor by a sign-out that cannot be stored', async () => {
    const sessionCookie = browser.cookies.get(SESSION_COOKIE);
    expect((await expectRetryAfter(() => browser.get('/api/auth/session'))).status).toBe(503);
    const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
    const response = await expectRetryAfter(() =>
      browser.postForm('/api/auth/signout', { csrfToken, json: 'true' }),
    );
    expect(response.status).toBe(503);
    expect(browser.cookies.get(SESSION_COOKIE)).toBe(sessionCookie);
  });

  it('GET /api/user returns 503 with the error envelope, for an access token and for a session token', async () => {
    for (const token of [wikiGrant.tokens.access_token, sessionTokenOf(browser)]) {
      const response = await expectRetryAfter(() => getUser(service, token));
      expect(response.status).toBe(503);
      expect(response.json).toMatchObject(expectedEnvelope);
    }
  });

  it('the token endpoint returns 503 with an error as defined by RFC 6749', async () => {
    const grants: Record<string, string>[] = [
      { grant_type: 'refresh_token', refresh_token: wikiGrant.tokens.refresh_token! },
      { grant_type: 'client_credentials', scope: 'user:read' },
    ];
    for (const grant of grants) {
      const response = await expectRetryAfter(() => requestToken(grant));
      expect(response.status).toBe(503);
      expect(response.json).toMatchObject({
        error: 'temporarily_unavailable',
        error_description: expect.any(String),
      });
      expect(response.headers.get('cache-control')).toContain('no-store');
    }
  });

  it('a user who signs in to another app gets a page with 503 that says to try again', async () => {
    const { url } = await requestAuthorization(wikiGrant.config, wikiClient);
    const response = await expectRetryAfter(() =>
      browser.get(url.pathname + url.search, { Accept: 'text/html' }),
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
    expect(response.text).toContain('Try again in a moment');
  });
});

const sessionTokenOf = (browserSession: BrowserSession) => browserSession.cookies.get(SESSION_COOKIE)!;

it('a service without its database is still up, and reports that it is not ready', async () => {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
});
