import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeOAuthClient } from '../../../src/server/identity/oauth/client-service';
import {
  getCallback,
  getTokens,
  getUser,
  makeClient,
  makeUser,
  type OAuthService,
  openSignedInBrowser,
  startOAuthService,
} from '../../support/service/oauth-service';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: OAuthService;
let config: client.Configuration;
let tokens: Awaited<ReturnType<typeof getTokens>>['tokens'];

beforeAll(async () => {
  service = await startOAuthService();
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ config, tokens } = await getTokens(
    service,
    service.confidentialClient,
    await openSignedInBrowser(service),
  ));
});

const readUserStatus = async (token: string) => (await getUser(service, token)).status;
/**
 * Returns all texts inside a JSON value. Bytes, which PostgreSQL writes as `\x` and hexadecimal digits, are also returned in
 * hexadecimal without `\x`, in base64 and in base64url.
 */
function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  if (!value.startsWith('\\x')) return [value];
  const bytes = Buffer.from(value.slice(2), 'hex');
  return [value, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
}

const INVALID_GRANT = { error: 'invalid_grant' };

describe('refresh tokens', () => {
  it('rotate: each yields a new access token and a new refresh token', async () => {
    const secondTokens = await client.refreshTokenGrant(config, tokens.refresh_token!);
    expect(secondTokens.refresh_token).not.toBe(tokens.refresh_token);
    expect(secondTokens.claims()!.sub).toBe(String(service.user.id));
    expect(await readUserStatus(secondTokens.access_token)).toBe(200);
    const thirdTokens = await client.refreshTokenGrant(config, secondTokens.refresh_token!);
    expect(await readUserStatus(thirdTokens.access_token)).toBe(200);
  });

  it('rotate for public clients too', async () => {
    const publicGrant = await getTokens(service, service.publicClient, await openSignedInBrowser(service));
    const secondTokens = await client.refreshTokenGrant(
      publicGrant.config,
      publicGrant.tokens.refresh_token!,
    );
    expect(secondTokens.refresh_token).not.toBe(publicGrant.tokens.refresh_token);
    expect(await readUserStatus(secondTokens.access_token)).toBe(200);
  });

  it('are revoked with their whole family, access tokens included, if an old one is used again', async () => {
    const secondTokens = await client.refreshTokenGrant(config, tokens.refresh_token!);
    await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject(
      INVALID_GRANT,
    );
    await expect(client.refreshTokenGrant(config, secondTokens.refresh_token!)).rejects.toMatchObject(
      INVALID_GRANT,
    );
    expect(await readUserStatus(tokens.access_token)).toBe(401);
    expect(await readUserStatus(secondTokens.access_token)).toBe(401);
  });

  it('used ten times simultaneously work at most once, and the new tokens are revoked', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => client.refreshTokenGrant(config, tokens.refresh_token!)),
    );
    const issuedTokens = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(issuedTokens.length).toBeLessThanOrEqual(1);
    for (const newTokens of issuedTokens) {
      expect(await readUserStatus(newTokens.access_token)).toBe(401);
      await expect(client.refreshTokenGrant(config, newTokens.refresh_token!)).rejects.toMatchObject(
        INVALID_GRANT,
      );
    }
  });

  it('cannot be used for more scopes than were allowed', async () => {
    const oauthClient = await makeClient(service, { name: 'Narrow' });
    const limitedGrant = await getTokens(service, oauthClient, await openSignedInBrowser(service), {
      scope: 'openid',
    });
    await expect(
      client.refreshTokenGrant(limitedGrant.config, limitedGrant.tokens.refresh_token!, {
        scope: 'openid user:read',
      }),
    ).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  it('are refused once they have expired', async () => {
    await service.database.query(
      `UPDATE oauth_records SET payload = jsonb_set(payload, '{exp}', to_jsonb(extract(epoch FROM now())::bigint - 1))
        WHERE model = 'RefreshToken'`,
    );
    await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject(
      INVALID_GRANT,
    );
  });
});

describe('an access token stops working immediately after', () => {
  it('the revocation of its refresh token', async () => {
    await client.tokenRevocation(config, tokens.refresh_token!);
    expect(await readUserStatus(tokens.access_token)).toBe(401);
    await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject(
      INVALID_GRANT,
    );
  });

  it('the deactivation of its user: for /api/user, userinfo, introspection and refresh', async () => {
    const user = await makeUser(service, 'leaving@example.com');
    const grant = await getTokens(
      service,
      service.confidentialClient,
      await openSignedInBrowser(service, user),
    );
    const { access_token: accessToken, refresh_token: refreshToken } = grant.tokens;
    expect((await client.tokenIntrospection(config, accessToken)).active).toBe(true);
    await service.database.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [user.id]);
    expect(await readUserStatus(accessToken)).toBe(401);
    expect((await client.tokenIntrospection(config, accessToken)).active).toBe(false);
    await expect(client.fetchUserInfo(config, accessToken, client.skipSubjectCheck)).rejects.toThrow();
    await expect(client.refreshTokenGrant(config, refreshToken!)).rejects.toMatchObject(INVALID_GRANT);
  });

  it('the revocation of its client', async () => {
    const oauthClient = await makeClient(service, { name: 'Revoked' });
    const grant = await getTokens(service, oauthClient, await openSignedInBrowser(service));
    await revokeOAuthClient(service.app.services.db, TEST_ACTOR, oauthClient.id);
    expect(await readUserStatus(grant.tokens.access_token)).toBe(401);
    await expect(client.refreshTokenGrant(grant.config, grant.tokens.refresh_token!)).rejects.toMatchObject({
      cause: [{ parameters: { error: 'invalid_client' } }],
    });
  });
});

describe('introspection', () => {
  it('describes to a confidential client only the tokens of that client', async () => {
    const introspection = await client.tokenIntrospection(config, tokens.access_token);
    expect(introspection).toMatchObject({
      active: true,
      client_id: service.confidentialClient.id,
      sub: String(service.user.id),
      scope: 'openid profile email user:read',
      iss: service.issuer,
    });
    const otherClient = await makeClient(service, { name: 'Other' });
    const otherGrant = await getTokens(service, otherClient, await openSignedInBrowser(service));
    expect(await client.tokenIntrospection(otherGrant.config, tokens.access_token)).toEqual({
      active: false,
    });
  });

  it('describes nothing to a public client, not even its own tokens', async () => {
    const publicGrant = await getTokens(service, service.publicClient, await openSignedInBrowser(service));
    expect(await client.tokenIntrospection(publicGrant.config, publicGrant.tokens.access_token)).toEqual({
      active: false,
    });
  });
});

describe('client credentials', () => {
  it('get a token that /api/user refuses, because it has no user', async () => {
    const clientTokens = await client.clientCredentialsGrant(config, { scope: 'user:read' });
    const response = await getUser(service, clientTokens.access_token);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect((await response.json()).message).toContain('belongs to a client, not to a user');
  });

  it('are denied to public clients', async () => {
    const publicGrant = await getTokens(service, service.publicClient, await openSignedInBrowser(service));
    await expect(client.clientCredentialsGrant(publicGrant.config)).rejects.toMatchObject({
      error: 'invalid_request',
    });
  });
});

it('the database contains no readable token, token id, cookie or client secret', async () => {
  const rows = await service.database.query<{ text: string }>(
    `SELECT r::text AS text FROM oauth_records r UNION ALL SELECT c::text FROM oauth_clients c
      UNION ALL SELECT a::text FROM audit_log a UNION ALL SELECT k::text FROM oauth_signing_keys k`,
  );
  const storedText = rows.map(({ text }) => text).join('\n');
  for (const secret of [tokens.access_token, tokens.refresh_token!, service.confidentialClient.secret!])
    expect(storedText).not.toContain(secret);
  expect(storedText).not.toContain('"cookie"');
  expect(storedText).not.toContain('"jti"');
});

it('nothing in the stored OAuth records and clients can be used as a token, code or client secret', async () => {
  await getCallback(config, service.confidentialClient, await openSignedInBrowser(service));
  const rows = await service.database.query<{ row: unknown }>(
    `SELECT to_jsonb(r) AS row FROM oauth_records r
       JOIN (SELECT model, max(created_at) AS newest_at FROM oauth_records GROUP BY model) AS m
         ON m.model = r.model AND m.newest_at = r.created_at
      UNION ALL SELECT to_jsonb(c) FROM oauth_clients c WHERE id::text = $1`,
    [service.confidentialClient.id],
  );
  const storedTexts = new Set(rows.flatMap(({ row }) => textsIn(row)));
  const { id, secret } = service.confidentialClient;
  const readTokenError = async (fields: Record<string, string>, clientSecret = secret!) => {
    const credentials = Buffer.from(`${id}:${encodeURIComponent(clientSecret)}`).toString('base64');
    const response = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams(fields),
    });
    return (await response.json()).error;
  };
  expect(storedTexts.size).toBeGreaterThan(20);
  for (const text of storedTexts) {
    const refusals = await Promise.all([
      readUserStatus(text),
      readTokenError({ grant_type: 'refresh_token', refresh_token: text }),
      readTokenError({
        grant_type: 'authorization_code',
        code: text,
        redirect_uri: service.confidentialClient.redirectUri,
        code_verifier: 'a'.repeat(43),
      }),
      readTokenError({ grant_type: 'client_credentials' }, text),
    ]);
    expect(refusals, text).toEqual([401, 'invalid_grant', 'invalid_grant', 'invalid_client']);
  }
  expect(await readUserStatus(tokens.access_token)).toBe(200);
});
