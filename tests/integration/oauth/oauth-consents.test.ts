import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOwnPassword } from '../../../src/server/identity/users/own-account-service';
import { resetPassword, setUserActive, updateUser } from '../../../src/server/identity/users/service';
import { type BrowserSession, signIn } from '../../support/browser/browser-session';
import {
  askFor,
  follow,
  getTokens,
  getUser,
  makeClient,
  makeUser,
  type OAuthService,
  signedInBrowser,
  startOAuthService,
} from '../../support/service/oauth-service';
import { killServices, type ReadyService, startService } from '../../support/service/service-process';
import { TEST_ACTOR, TEST_SECRET } from '../../support/service/test-service';

/** One service here, and one in a process of its own: whatever is revoked here must be invalid there at the next request. */
let service: OAuthService;
let there: ReadyService;
let serial = 0;

beforeAll(async () => {
  service = await startOAuthService();
  there = await startService({
    DATABASE_URL: service.database.url,
    NEXTAUTH_SECRET: TEST_SECRET,
    APP_URL: service.issuer,
  });
}, 60_000);
afterAll(async () => {
  await there?.stop();
  await killServices();
  await service?.close();
});

async function withTokens(oauthClient = service.confidential) {
  const user = await makeUser(service, `consenting${++serial}@example.com`);
  const browser = await signedInBrowser(service, user);
  return { user, browser, ...(await getTokens(service, oauthClient, browser)) };
}

const refused = { error: 'invalid_grant' };

/** Checks that everything issued to a client is invalid in both processes. */
async function expectOver({
  config,
  tokens,
}: Pick<Awaited<ReturnType<typeof withTokens>>, 'config' | 'tokens'>) {
  for (const at of [service, there]) expect((await getUser(at, tokens.access_token)).status).toBe(401);
  const again = await fetch(`${there.url}/oauth/token`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${service.confidential.id}:${service.confidential.secret}`)}`,
    },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token! }),
  });
  expect([again.status, (await again.json()).error]).toEqual([400, 'invalid_grant']);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject(refused);
  expect((await client.tokenIntrospection(config, tokens.access_token)).active).toBe(false);
}

const call = async (browser: BrowserSession, path: string, input?: unknown) => {
  const response = await browser.postJson(`/api/trpc/account.${path}`, input);
  return { status: response.status, code: response.json.error?.data?.code };
};
const consents = async (browser: BrowserSession) =>
  (await browser.get('/api/trpc/account.consents')).json.result.data;

describe('access and refresh tokens are refused at the next request, in another process too, after', () => {
  it.each<[string, (id: number) => Promise<unknown>]>([
    ['a password that an administrator reset', (id) => resetPassword(db(), TEST_ACTOR, { id })],
    ['a deactivation', (id) => setUserActive(db(), TEST_ACTOR, { id }, false)],
    [
      'a deactivation that was taken back',
      async (id) => {
        await setUserActive(db(), TEST_ACTOR, { id }, false);
        await setUserActive(db(), TEST_ACTOR, { id }, true);
      },
    ],
  ])('%s', async (_name, change) => {
    const given = await withTokens();
    expect((await getUser(there, given.tokens.access_token)).status).toBe(200);
    await change(given.user.id);
    await expectOver(given);
  });

  it('a password that the user changed', async () => {
    const given = await withTokens();
    await changeOwnPassword(service.app.services.db, TEST_ACTOR, {
      userId: given.user.id,
      sessionId: '00000000-0000-0000-0000-000000000000',
      current: given.user.password,
      next: 'another long password for tests',
    });
    await expectOver(given);
  });
});

const db = () => service.app.services.db;

it('a new role is in the response of GET /api/user at once, in both processes; sessions end, tokens stay valid', async () => {
  const { user, browser, tokens } = await withTokens();
  await updateUser(db(), TEST_ACTOR, user.id, { role: 'operator' });
  for (const at of [service, there]) {
    const response = await getUser(at, tokens.access_token);
    expect([response.status, (await response.json()).role]).toEqual([200, 'operator']);
  }
  expect((await browser.get('/api/trpc/account.me')).status).toBe(401);
});

describe('what a user has let clients do', () => {
  it('is listed: each client once, with all that it may do, and until when', async () => {
    const oauthClient = await makeClient(service, { name: 'An App' });
    const { browser, user } = await withTokens(oauthClient);
    await getTokens(service, oauthClient, await signedInBrowser(service, user), { scope: 'openid' });
    await getTokens(service, service.confidential, browser);
    const list = await consents(browser);
    expect(list).toEqual([
      {
        client_id: oauthClient.id,
        name: 'An App',
        scopes: ['email', 'openid', 'profile', 'user:read'],
        since: expect.stringMatching(/Z$/),
        until: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ client_id: service.confidential.id }),
    ]);
    expect(Date.parse(list[0].until)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
    expect(await consents((await withTokens()).browser)).toHaveLength(1);
  });

  it('can be revoked: its tokens are refused at once, in another process too, and it has to ask again', async () => {
    const given = await withTokens();
    const { browser, config, user } = given;
    const kept = await getTokens(service, await makeClient(service, { name: 'Kept' }), browser);
    expect((await call(browser, 'withdrawConsent', { client_id: service.confidential.id })).status).toBe(200);
    await expectOver(given);
    expect((await getUser(there, kept.tokens.access_token)).status).toBe(200);
    expect((await consents(browser)).map((each: { name: string }) => each.name)).toEqual(['Kept']);
    const asked = await askFor(config, service.confidential);
    expect((await follow(browser, await browser.get(asked.url.href))).text).toContain('wants to use');
    const [entry] = await service.database.query(
      `SELECT actor, record_id, before FROM audit_log WHERE action = 'oauth_client.withdraw_consent' ORDER BY id DESC`,
    );
    expect(entry).toEqual({
      actor: user.email,
      record_id: service.confidential.id,
      before: { name: service.confidential.name },
    });
  });

  it('cannot be revoked for somebody else, twice, or by a page of another site', async () => {
    const [mine, theirs] = [await withTokens(), await withTokens()];
    const input = { client_id: service.confidential.id };
    expect((await call(mine.browser, 'withdrawConsent', input)).status).toBe(200);
    expect((await getUser(service, theirs.tokens.access_token)).status).toBe(200);
    expect((await call(mine.browser, 'withdrawConsent', input)).status).toBe(404);
    expect((await call(mine.browser, 'withdrawConsent', { client_id: 'x' })).status).toBe(422);
    const forged = await theirs.browser.postJson('/api/trpc/account.withdrawConsent', input, {
      Origin: 'https://evil.example',
    });
    expect(forged.status).toBe(403);
    expect((await getUser(service, theirs.tokens.access_token)).status).toBe(200);
  });

  it('a code issued before is worth nothing afterwards', async () => {
    const { user } = await withTokens();
    const browser = await signedInBrowser(service, user);
    expect((await signIn(browser, user)).status).toBe(200);
    const { config } = await getTokens(service, service.confidential, browser);
    const asked = await askFor(config, service.confidential);
    const { location } = await follow(browser, await browser.get(asked.url.href));
    await call(browser, 'withdrawConsent', { client_id: service.confidential.id });
    await expect(
      client.authorizationCodeGrant(config, new URL(location!), {
        pkceCodeVerifier: asked.verifier,
        expectedState: asked.state,
        expectedNonce: asked.nonce,
      }),
    ).rejects.toMatchObject(refused);
  });
});
