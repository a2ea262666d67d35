import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginSession } from '../../../../src/server/identity/sessions/session-service';
import { checkSignIn } from '../../../../src/server/identity/sessions/sign-in-service';
import { createUser, resetPassword, setUserActive } from '../../../../src/server/identity/users/service';
import { createBrowserSession, signIn } from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

const PASSWORD = 'four unrelated words here';
const EMAIL = 'ann@example.com';
const SESSION_COOKIE = 'next-auth.session-token';

let service: TestService;

beforeAll(async () => {
  const port = await findFreePort();
  service = await startTestService({
    PORT: `${port}`,
    APP_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  await createUser(service.app.services.db, TEST_ACTOR, { email: EMAIL, role: 'owner', password: PASSWORD });
});
afterAll(() => service.close());

const openBrowser = () => createBrowserSession(service.url);

async function signInOwner() {
  const session = openBrowser();
  expect((await signIn(session, { email: EMAIL, password: PASSWORD })).status).toBe(200);
  return session;
}

describe('a page of another site', () => {
  it('cannot sign anyone in or out without the token that only our pages have', async () => {
    const session = openBrowser();
    const fields = { email: EMAIL, password: PASSWORD, json: 'true' };
    for (const csrfToken of [undefined, '', 'guessed']) {
      const sentFields = csrfToken === undefined ? fields : { ...fields, csrfToken };
      await session.postForm('/api/auth/callback/credentials', sentFields);
      expect(session.cookies.has(SESSION_COOKIE)).toBe(false);
    }
    const userSession = await signInOwner();
    await userSession.postForm('/api/auth/signout', { csrfToken: 'guessed', json: 'true' });
    expect((await userSession.get('/api/trpc/account.me')).status).toBe(200);
    expect((await userSession.get('/api/auth/signout')).status).not.toBe(200);
    expect((await userSession.get('/api/trpc/account.me')).status).toBe(200);
  });

  it.each([
    ['its own Origin', { Origin: 'https://evil.example' }],
    ['an Origin that begins like ours', { Origin: 'http://127.0.0.1.evil.example' }],
    ['the Origin null', { Origin: 'null' }],
    ['no Origin, but a Sec-Fetch-Site of cross-site', { Origin: '', 'Sec-Fetch-Site': 'cross-site' }],
  ])("cannot call a procedure with a user's cookie if the request has %s", async (_name, headers) => {
    const session = await signInOwner();
    const response = await session.postJson('/api/trpc/account.update', { name: 'Mallory' }, headers);
    expect([response.status, response.json.code]).toEqual([403, 'forbidden']);
    const meResponse = await session.get('/api/trpc/account.me');
    expect(meResponse.json.result.data.name).toBe('ann');
  });

  it('cannot call a procedure with a form, which browsers send without a preflight', async () => {
    const session = await signInOwner();
    const response = await session.postForm('/api/trpc/account.update', { name: 'Mallory' });
    expect(response.status).toBe(415);
  });

  it('cannot change anything with a GET', async () => {
    const session = await signInOwner();
    const input = encodeURIComponent(JSON.stringify({ name: 'Mallory' }));
    const response = await session.get(`/api/trpc/account.update?input=${input}`);
    expect(response.status).toBe(405);
  });
});

describe('next-auth', () => {
  it('does not let callers write to the log', async () => {
    const text = 'written by a stranger';
    const response = await openBrowser().postJson('/api/auth/_log', {
      level: 'error',
      code: text,
      message: text,
    });
    expect(response.status).toBe(404);
    expect(service.readLog()).not.toContain(text);
  });

  it('does not fail if values in a body are not text', async () => {
    const session = openBrowser();
    for (const body of [{ callbackUrl: { a: 1 }, csrfToken: ['x'] }, [], 'x', null, { email: {} }]) {
      const response = await session.postJson('/api/auth/callback/credentials', body);
      expect(response.status).toBeLessThan(500);
    }
  });
});

describe('a redirect to a page', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'http://127.0.0.1@evil.example/',
    'javascript:alert(1)',
    'http://localhost.evil.example',
    '/admin\r\nSet-Cookie: a=b',
    // Browsers remove tabs and line breaks from a URL before they parse it.
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\\evil.example/',
    '\t//evil.example',
    '/admin/../\\evil.example',
    'http:evil.example',
    'blob:http://127.0.0.1/x',
  ])('never leads to another site: %j', async (callbackUrl) => {
    const session = openBrowser();
    const { csrfToken } = (await session.get('/api/auth/csrf')).json;
    const response = await session.postForm('/api/auth/callback/credentials', {
      email: EMAIL,
      password: PASSWORD,
      csrfToken,
      callbackUrl,
      json: 'true',
    });
    expect(new URL(response.json.url).origin).toBe(service.url);
    expect(session.cookies.has('a')).toBe(false);
    const signInPage = await openBrowser().get(
      `/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`,
    );
    expect(new URL(signInPage.location!).origin).toBe(service.url);
  });

  it('names an unknown error only as "other"', async () => {
    for (const error of [
      'x\r\nSet-Cookie: a=b',
      'x&callbackUrl=https://evil.example',
      'é',
      'x'.repeat(500),
    ]) {
      const session = openBrowser();
      for (const path of ['error', 'signin']) {
        const response = await session.get(`/api/auth/${path}?${new URLSearchParams({ error })}`);
        expect(response.status).toBe(302);
        const pageUrl = new URL(response.location!);
        expect([pageUrl.origin, pageUrl.pathname]).toEqual([service.url, '/admin/sign-in']);
        expect(pageUrl.searchParams.get('error')).toBe('other');
        expect(pageUrl.href).not.toContain('evil');
      }
      expect(session.cookies.has('a')).toBe(false);
    }
  });

  it("is built from the configured address, not from a client's X-Forwarded-Host", async () => {
    const response = await fetch(`${service.url}/api/auth/signin?callbackUrl=/admin/orders`, {
      redirect: 'manual',
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
    });
    const encodedPageUrl = encodeURIComponent(`${service.url}/admin/orders`);
    expect(response.headers.get('location')).toBe(`/admin/sign-in?callbackUrl=${encodedPageUrl}`);
  });
});

describe('the address of a client', () => {
  it('is taken only from a trusted proxy: guessing from one address does not lock out another', async () => {
    const { csrfToken, cookie } = await fetch(`${service.url}/api/auth/csrf`).then(async (response) => ({
      ...((await response.json()) as { csrfToken: string }),
      cookie: response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    }));
    const trySignIn = async (address: string, n: number) => {
      const response = await fetch(`${service.url}/api/auth/callback/credentials`, {
        method: 'POST',
        headers: { Cookie: cookie, 'X-Forwarded-For': address },
        body: new URLSearchParams({ email: `x${n}@example.com`, password: 'wrong', csrfToken, json: 'true' }),
      });
      return new URL(((await response.json()) as { url: string }).url).searchParams.get('error');
    };
    const errors = await Promise.all(Array.from({ length: 61 }, (_, n) => trySignIn('203.0.113.7', n)));
    expect(errors.filter((error) => error === 'too_many_attempts')).toHaveLength(1);
    // On a busy machine, checking the other passwords may take longer than the wait.
    await service.database.query(
      `UPDATE sign_in_turns SET next_at = now() + interval '5 minutes' WHERE name = 'network:203.0.113.7'`,
    );
    expect(await trySignIn('203.0.113.8', 99)).toBe('wrong_credentials');
    // An address that the client sends ahead of the one that the proxy adds is not trusted.
    expect(await trySignIn('198.51.100.1, 203.0.113.7', 99)).toBe('too_many_attempts');
  });
});

it('the service never logs passwords or tokens', async () => {
  const session = await signInOwner();
  await signIn(openBrowser(), { email: EMAIL, password: 'a wrong secret of mine' });
  await session.postJson('/api/trpc/account.changePassword', {
    current_password: 'a wrong secret of mine',
    new_password: 'another secret of mine',
  });
  const tokenResponse = await session.postJson('/api/trpc/tokens.create', {
    name: 'script',
    expires_in_days: 1,
  });
  const { token } = tokenResponse.json.result.data;
  await fetch(`${service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } });
  await fetch(`${service.url}/api/user`, {
    headers: { Authorization: `Bearer ${session.cookies.get(SESSION_COOKIE)}` },
  });
  const logText = service.readLog();
  expect(logText).toContain('/api/user');
  for (const secret of [
    PASSWORD,
    'secret of mine',
    token,
    token.slice(8, 30),
    session.cookies.get(SESSION_COOKIE)!.slice(0, 40),
  ])
    expect(logText).not.toContain(secret);
});

it('behind https, calls from a page loaded over http are refused, even from our own host name', async () => {
  const port = await findFreePort();
  const httpsService = await startTestService({ PORT: `${port}`, APP_URL: `https://127.0.0.1:${port}` });
  try {
    await createUser(httpsService.app.services.db, TEST_ACTOR, {
      email: EMAIL,
      role: 'owner',
      password: PASSWORD,
    });
    const session = createBrowserSession(httpsService.url);
    expect((await signIn(session, { email: EMAIL, password: PASSWORD })).status).toBe(200);
    const updateName = (origin: string) =>
      session.postJson('/api/trpc/account.update', { name: 'Mallory' }, { Origin: origin });
    expect((await updateName(`http://127.0.0.1:${port}`)).status).toBe(403);
    expect((await updateName(`https://127.0.0.1:${port}`)).status).toBe(200);
  } finally {
    await httpsService.close();
  }
});

it('no session starts if the password has changed since it was checked, or if the user has been deactivated', async () => {
  const { services } = service.app;
  const email = 'changing@example.com';
  const { id } = await createUser(services.db, TEST_ACTOR, { email, role: 'viewer', password: PASSWORD });
  const result = await checkSignIn(services, {
    email,
    password: PASSWORD,
    code: '',
    address: '',
    deviceIdOf: () => null,
  });
  if (!('user' in result)) throw new Error(result.failure);
  const origin = { address: null, userAgent: null };
  const tryBeginSession = () =>
    beginSession(services.db, { user: result.user, method: 'password', origin, previousSessionId: null });
  expect(await tryBeginSession()).toBeTruthy();
  await resetPassword(services.db, TEST_ACTOR, { id });
  await expect(tryBeginSession()).rejects.toMatchObject({ code: 'unauthorized' });
  await setUserActive(services.db, TEST_ACTOR, { id }, false);
  const input = { user: { id, email }, method: 'oidc' as const, origin, previousSessionId: null };
  await expect(beginSession(services.db, input)).rejects.toMatchObject({ code: 'unauthorized' });
});
