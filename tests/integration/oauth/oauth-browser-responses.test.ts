import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser } from '../../../src/server/identity/users/service';
import {
  type BrowserResponse,
  type BrowserSession,
  createBrowserSession,
  signIn,
} from '../../support/browser/browser-session';
import { findFreePort } from '../../support/service/free-port';
import { formOf, makeClient, REDIRECT_URI } from '../../support/service/oauth-service';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

const APP_URL = 'https://desk.example';
const USER = { email: 'ann@example.com', password: 'four unrelated words here' };

/** A service configured as if a proxy in front of it terminated TLS. */
let service: TestService;
let authorizePath: string;

beforeAll(async () => {
  service = await startTestService({ PORT: `${await findFreePort()}`, APP_URL });
  await createUser(service.app.services.db, TEST_ACTOR, { ...USER, role: 'viewer' });
  const oauthClient = await makeClient(service, { name: 'Wiki' });
  authorizePath = `/oauth/authorize?${new URLSearchParams({
    client_id: oauthClient.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid user:read',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })}`;
});
afterAll(() => service?.close());

/** Returns the path and query of an address, whatever its host name. */
const pathOf = (location: string | null) => {
  const { pathname, search } = new URL(location!, APP_URL);
  return pathname + search;
};

/** Returns a browser whose `get` and `postForm` send X-Forwarded-Host, and the responses that they have received. */
function createRecordingBrowser() {
  const browser = createBrowserSession(service.url);
  const responses: BrowserResponse[] = [];
  const recordResponse = async (responsePromise: Promise<BrowserResponse>) => {
    const response = await responsePromise;
    responses.push(response);
    return response;
  };
  const forwardedHeaders = { 'X-Forwarded-Host': 'evil.example' };
  const recordingBrowser: BrowserSession = {
    ...browser,
    get: (path, headers) => recordResponse(browser.get(path, { ...forwardedHeaders, ...headers })),
    postForm: (path, fields, headers) =>
      recordResponse(browser.postForm(path, fields, { ...forwardedHeaders, ...headers })),
  };
  return { browser: recordingBrowser, responses };
}

it('throughout the sign-in to a client, no response may be stored, no cookie is readable by scripts or sent unencrypted, and no redirect follows X-Forwarded-Host', async () => {
  const { browser, responses } = createRecordingBrowser();
  let response = await browser.get(authorizePath);
  for (let step = 0; step < 6 && !response.location!.includes('/sign-in'); step++)
    response = await browser.get(pathOf(response.location));
  const interactionPath = new URL(response.location!).searchParams.get('callbackUrl')!;
  expect((await signIn(browser, USER)).status).toBe(200);
  response = await browser.get(interactionPath);
  for (let step = 0; step < 6 && response.status === 303; step++)
    response = await browser.get(pathOf(response.location));
  expect(response.text).toContain('wants to use your Brickdesk account');
  const { action, token } = formOf(response);
  response = await browser.postForm(action, { token }, { Origin: APP_URL });
  for (let step = 0; step < 4 && !response.location!.startsWith(REDIRECT_URI); step++)
    response = await browser.get(pathOf(response.location));
  expect(new URL(response.location!).searchParams.get('code')).toBeTruthy();
  expect(responses.length).toBeGreaterThan(6);

  const cookieHeaders = responses.flatMap(({ headers }) => headers.getSetCookie());
  expect(cookieHeaders.length).toBeGreaterThan(3);
  for (const cookieHeader of cookieHeaders) {
    expect(cookieHeader).toMatch(/; secure/i);
    expect(cookieHeader).toMatch(/; httponly/i);
    expect(cookieHeader).toMatch(/; samesite=lax/i);
    expect(cookieHeader).not.toMatch(/; domain/i);
  }
  for (const { headers, location, text } of responses) {
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(`${location} ${text}`).not.toContain('evil');
  }
});

it('no response about a user may be stored: session, procedures, user record', async () => {
  const browser = createBrowserSession(service.url);
  await signIn(browser, USER);
  const token = browser.cookies.get('__Secure-next-auth.session-token')!;
  const responses = [
    await browser.get('/api/auth/session'),
    await browser.get('/api/trpc/account.me'),
    await fetch(`${service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } }),
  ];
  for (const { status, headers } of responses) {
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
  }
});
