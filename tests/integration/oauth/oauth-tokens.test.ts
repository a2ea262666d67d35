import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserSession } from '../../support/browser/browser-session';
import {
  getTokens,
  getUser,
  type OAuthService,
  openSignedInBrowser,
  requestAuthorization,
  startOAuthService,
} from '../../support/service/oauth-service';

let service: OAuthService;
let browser: BrowserSession;
let config: client.Configuration;
let tokens: Awaited<ReturnType<typeof getTokens>>['tokens'];
let publicKey: JsonWebKey & { kid: string };

beforeAll(async () => {
  service = await startOAuthService();
  browser = await openSignedInBrowser(service);
  ({ config, tokens } = await getTokens(service, service.confidentialClient, browser));
  publicKey = (await (await fetch(`${service.url}/oauth/jwks`)).json()).keys[0];
});
afterAll(() => service.close());

const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns forged id tokens with changed claims, each with a description of the forgery. */
function forgeIdTokens(): [string, string][] {
  const [header = '', payload = '', signature = ''] = tokens.id_token!.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  const changedPayload = encodePart({ ...claims, sub: '1', scope: 'user:read' });
  const { kid } = publicKey;
  const pem = createPublicKey({ key: publicKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const hmacInput = `${encodePart({ alg: 'HS256', kid })}.${changedPayload}`;
  const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = keyPair.publicKey.export({ format: 'jwk' });
  const embeddedKeyInput = `${encodePart({ alg: 'RS256', jwk })}.${changedPayload}`;
  return [
    ['alg=none without a signature', `${encodePart({ alg: 'none' })}.${changedPayload}.`],
    [
      'alg=None with the real signature',
      `${encodePart({ alg: 'None', kid })}.${changedPayload}.${signature}`,
    ],
    ['other claims under the real signature', `${header}.${changedPayload}.${signature}`],
    [
      'HS256 with the public key as secret',
      `${hmacInput}.${createHmac('sha256', pem).update(hmacInput).digest('base64url')}`,
    ],
    [
      'a key of its own in the header',
      `${embeddedKeyInput}.${sign('RSA-SHA256', Buffer.from(embeddedKeyInput), keyPair.privateKey).toString('base64url')}`,
    ],
  ];
}

it('GET /api/user and userinfo refuse any forged, altered or misplaced token', async () => {
  const { access_token: accessToken, refresh_token: refreshToken } = tokens;
  const alteredToken = accessToken.slice(0, -1) + (accessToken.endsWith('A') ? 'B' : 'A');
  const badTokens: [string, string][] = [
    ...forgeIdTokens(),
    ['the genuine id token', tokens.id_token!],
    ['the refresh token', refreshToken!],
    ['the access token with its last letter changed', alteredToken],
    ['the access token in capitals', accessToken.toUpperCase()],
    ['a part of the access token', accessToken.slice(0, 20)],
    ['the client’s secret', service.confidentialClient.secret!],
  ];
  for (const [description, token] of badTokens) {
    const userResponse = await getUser(service, token);
    expect([description, userResponse.status]).toEqual([description, 401]);
    expect(userResponse.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const userInfoResponse = await fetch(`${service.url}/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([description, userInfoResponse.status]).toEqual([description, 401]);
  }
  expect((await getUser(service, accessToken)).status).toBe(200);
});

it('a forged id_token_hint is refused', async () => {
  for (const [description, hint] of forgeIdTokens()) {
    const { url } = await requestAuthorization(config, service.confidentialClient, { id_token_hint: hint });
    const { location } = await browser.get(url.href);
    expect([description, new URL(location!).searchParams.get('error')]).toEqual([
      description,
      'invalid_request',
    ]);
  }
});

it('an expired access token is refused by /api/user and userinfo, and is inactive for introspection', async () => {
  const { access_token: token } = (await getTokens(service, service.confidentialClient, browser)).tokens;
  await service.database.query(
    `UPDATE oauth_records SET expires_at = now() - interval '1 second',
            payload = jsonb_set(payload, '{exp}', to_jsonb(extract(epoch FROM now())::bigint - 1))
      WHERE model = 'AccessToken' AND id_hash = sha256(convert_to($1, 'UTF8'))`,
    [token],
  );
  expect((await getUser(service, token)).status).toBe(401);
  expect((await client.tokenIntrospection(config, token)).active).toBe(false);
  await expect(client.fetchUserInfo(config, token, client.skipSubjectCheck)).rejects.toThrow();
});

it('a token in the query is refused by userinfo and by /api/user', async () => {
  for (const path of ['/oauth/userinfo', '/api/user']) {
    const { status } = await fetch(`${service.url}${path}?access_token=${tokens.access_token}`);
    expect([400, 401, 422]).toContain(status);
  }
});

it('one client cannot revoke another’s token', async () => {
  const publicGrant = await getTokens(service, service.publicClient, browser);
  await client.tokenRevocation(publicGrant.config, tokens.access_token);
  expect((await getUser(service, tokens.access_token)).status).toBe(200);
});
