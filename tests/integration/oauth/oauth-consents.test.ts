import * as client from 'openid-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOwnPassword } from '../../../src/server/identity/users/own-account-service';
import { resetPassword, setUserActive, updateUser } from '../../../src/server/identity/users/service';
import { type BrowserSession, signIn } from '../../support/browser/browser-session';
import { countWaitingStatements } from '../../support/database/test-database';
import { killServices, type ReadyService, startService } from '../../support/process/service-process';
import {
  discover,
  followRedirects,
  formOf,
  getTokens,
  getUser,
  makeClient,
  makeUser,
  type OAuthService,
  openSignedInBrowser,
  requestAuthorization,
  startOAuthService,
} from '../../support/service/oauth-service';
import { TEST_ACTOR, TEST_SECRET } from '../../support/service/test-service';

let service: OAuthService;
/** A second process, in which everything revoked in the first must be invalid from the next request on. */
let secondProcess: ReadyService;
let userCount = 0;

beforeAll(async () => {
  service = await startOAuthService();
  secondProcess = await startService({
    DATABASE_URL: service.database.url,
    NEXTAUTH_SECRET: TEST_SECRET,
    APP_URL: service.issuer,
  });
}, 60_000);
afterAll(async () => {
  await secondProcess?.stop();
  await killServices();
  await service?.close();
});

async function createUserWithTokens(oauthClient = service.confidentialClient) {
  const user = await makeUser(service, `consenting${++userCount}@example.com`);
  const browser = await openSignedInBrowser(service, user);
  return { user, browser, ...(await getTokens(service, oauthClient, browser)) };
}

const INVALID_GRANT = { error: 'invalid_grant' };

/** Checks that tokens of the confidential client are invalid in both processes. */
async function expectRevoked({
  config,
  tokens,
}: Pick<Awaited<ReturnType<typeof createUserWithTokens>>, 'config' | 'tokens'>) {
  for (const server of [service, secondProcess])
    expect((await getUser(server, tokens.access_token)).status).toBe(401);
  const refreshResponse = await fetch(`${secondProcess.url}/oauth/token`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${service.confidentialClient.id}:${service.confidentialClient.secret}`)}`,
    },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token! }),
  });
  expect([refreshResponse.status, (await refreshResponse.json()).error]).toEqual([400, 'invalid_grant']);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject(INVALID_GRANT);
  expect((await client.tokenIntrospection(config, tokens.access_token)).active).toBe(false);
}

const callAccountProcedure = async (browser: BrowserSession, path: string, input?: unknown) => {
  const response = await browser.postJson(`/api/trpc/account.${path}`, input);
  return { status: response.status, code: response.json.error?.data?.code };
};
const readConsents = async (browser: BrowserSession) =>
  (await browser.get('/api/trpc/account.consents')).json.result.data;

describe('access and refresh tokens are refused at the next request, in another process too, after', () => {
  it.each<[string, (id: number) => Promise<unknown>]>([
    ['a password reset by an administrator', (id) => resetPassword(getDb(), TEST_ACTOR, { id })],
    ['a deactivation', (id) => setUserActive(getDb(), TEST_ACTOR, { id }, false)],
    [
      'a deactivation that was reversed',
      async (id) => {
        await setUserActive(getDb(), TEST_ACTOR, { id }, false);
        await setUserActive(getDb(), TEST_ACTOR, { id }, true);
      },
    ],
  ])('%s', async (_name, change) => {
    const grant = await createUserWithTokens();
    expect((await getUser(secondProcess, grant.tokens.access_token)).status).toBe(200);
    await change(grant.user.id);
    await expectRevoked(grant);
  });

  it('a password change by the user', async () => {
    const grant = await createUserWithTokens();
    const [session] = await service.database.query<{ id: string }>(
      'SELECT id FROM user_sessions WHERE user_id = $1',
      [grant.user.id],
    );
    await changeOwnPassword(service.app.services.db, TEST_ACTOR, {
      userId: grant.user.id,
      sessionId: session!.id,
      currentPassword: grant.user.password,
      newPassword: 'another long password for tests',
    });
    await expectRevoked(grant);
  });
});

const getDb = () => service.app.services.db;

it('a new role ends sessions but not tokens, and GET /api/user returns it immediately in both processes', async () => {
  const { user, browser, tokens } = await createUserWithTokens();
  await updateUser(getDb(), TEST_ACTOR, user.id, { role: 'operator' });
  for (const server of [service, secondProcess]) {
    const response = await getUser(server, tokens.access_token);
    expect([response.status, (await response.json()).role]).toEqual([200, 'operator']);
  }
  expect((await browser.get('/api/trpc/account.me')).status).toBe(401);
});

describe('a consent', () => {
  it('is listed once per client, with all that the client may do and until when', async () => {
    const oauthClient = await makeClient(service, { name: 'An App' });
    const { browser, user } = await createUserWithTokens(oauthClient);
    await getTokens(service, oauthClient, await openSignedInBrowser(service, user), { scope: 'openid' });
    await getTokens(service, service.confidentialClient, browser);
    const consents = await readConsents(browser);
    expect(consents).toEqual([
      {
        client_id: oauthClient.id,
        name: 'An App',
        scopes: ['email', 'openid', 'profile', 'user:read'],
        since: expect.stringMatching(/Z$/),
        until: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ client_id: service.confidentialClient.id }),
    ]);
    expect(Date.parse(consents[0].until)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
    expect(await readConsents((await createUserWithTokens()).browser)).toHaveLength(1);
  });

  it('can be withdrawn: the client’s tokens are refused immediately, in another process too, and the client has to ask again', async () => {
    const grant = await createUserWithTokens();
    const { browser, config, user } = grant;
    const otherClientGrant = await getTokens(service, await makeClient(service, { name: 'Kept' }), browser);
    expect(
      (await callAccountProcedure(browser, 'withdrawConsent', { client_id: service.confidentialClient.id }))
        .status,
    ).toBe(200);
    await expectRevoked(grant);
    expect((await getUser(secondProcess, otherClientGrant.tokens.access_token)).status).toBe(200);
    expect((await readConsents(browser)).map((consent: { name: string }) => consent.name)).toEqual(['Kept']);
    const request = await requestAuthorization(config, service.confidentialClient);
    expect((await followRedirects(browser, await browser.get(request.url.href))).text).toContain(
      'wants to use',
    );
    const [entry] = await service.database.query(
      `SELECT actor, record_id, before FROM audit_log WHERE action = 'oauth_client.withdraw_consent' ORDER BY id DESC`,
    );
    expect(entry).toEqual({
      actor: user.email,
      record_id: service.confidentialClient.id,
      before: { name: service.confidentialClient.name },
    });
  });

  it('cannot be withdrawn for another user, twice, or by another site’s page', async () => {
    const [ownGrant, otherGrant] = [await createUserWithTokens(), await createUserWithTokens()];
    const input = { client_id: service.confidentialClient.id };
    expect((await callAccountProcedure(ownGrant.browser, 'withdrawConsent', input)).status).toBe(200);
    expect((await getUser(service, otherGrant.tokens.access_token)).status).toBe(200);
    expect((await callAccountProcedure(ownGrant.browser, 'withdrawConsent', input)).status).toBe(404);
    expect((await callAccountProcedure(ownGrant.browser, 'withdrawConsent', { client_id: 'x' })).status).toBe(
      422,
    );
    const forgedResponse = await otherGrant.browser.postJson('/api/trpc/account.withdrawConsent', input, {
      Origin: 'https://evil.example',
    });
    expect(forgedResponse.status).toBe(403);
    expect((await getUser(service, otherGrant.tokens.access_token)).status).toBe(200);
  });

  it('is not stored if the user’s password is reset while the user consents; the user has to sign in again', async () => {
    const user = await makeUser(service, `consenting${++userCount}@example.com`);
    const browser = await openSignedInBrowser(service, user);
    const config = await discover(service.issuer, service.confidentialClient);
    const request = await requestAuthorization(config, service.confidentialClient);
    const page = await followRedirects(browser, await browser.get(request.url.href));
    const { action, token } = formOf(page);
    const lockingClient = new pg.Client({ connectionString: service.database.url });
    await lockingClient.connect();
    await lockingClient.query('BEGIN');
    await lockingClient.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const waitForLock = (count: number) =>
      expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(count);
    const resetPromise = resetPassword(getDb(), TEST_ACTOR, { id: user.id });
    await waitForLock(1);
    const consentPromise = browser.postForm(action, { token });
    await waitForLock(2);
    await lockingClient.query('COMMIT');
    await lockingClient.end();
    await resetPromise;
    const { location } = await consentPromise;
    const grants = await service.database.query(
      `SELECT 1 FROM oauth_records WHERE model = 'Grant' AND user_id = $1`,
      [user.id],
    );
    expect(grants).toEqual([]);
    expect(location).toContain('/admin/sign-in');
  });

  it('invalidates earlier codes when it is withdrawn', async () => {
    const { user } = await createUserWithTokens();
    const browser = await openSignedInBrowser(service, user);
    expect((await signIn(browser, user)).status).toBe(200);
    const { config } = await getTokens(service, service.confidentialClient, browser);
    const request = await requestAuthorization(config, service.confidentialClient);
    const { location } = await followRedirects(browser, await browser.get(request.url.href));
    await callAccountProcedure(browser, 'withdrawConsent', { client_id: service.confidentialClient.id });
    await expect(
      client.authorizationCodeGrant(config, new URL(location!), {
        pkceCodeVerifier: request.verifier,
        expectedState: request.state,
        expectedNonce: request.nonce,
      }),
    ).rejects.toMatchObject(INVALID_GRANT);
  });
});
