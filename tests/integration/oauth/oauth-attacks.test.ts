import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  getCallback,
  getUser,
  makeClient,
  REDIRECT_URI,
  type SignedInOAuthService,
  startSignedInOAuthService,
} from '../../support/service/oauth-service';

let service: SignedInOAuthService;

beforeAll(async () => {
  service = await startSignedInOAuthService();
});
afterAll(() => service.close());

const redeemCode = (
  code: string,
  parameters: Record<string, string>,
  oauthClient = service.confidentialClient,
) =>
  fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(oauthClient.secret === null
        ? {}
        : { Authorization: `Basic ${btoa(`${oauthClient.id}:${oauthClient.secret}`)}` }),
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: oauthClient.redirectUri,
      ...(oauthClient.secret === null ? { client_id: oauthClient.id } : {}),
      ...parameters,
    }),
  });

describe('a code', () => {
  it('can be redeemed only with the redirect URI it was requested with', async () => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const response = await redeemCode(callback.searchParams.get('code')!, {
      code_verifier: request.verifier,
      redirect_uri: 'https://evil.example/callback',
    });
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_grant']);
  });

  it('works once, and its replay revokes the tokens it yielded', async () => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const code = callback.searchParams.get('code')!;
    const tokens = await (await redeemCode(code, { code_verifier: request.verifier })).json();
    expect((await getUser(service, tokens.access_token)).status).toBe(200);
    const replayResponse = await redeemCode(code, { code_verifier: request.verifier });
    expect([replayResponse.status, (await replayResponse.json()).error]).toEqual([400, 'invalid_grant']);
    expect((await getUser(service, tokens.access_token)).status).toBe(401);
  });

  it('used ten times simultaneously works at most once, and its tokens are revoked', async () => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const code = callback.searchParams.get('code')!;
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => redeemCode(code, { code_verifier: request.verifier })),
    );
    const successfulResponses = responses.filter(({ status }) => status === 200);
    expect(successfulResponses.length).toBeLessThanOrEqual(1);
    for (const response of successfulResponses)
      expect((await getUser(service, (await response.json()).access_token)).status).toBe(401);
  });

  it('expires after at most a minute', async () => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    await service.database.query(
      `UPDATE oauth_records SET payload = jsonb_set(payload, '{exp}', to_jsonb(extract(epoch FROM now())::bigint - 1))
        WHERE model = 'AuthorizationCode' AND (payload ->> 'exp')::bigint <= extract(epoch FROM now()) + 60`,
    );
    const response = await redeemCode(callback.searchParams.get('code')!, {
      code_verifier: request.verifier,
    });
    expect((await response.json()).error).toBe('invalid_grant');
  });

  it('of one client is useless to another', async () => {
    const otherClient = await makeClient(service, { name: 'Thief' });
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const response = await redeemCode(
      callback.searchParams.get('code')!,
      { code_verifier: request.verifier },
      otherClient,
    );
    expect((await response.json()).error).toBe('invalid_grant');
  });

  it('cannot be redeemed with a wrong client secret, or with the stored hash instead of the secret', async () => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const secretHash = createHash('sha256').update(service.confidentialClient.secret!).digest('hex');
    for (const secret of ['wrong', secretHash, `${service.confidentialClient.secret}0`]) {
      const response = await redeemCode(
        callback.searchParams.get('code')!,
        { code_verifier: request.verifier },
        { ...service.confidentialClient, secret },
      );
      expect([response.status, (await response.json()).error]).toEqual([401, 'invalid_client']);
    }
  });

  it('cannot be redeemed by a confidential client that poses as a public one', async () => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const code = callback.searchParams.get('code')!;
    const clientWithoutSecret = { ...service.confidentialClient, secret: null };
    expect((await redeemCode(code, { code_verifier: request.verifier }, clientWithoutSecret)).status).toBe(
      401,
    );
  });
});

describe('PKCE and the response type', () => {
  it.each([
    ['no challenge', (parameters: URLSearchParams) => parameters.delete('code_challenge')],
    ['the method plain', (parameters: URLSearchParams) => parameters.set('code_challenge_method', 'plain')],
    ['no method', (parameters: URLSearchParams) => parameters.delete('code_challenge_method')],
    [
      'neither challenge nor method',
      (parameters: URLSearchParams) =>
        ['code_challenge', 'code_challenge_method'].map((name) => parameters.delete(name)),
    ],
    ['a short challenge', (parameters: URLSearchParams) => parameters.set('code_challenge', 'abc')],
  ] as [string, (parameters: URLSearchParams) => void][])(
    'a request with %s gets invalid_request',
    async (_, change) => {
      const { location } = await service.tryRequest(change);
      const { origin, pathname, searchParams } = new URL(location!);
      expect(origin + pathname).toBe(REDIRECT_URI);
      expect(searchParams.get('error')).toBe('invalid_request');
      expect(searchParams.has('code')).toBe(false);
    },
  );

  it.each<[string, (verifier: string) => Record<string, string>]>([
    ['no verifier', () => ({})],
    ['another verifier', () => ({ code_verifier: client.randomPKCECodeVerifier() })],
    [
      'the challenge as verifier',
      (verifier) => ({
        code_verifier: createHash('sha256').update(verifier).digest('base64url'),
      }),
    ],
  ])('a code is not redeemed with %s', async (_, parametersOf) => {
    const { callback, request } = await getCallback(
      service.config,
      service.confidentialClient,
      service.browser,
    );
    const response = await redeemCode(callback.searchParams.get('code')!, parametersOf(request.verifier));
    expect((await response.json()).error).toBe('invalid_grant');
  });

  it.each(['token', 'id_token', 'code id_token', 'none'])(
    'a request with response_type %s gets unsupported_response_type',
    async (type) => {
      const response = await service.tryRequest((parameters) => parameters.set('response_type', type));
      expect(response.location ?? response.text).toContain('unsupported_response_type');
      expect(response.location ?? '').not.toMatch(/access_token=|[?&#]id_token=/);
    },
  );
});
