import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../../../../src/server/identity/sessions/password';
import { createUser } from '../../../../src/server/identity/users/service';
import { deleteExpiredData } from '../../../../src/server/runtime/upkeep';
import { createBrowserSession, signIn } from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { makeClient, REDIRECT_URI } from '../../../support/service/oauth-service';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

const PASSWORD = 'four unrelated words here';

let service: TestService;

beforeAll(async () => {
  const port = await findFreePort();
  service = await startTestService({
    PORT: `${port}`,
    APP_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(() => service?.close());

const openBrowser = () => createBrowserSession(service.url);

async function trySignIn(address: string, email: string): Promise<string | null> {
  const session = openBrowser();
  const { csrfToken } = (await session.get('/api/auth/csrf')).json;
  const response = await session.postForm(
    '/api/auth/callback/credentials',
    { email, password: 'wrong', csrfToken, json: 'true' },
    { 'X-Forwarded-For': address },
  );
  return new URL(response.json.url).searchParams.get('error');
}

describe('guessing', () => {
  it('is counted per IPv6 network, because one client can use every address of its network', async () => {
    const errors: (string | null)[] = [];
    for (let n = 0; n < 61; n++)
      errors.push(await trySignIn(`2001:db8:1:2:${n.toString(16)}::${n}`, `v6-${n}@example.com`));
    expect(errors.slice(0, 60)).toEqual(Array(60).fill('wrong_credentials'));
    expect(errors[60]).toBe('too_many_attempts');
    expect(await trySignIn('2001:db8:1:3::1', 'v6-else@example.com')).toBe('wrong_credentials');
  });

  it('is logged with the address that it came from, but without the guessed e-mail address', async () => {
    await trySignIn('203.0.113.77', 'guessed-address@example.com');
    const logLine = service
      .readLog()
      .split('\n')
      .find((line) => line.includes('203.0.113.77'));
    expect(JSON.parse(logLine!)).toMatchObject({
      level: 'warn',
      msg: 'sign-in refused',
      reason: 'wrong_credentials',
    });
    expect(service.readLog()).not.toContain('guessed-address');
  });
});

describe('many concurrent password checks', () => {
  it('leave the process free for other work, and are refused with 503 and Retry-After once a hundred are waiting', async () => {
    const hash = await hashPassword(PASSWORD);
    const verificationPromises = Array.from({ length: 300 }, () => verifyPassword(hash, PASSWORD));
    const resultsPromise = Promise.allSettled(verificationPromises);
    const fileReadPromise = readFile('package.json', 'utf8');
    expect(
      await Promise.race([fileReadPromise, resultsPromise.then(() => 'the passwords came first')]),
    ).toContain('brickdesk');
    const results = await resultsPromise;
    const verifiedResults = results.filter((result) => result.status === 'fulfilled' && result.value);
    const refusalReasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(verifiedResults.length + refusalReasons.length).toBe(300);
    expect(verifiedResults.length).toBeGreaterThanOrEqual(100);
    expect(refusalReasons.length).toBeGreaterThan(100);
    for (const reason of refusalReasons)
      expect(reason).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });
    expect(await verifyPassword(hash, PASSWORD)).toBe(true);
    expect(await verifyPassword(hash, `${PASSWORD}?`)).toBe(false);
  });

  it('make the sign-in return 503, not the error for a wrong password, and hold up no one who is signed in', async () => {
    const email = 'busy@example.com';
    await createUser(service.app.services.db, TEST_ACTOR, { email, role: 'viewer', password: PASSWORD });
    const user = await createSignedInUser(service, 'viewer');
    const session = openBrowser();
    const { csrfToken } = (await session.get('/api/auth/csrf')).json;
    const hash = await hashPassword(PASSWORD);
    // Keeps two checks running and a hundred waiting, each replaced by another when it ends, so that there is never a free slot.
    let hasResponse = false;
    const otherCheckPromises = Array.from({ length: 102 }, async () => {
      while (!hasResponse) await verifyPassword(hash, PASSWORD);
    });
    const fields = { email, password: PASSWORD, csrfToken, json: 'true' };
    const [response, meResponse] = await Promise.all([
      session.postForm('/api/auth/callback/credentials', fields),
      user.call('account.me'),
    ]).finally(() => {
      hasResponse = true;
    });
    await Promise.all(otherCheckPromises);
    expect([response.status, response.json.code]).toEqual([503, 'service_unavailable']);
    expect([meResponse.status, meResponse.data.email]).toEqual([200, user.email]);
    expect((await signIn(openBrowser(), { email, password: PASSWORD })).status).toBe(200);
  });
});

it('sign-ins to OAuth clients are limited per address, even if they are never finished', async () => {
  const oauthClient = await makeClient(service, { name: 'Flood' });
  const url = new URL(`${service.url}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: oauthClient.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }).toString();
  const beginAuthorization = async (address: string) =>
    (await fetch(url, { redirect: 'manual', headers: { 'X-Forwarded-For': address } })).status;
  const statuses: number[] = [];
  for (let n = 0; n < 125; n++) statuses.push(await beginAuthorization('203.0.113.9'));
  expect(statuses.filter((status) => status === 303)).toHaveLength(120);
  expect(statuses.slice(120)).toEqual(Array(5).fill(429));
  expect(await beginAuthorization('203.0.113.10')).toBe(303);
});

it('the upkeep deletes sessions that have not been used for more than 31 days, and no others', async () => {
  await service.database.query('DELETE FROM user_sessions');
  const signInAndBackdateUse = async (days: number) => {
    const { sessionId } = await createSignedInUser(service, 'viewer');
    await service.database.query(
      'UPDATE user_sessions SET last_seen_at = now() - make_interval(days => $2) WHERE id = $1',
      [sessionId, days],
    );
    return sessionId;
  };
  const activeSessionId = await signInAndBackdateUse(0);
  const expiredSessionId = await signInAndBackdateUse(30);
  await signInAndBackdateUse(32);
  await deleteExpiredData(service.app.services, {
    recordDays: 30,
    importHistoryDays: 730,
    requestLogDays: 7,
  });
  const remainingSessions = await service.database.query<{ id: string }>('SELECT id FROM user_sessions');
  expect(remainingSessions.map(({ id }) => id).sort()).toEqual([activeSessionId, expiredSessionId].sort());
});
