import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginSession, endSession } from '../../../../src/server/identity/sessions/session-service';
import { beginTwoFactor, enableTwoFactor } from '../../../../src/server/identity/sessions/two-factor-service';
import { createUser, setUserActive, updateUser } from '../../../../src/server/identity/users/service';
import {
  type BrowserResponse,
  type BrowserSession,
  createBrowserSession,
} from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';
import {
  type IdentityProvider as IdentityProviderStandIn,
  startIdentityProvider,
} from '../../../support/stand-ins/identity-provider-stand-in';

const SESSION_COOKIE = 'next-auth.session-token';

let provider: IdentityProviderStandIn;
let service: TestService;
let userCount = 0;

beforeAll(async () => {
  const port = await findFreePort();
  const appUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(`${appUrl}/api/auth/callback/oidc`);
  service = await startTestService({
    PORT: `${port}`,
    APP_URL: appUrl,
    OIDC_ISSUER: `${provider.issuer}/`,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  });
});
afterAll(async () => {
  await service?.close();
  await provider?.close();
});

async function createTestUser(role: 'viewer' | 'owner' = 'viewer') {
  const email = `staff${++userCount}@example.com`;
  const { id } = await createUser(service.app.services.db, TEST_ACTOR, { email, role });
  provider.user = { sub: `org-${userCount}`, email, email_verified: true };
  return { id, email };
}

/** Clicks the button on the sign-in page. Returns where the browser is redirected. */
async function beginSignIn(browser: BrowserSession, callbackUrl = '/admin/orders'): Promise<URL> {
  const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
  const response = await browser.postForm('/api/auth/signin/oidc', { csrfToken, callbackUrl, json: 'true' });
  return new URL(response.json.url);
}

/** Follows next-auth's redirects to the final page. */
async function followRedirects(browser: BrowserSession, firstResponse: BrowserResponse): Promise<URL> {
  let response = firstResponse;
  while (response.location !== null && new URL(response.location).pathname.startsWith('/api/auth/'))
    response = await browser.get(response.location);
  if (response.location === null) throw new Error(`No page: ${response.status} ${response.text}`);
  return new URL(response.location);
}

/** Runs the complete sign-in; `change` lets an attacker modify the request on its way to the provider. */
async function signInAtProvider(change: (requestUrl: URL) => void = () => undefined) {
  const browser = createBrowserSession(service.url);
  const requestUrl = await beginSignIn(browser);
  change(requestUrl);
  const callbackUrl = await provider.visit(requestUrl);
  return { browser, pageUrl: await followRedirects(browser, await browser.get(callbackUrl.href)) };
}

const readMeStatus = async (browser: BrowserSession) => (await browser.get('/api/trpc/account.me')).status;
const readPathAndError = (pageUrl: URL) => [pageUrl.pathname, pageUrl.searchParams.get('error')];

describe('signing in through an identity provider', () => {
  it('works for a user whose verified e-mail address is known, in upper or lower case, and is recorded with its method', async () => {
    const { email } = await createTestUser();
    provider.user.email = email.toUpperCase();
    const { browser, pageUrl } = await signInAtProvider();
    expect(pageUrl.href).toBe(`${service.url}/admin/orders`);
    expect(await readMeStatus(browser)).toBe(200);
    const sessions = (await browser.get('/api/trpc/account.sessions')).json.result.data;
    expect(sessions).toMatchObject([{ method: 'oidc', here: true }]);
    const [auditEntry] = await service.database.query(
      `SELECT actor, after FROM audit_log WHERE action = 'user.sign_in' ORDER BY id DESC LIMIT 1`,
    );
    expect(auditEntry).toMatchObject({ actor: email, after: { method: 'oidc' } });
  });

  it('sends a new state, nonce and PKCE challenge each time', async () => {
    const [firstRequestUrl, secondRequestUrl] = [
      await beginSignIn(createBrowserSession(service.url)),
      await beginSignIn(createBrowserSession(service.url)),
    ];
    expect(firstRequestUrl.searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(firstRequestUrl.searchParams.get(name)!.length).toBeGreaterThan(20);
      expect(firstRequestUrl.searchParams.get(name)).not.toBe(secondRequestUrl.searchParams.get(name));
    }
  });

  it.each<[string, (email: string) => object]>([
    ['with an e-mail address that the provider has not verified', () => ({ email_verified: false })],
    ['without email_verified', () => ({ email_verified: undefined })],
    ['whose email_verified is a string', () => ({ email_verified: 'true' })],
    ['without an e-mail address', () => ({ email: undefined })],
    ['with an e-mail address that no user has', () => ({ email: 'stranger@example.com' })],
    [
      'whose e-mail address has a letter that only looks the same',
      (email) => ({ email: email.replace('k', '\u212a') }),
    ],
    ['with an e-mail address that the database cannot store', (email) => ({ email: `${email}\u0000` })],
  ])('is denied to a user %s, and creates no user', async (_name, change) => {
    const { email } = await createTestUser();
    await service.database.query(`UPDATE users SET email = 'k' || email WHERE email = $1`, [email]);
    provider.user = { ...provider.user, email: `k${email}`, ...change(`k${email}`) };
    const countUsers = () => service.database.query('SELECT count(*) FROM users');
    const countBefore = await countUsers();
    const { browser, pageUrl } = await signInAtProvider();
    expect(readPathAndError(pageUrl)).toEqual(['/admin/sign-in', 'AccessDenied']);
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
    expect(await countUsers()).toEqual(countBefore);
  });

  it('is denied to a deactivated user with the same error as to an unknown user', async () => {
    const { id } = await createTestUser();
    await setUserActive(service.app.services.db, TEST_ACTOR, { id }, false);
    const { browser, pageUrl } = await signInAtProvider();
    expect(readPathAndError(pageUrl)).toEqual(['/admin/sign-in', 'AccessDenied']);
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
  });
});

describe('the callback of the provider', () => {
  it.each<[string, (requestUrl: URL) => void]>([
    ['state', (requestUrl) => requestUrl.searchParams.set('state', 'chosen-by-somebody-else')],
    ['nonce', (requestUrl) => requestUrl.searchParams.set('nonce', 'chosen-by-somebody-else')],
    ['PKCE challenge', (requestUrl) => requestUrl.searchParams.set('code_challenge', 'a'.repeat(43))],
  ])('is refused if the %s was changed', async (_name, change) => {
    await createTestUser();
    const { browser, pageUrl } = await signInAtProvider(change);
    expect(readPathAndError(pageUrl)).toEqual(['/admin/sign-in', 'OAuthCallback']);
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it('is refused in any browser but the one that began the sign-in, where it works once', async () => {
    await createTestUser();
    const browser = createBrowserSession(service.url);
    const callbackUrl = await provider.visit(await beginSignIn(browser));
    const otherBrowser = createBrowserSession(service.url);
    expect(
      readPathAndError(await followRedirects(otherBrowser, await otherBrowser.get(callbackUrl.href)))[1],
    ).toBe('OAuthCallback');
    expect(otherBrowser.cookies.has(SESSION_COOKIE)).toBe(false);
    await followRedirects(browser, await browser.get(callbackUrl.href));
    expect(await readMeStatus(browser)).toBe(200);
    const secondPageUrl = await followRedirects(browser, await browser.get(callbackUrl.href));
    expect(readPathAndError(secondPageUrl)[1]).toBe('OAuthCallback');
  });

  it('with an error from the provider leads to the sign-in page, and the text of the error is not logged', async () => {
    const browser = createBrowserSession(service.url);
    const state = (await beginSignIn(browser)).searchParams.get('state');
    for (const error of ['access_denied', 'x\r\nSet-Cookie: a=b', 'é', '"><script>']) {
      const query = new URLSearchParams({ error, error_description: 'secret words of mine', state: state! });
      const pageUrl = await followRedirects(browser, await browser.get(`/api/auth/callback/oidc?${query}`));
      expect(readPathAndError(pageUrl)).toEqual(['/admin/sign-in', 'Callback']);
    }
    expect(browser.cookies.has('a')).toBe(false);
    expect(service.readLog()).not.toContain('secret words of mine');
  });

  it('cannot be triggered by a page of another site, because such a page cannot begin a sign-in', async () => {
    const browser = createBrowserSession(service.url);
    const response = await browser.postForm('/api/auth/signin/oidc', { csrfToken: 'guessed', json: 'true' });
    expect(new URL(response.json.url, service.url).origin).toBe(service.url);
    expect((await browser.get('/api/auth/signin/oidc')).location).toContain('/admin/sign-in');
  });
});

describe('the second factor', () => {
  async function createUserWithTotp() {
    const user = await createTestUser();
    const { services } = service.app;
    const { secret } = await beginTwoFactor(services, user);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const sessionId = await beginSession(services.db, {
      user,
      method: 'oidc',
      origin: { address: null, userAgent: null },
      previousSessionId: null,
    });
    const recoveryCodes = await enableTwoFactor(
      services,
      TEST_ACTOR,
      { userId: user.id, sessionId },
      totp.generate(),
    );
    await endSession(services.db, sessionId);
    await service.database.query('UPDATE users SET totp_last_step = NULL WHERE id = $1', [user.id]);
    return { ...user, recoveryCodes, generateCode: () => totp.generate() };
  }
  async function submitCode(browser: BrowserSession, code: string) {
    const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
    const fields = { email: '', password: '', code, csrfToken, json: 'true' };
    const response = await browser.postForm('/api/auth/callback/credentials', fields);
    return new URL(response.json.url).searchParams.get('error');
  }

  it('is required even after a sign-in at the provider if the user has one, and the destination is preserved', async () => {
    const { generateCode } = await createUserWithTotp();
    const { browser, pageUrl } = await signInAtProvider();
    expect(readPathAndError(pageUrl)).toEqual(['/admin/sign-in', 'code_required']);
    expect(pageUrl.searchParams.get('callbackUrl')).toBe('/admin/orders');
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
    expect(await submitCode(browser, '')).toBe('code_required');
    expect(await submitCode(browser, '000000')).toBe('wrong_code');
    expect(await readMeStatus(browser)).toBe(401);
    expect(await submitCode(browser, generateCode())).toBeNull();
    expect(await readMeStatus(browser)).toBe(200);
    const sessions = (await browser.get('/api/trpc/account.sessions')).json.result.data;
    expect(sessions).toMatchObject([{ method: 'oidc' }]);
    expect(browser.cookies.has('brickdesk.second-step')).toBe(false);
  });

  it('may be a recovery code, which works once', async () => {
    const { recoveryCodes } = await createUserWithTotp();
    const { browser } = await signInAtProvider();
    expect(await submitCode(browser, recoveryCodes[0]!)).toBeNull();
    const secondSignIn = await signInAtProvider();
    expect(await submitCode(secondSignIn.browser, recoveryCodes[0]!)).toBe('wrong_code');
  });

  it('is accepted only in the browser that came back from the provider, with its cookie unaltered, and while the user is active', async () => {
    const { id, generateCode } = await createUserWithTotp();
    expect(await submitCode(createBrowserSession(service.url), generateCode())).toBe('expired');
    const { browser } = await signInAtProvider();
    const savedCookie = browser.cookies.get('brickdesk.second-step')!;
    const alteredBytes = Buffer.from(savedCookie, 'base64url');
    alteredBytes[20]! ^= 1;
    browser.cookies.set('brickdesk.second-step', alteredBytes.toString('base64url'));
    expect(await submitCode(browser, generateCode())).toBe('expired');
    browser.cookies.set('brickdesk.second-step', savedCookie);
    await setUserActive(service.app.services.db, TEST_ACTOR, { id }, false);
    expect(await submitCode(browser, generateCode())).toBe('expired');
    await setUserActive(service.app.services.db, TEST_ACTOR, { id }, true);
    expect(await submitCode(browser, generateCode())).toBeNull();
  });

  it('cannot be guessed: after five wrong codes the next one has to wait', async () => {
    const { generateCode } = await createUserWithTotp();
    const { browser } = await signInAtProvider();
    const errors: (string | null)[] = [];
    for (let n = 0; n < 6; n++) errors.push(await submitCode(browser, '000000'));
    expect(errors.at(-1)).toBe('too_many_attempts');
    expect(await submitCode(browser, generateCode())).toBe('too_many_attempts');
    await service.database.query('UPDATE sign_in_turns SET next_at = now()');
    expect(await submitCode(browser, generateCode())).toBeNull();
  });

  it('must be set up before anything else if it is required', async () => {
    const { id } = await createTestUser();
    await updateUser(service.app.services.db, TEST_ACTOR, id, { twoFactorRequired: true });
    const { browser } = await signInAtProvider();
    expect(await readMeStatus(browser)).toBe(200);
    expect((await browser.get('/api/trpc/tokens.list')).status).toBe(403);
  });
});

describe('secret data', () => {
  beforeEach(() => createTestUser());

  it('is not in the log: code, state, nonce, verifier, client secret', async () => {
    const requestedValues: (string | null)[] = [];
    const recordValues = ({ searchParams }: URL) =>
      requestedValues.push(searchParams.get('state'), searchParams.get('nonce'));
    await signInAtProvider(recordValues);
    await signInAtProvider((requestUrl) => {
      recordValues(requestUrl);
      requestUrl.searchParams.set('nonce', 'a-nonce-that-is-not-the-right-one');
    });
    await signInAtProvider((requestUrl) => {
      recordValues(requestUrl);
      requestUrl.searchParams.set('code_challenge', 'a'.repeat(43));
    });
    const logText = service.readLog();
    expect(logText).toContain('OAUTH_CALLBACK_ERROR');
    const sentSecrets = provider.tokenRequestBodies.flatMap((body) => {
      const fields = new URLSearchParams(body);
      return [fields.get('code'), fields.get('code_verifier')];
    });
    expect(sentSecrets.length).toBeGreaterThan(4);
    for (const secret of [...sentSecrets, ...requestedValues, provider.clientSecret])
      expect(logText).not.toContain(secret!);
    expect(logText).not.toContain('a-nonce-that');
  });

  it('is not in the URL to which the callback redirects, nor may it be cached', async () => {
    const browser = createBrowserSession(service.url);
    const callbackUrl = await provider.visit(await beginSignIn(browser));
    const response = await browser.get(callbackUrl.href);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.location).not.toContain('code=');
    for (const cookieHeader of response.headers.getSetCookie()) expect(cookieHeader).toMatch(/; HttpOnly/i);
  });
});
