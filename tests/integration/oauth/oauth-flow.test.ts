import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  discover,
  followRedirects,
  getTokens,
  getUser,
  makeClient,
  type OAuthService,
  openSignedInBrowser,
  requestAuthorization,
  startOAuthService,
} from '../../support/service/oauth-service';

let service: OAuthService;

beforeAll(async () => {
  service = await startOAuthService();
});
afterAll(() => service.close());

describe('discovery', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    '/.well-known/%s names APP_URL as the issuer and addresses under /oauth, whatever the forwarding headers say',
    async (documentName) => {
      const response = await fetch(`${service.url}/.well-known/${documentName}`, {
        headers: {
          'X-Forwarded-Host': 'evil.example',
          'X-Forwarded-Proto': 'https',
          Forwarded: 'host=evil.example',
        },
      });
      expect(response.status).toBe(200);
      const metadata = await response.json();
      expect(metadata).toMatchObject({
        issuer: service.issuer,
        authorization_endpoint: `${service.issuer}/oauth/authorize`,
        token_endpoint: `${service.issuer}/oauth/token`,
        userinfo_endpoint: `${service.issuer}/oauth/userinfo`,
        jwks_uri: `${service.issuer}/oauth/jwks`,
        revocation_endpoint: `${service.issuer}/oauth/revoke`,
        introspection_endpoint: `${service.issuer}/oauth/introspect`,
        scopes_supported: ['openid', 'profile', 'email', 'user:read'],
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
      expect(metadata).not.toHaveProperty('registration_endpoint');
      expect(metadata.grant_types_supported.sort()).toEqual([
        'authorization_code',
        'client_credentials',
        'refresh_token',
      ]);
      expect(JSON.stringify(metadata)).not.toContain('evil.example');
    },
  );

  it('publishes no private part of a key', async () => {
    const { keys } = await (await fetch(`${service.url}/oauth/jwks`)).json();
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('uses the error envelope for unknown paths and wrong methods', async () => {
    const unknownPathResponse = await service.send('/oauth/reg');
    expect([unknownPathResponse.status, unknownPathResponse.json.code]).toEqual([404, 'not_found']);
    const wrongMethodResponse = await service.send('/oauth/token', { method: 'GET' });
    expect([
      wrongMethodResponse.status,
      wrongMethodResponse.json.code,
      wrongMethodResponse.headers.get('allow'),
    ]).toEqual([405, 'method_not_allowed', 'POST, OPTIONS']);
  });
});

describe('the code flow with PKCE, through openid-client,', () => {
  it.each([
    ['confidential', 'confidentialClient'],
    ['public', 'publicClient'],
  ] as const)('signs a user in to a %s client', async (_kind, name) => {
    const oauthClient = service[name];
    const { config, tokens } = await getTokens(service, oauthClient, await openSignedInBrowser(service));
    const claims = tokens.claims()!;
    expect(claims).toMatchObject({
      iss: service.issuer,
      sub: String(service.user.id),
      aud: oauthClient.id,
    });
    expect(tokens.scope).toBe('openid profile email user:read');
    expect(tokens.expires_in).toBe(3600);
    const userInfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
    expect(userInfo).toEqual({
      sub: String(service.user.id),
      name: 'person',
      locale: 'en',
      updated_at: expect.any(Number),
      email: 'person@example.com',
      email_verified: false,
    });
    const userResponse = await getUser(service, tokens.access_token);
    expect(userResponse.status).toBe(200);
    expect(JSON.stringify(await userResponse.json())).toContain('person@example.com');
  });

  it('works without openid, with user:read alone', async () => {
    const browser = await openSignedInBrowser(service);
    const config = await discover(service.issuer, service.confidentialClient);
    const request = await requestAuthorization(config, service.confidentialClient, { scope: 'user:read' });
    request.url.searchParams.delete('nonce');
    const response = await allow(
      browser,
      await followRedirects(browser, await browser.get(request.url.href)),
    );
    const tokens = await client.authorizationCodeGrant(config, new URL(response.location!), {
      pkceCodeVerifier: request.verifier,
      expectedState: request.state,
    });
    expect(tokens.id_token).toBeUndefined();
    expect((await getUser(service, tokens.access_token)).status).toBe(200);
  });

  it('denies GET /api/user to a token without user:read', async () => {
    const oauthClient = await makeClient(service, { name: 'Only sign-in' });
    const { tokens } = await getTokens(service, oauthClient, await openSignedInBrowser(service), {
      scope: 'openid',
    });
    const response = await getUser(service, tokens.access_token);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('asks for consent once, again for more scopes, and every time for a native app', async () => {
    const oauthClient = await makeClient(service, { name: 'Once' });
    const browser = await openSignedInBrowser(service);
    await getTokens(service, oauthClient, browser, { scope: 'openid' });
    const config = await discover(service.issuer, oauthClient);
    const repeatedRequest = await requestAuthorization(config, oauthClient, { scope: 'openid' });
    expect((await followRedirects(browser, await browser.get(repeatedRequest.url.href))).location).toContain(
      oauthClient.redirectUri,
    );
    const requestForMoreScopes = await requestAuthorization(config, oauthClient, { scope: 'openid email' });
    expect((await followRedirects(browser, await browser.get(requestForMoreScopes.url.href))).text).toContain(
      'see your e-mail address',
    );

    await getTokens(service, service.publicClient, browser);
    const phoneRequest = await requestAuthorization(
      await discover(service.issuer, service.publicClient),
      service.publicClient,
    );
    expect((await followRedirects(browser, await browser.get(phoneRequest.url.href))).text).toContain(
      'Phone wants to use',
    );
  });
});
