import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import * as client from 'openid-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWaitingStatements } from '../../support/database/test-database';
import {
  discover,
  followRedirects,
  getTokens,
  getUser,
  type OAuthService,
  openSignedInBrowser,
  requestAuthorization,
  startOAuthService,
} from '../../support/service/oauth-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';

let service: OAuthService;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startOAuthService();
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service?.close());

const REDIRECT_URI = 'https://made.example/callback';

async function createClient(name: string, fields: object = {}) {
  const { data } = await admin.call('clients.create', { name, redirect_uris: [REDIRECT_URI], ...fields });
  return { id: data.client_id, secret: data.client_secret, name, redirectUri: REDIRECT_URI };
}
const readAuditEntries = (action: string) =>
  service.database.query(
    'SELECT actor, record_id, before, after, address, request_id FROM audit_log WHERE action = $1 ORDER BY id DESC',
    [action],
  );
const readClient = async (id: string) =>
  (await admin.call('clients.list')).data.find(({ client_id }: { client_id: string }) => client_id === id);

it('a client created in the back office signs users in, and its secret is shown only once', async () => {
  const oauthClient = await createClient('Made');
  expect(oauthClient.secret).toMatch(/^bdc_/);
  const { tokens } = await getTokens(service, oauthClient, await openSignedInBrowser(service));
  expect((await getUser(service, tokens.access_token)).status).toBe(200);
  const listText = JSON.stringify((await admin.call('clients.list')).data);
  expect(listText).not.toMatch(/secret|hash|bdc_/);
  expect(await readClient(oauthClient.id)).toEqual({
    client_id: oauthClient.id,
    name: 'Made',
    redirect_uris: [REDIRECT_URI],
    public: false,
    state: 'active',
    created_by: admin.email,
    created_at: expect.any(String),
    revoked_at: null,
  });
  const [entry] = await readAuditEntries('oauth_client.create');
  expect(entry).toMatchObject({
    actor: admin.email,
    record_id: oauthClient.id,
    after: { name: 'Made', redirect_uris: [REDIRECT_URI], public: false },
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    request_id: expect.any(String),
  });
  expect(JSON.stringify(await readAuditEntries('oauth_client.create'))).not.toContain(oauthClient.secret);
});

it('a public client has no secret', async () => {
  expect(
    (await createClient('Phone', { public: true, redirect_uris: ['com.example.app:/back'] })).secret,
  ).toBeNull();
});

it.each<[object, string]>([
  [{ name: '', redirect_uris: [REDIRECT_URI] }, 'name'],
  [{ name: 'x', redirect_uris: [] }, 'redirect_uris'],
  [{ name: 'x', redirect_uris: ['http://tool.example/callback'] }, 'redirect_uris.0'],
  [{ name: 'x', redirect_uris: [REDIRECT_URI, 'https://*.example/'] }, 'redirect_uris.1'],
  [{ name: 'x', redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris.0'],
  [{ name: 'x', redirect_uris: ['com.example.app:/back'] }, 'redirect_uris.0'],
  [{ name: 'x', redirect_uris: [REDIRECT_URI], id: 'chosen' }, 'id'],
  [{ name: 'x', redirect_uris: [REDIRECT_URI], secretHash: 'chosen' }, 'secretHash'],
])('a client with %j is refused with a problem at %s', async (input, path) => {
  const { status, error } = await admin.call('clients.create', input);
  expect(status).toBe(422);
  expect(error?.problems.map((problem) => problem.path)).toContain(path);
});

it('a client can be renamed: users see the new name, and its tokens stay valid', async () => {
  const oauthClient = await createClient('Before');
  const { tokens } = await getTokens(service, oauthClient, await openSignedInBrowser(service));
  expect((await admin.call('clients.rename', { client_id: oauthClient.id, name: 'After' })).status).toBe(200);
  expect((await readClient(oauthClient.id)).name).toBe('After');
  expect((await getUser(service, tokens.access_token)).status).toBe(200);
  const browser = await openSignedInBrowser(service);
  const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
  expect((await followRedirects(browser, await browser.get(request.url.href))).text).toContain(
    'After wants to use',
  );
  const renameEntries = await readAuditEntries('oauth_client.rename');
  expect(renameEntries[0]).toMatchObject({ before: { name: 'Before' }, after: { name: 'After' } });
  await admin.call('clients.rename', { client_id: oauthClient.id, name: 'After' });
  expect(await readAuditEntries('oauth_client.rename')).toHaveLength(renameEntries.length);
});

it('a revoked client and its tokens are refused from the next request on, and the audit log shows the revocation once', async () => {
  const oauthClient = await createClient('Revoked');
  const { config, tokens } = await getTokens(service, oauthClient, await openSignedInBrowser(service));
  const firstRevocation = await admin.call('clients.revoke', { client_id: oauthClient.id });
  expect((await getUser(service, tokens.access_token)).status).toBe(401);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
    cause: [{ parameters: { error: 'invalid_client' } }],
  });
  const secondRevocation = await admin.call('clients.revoke', { client_id: oauthClient.id });
  expect(secondRevocation.data).toEqual(firstRevocation.data);
  expect(
    (await readAuditEntries('oauth_client.revoke')).filter((entry) => entry.record_id === oauthClient.id),
  ).toHaveLength(1);
  expect((await readClient(oauthClient.id)).state).toBe('revoked');
  expect((await admin.call('clients.rename', { client_id: oauthClient.id, name: 'Back' })).status).toBe(404);
});

it('of two simultaneous revocations only one is recorded, and both return its time', async () => {
  const { id } = await createClient('Revoked twice');
  const lockingClient = new pg.Client({ connectionString: service.database.url });
  await lockingClient.connect();
  await lockingClient.query('BEGIN');
  await lockingClient.query('SELECT FROM oauth_clients WHERE id = $1 FOR UPDATE', [id]);
  const revocationPromises = [1, 2].map(() => admin.call('clients.revoke', { client_id: id }));
  await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(2);
  await lockingClient.query('COMMIT');
  await lockingClient.end();
  const [first, second] = await Promise.all(revocationPromises);
  expect([first!.status, second!.data]).toEqual([200, first!.data]);
  const entries = await readAuditEntries('oauth_client.revoke');
  expect(entries.filter((entry) => entry.record_id === id)).toHaveLength(1);
});

it('a new signing key signs from then on, and the previous key stays published, so that what it signed stays valid', async () => {
  const readKeys = async (): Promise<(JsonWebKey & { kid: string })[]> =>
    (await (await fetch(`${service.url}/oauth/jwks`)).json()).keys;
  const readKeyIds = async () => (await readKeys()).map(({ kid }) => kid);
  /** Returns the id of the published key that has signed a token. */
  const findSigningKeyId = async (token: string) => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const signingKeys = (await readKeys()).filter((key) =>
      verify(
        'RSA-SHA256',
        Buffer.from(`${header}.${payload}`),
        createPublicKey({ key, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    );
    expect(signingKeys).toHaveLength(1);
    return signingKeys[0]!.kid;
  };
  const oauthClient = await createClient('Rotated');
  const browser = await openSignedInBrowser(service);
  const tokensBefore = (await getTokens(service, oauthClient, browser)).tokens;
  const [previousKeyId] = await readKeyIds();
  const { data } = await admin.call('clients.rotateSigningKey');
  expect(data).toMatchObject({ id: expect.any(String), retired: [previousKeyId] });
  expect(await readKeyIds()).toEqual([data.id, previousKeyId]);
  const tokensAfter = (await getTokens(service, oauthClient, browser)).tokens;
  expect(await findSigningKeyId(tokensBefore.id_token!)).toBe(previousKeyId);
  expect(await findSigningKeyId(tokensAfter.id_token!)).toBe(data.id);
  for (const { access_token } of [tokensBefore, tokensAfter])
    expect((await getUser(service, access_token)).status).toBe(200);
  expect((await readAuditEntries('oauth_key.rotate'))[0]).toMatchObject({
    actor: admin.email,
    record_id: data.id,
  });
  expect(JSON.stringify(data)).not.toMatch(/"d"|private|encrypted/);
});

describe('refusals', () => {
  it.each(['operator', 'viewer'] as const)(
    'the role %s can neither see nor change clients or keys',
    async (role) => {
      const otherUser = await createSignedInUser(service, role);
      const oauthClient = await createClient(`Untouched by ${role}`);
      const calls: [string, unknown][] = [
        ['clients.list', undefined],
        ['clients.create', { name: 'x', redirect_uris: [REDIRECT_URI] }],
        ['clients.rename', { client_id: oauthClient.id, name: 'x' }],
        ['clients.revoke', { client_id: oauthClient.id }],
        ['clients.rotateSigningKey', undefined],
      ];
      for (const [path, input] of calls) expect((await otherUser.call(path, input)).status, path).toBe(403);
      expect(await readClient(oauthClient.id)).toMatchObject({ name: oauthClient.name, state: 'active' });
    },
  );

  it('an unknown client results in 404', async () => {
    const client_id = '0b2f6c1e-6a63-4c5e-9d0a-2f8f3f0f3a11';
    expect((await admin.call('clients.rename', { client_id, name: 'x' })).status).toBe(404);
    expect((await admin.call('clients.revoke', { client_id })).status).toBe(404);
    expect((await admin.call('clients.revoke', { client_id: 'x' })).status).toBe(422);
  });
});
