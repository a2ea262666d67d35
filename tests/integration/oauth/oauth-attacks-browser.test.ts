import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CALLBACK,
  discover,
  follow,
  formOf,
  makeClient,
  requestAuthorization,
  type SignedInOAuthService,
  signedInBrowser,
  startSignedInOAuthService,
} from '../../support/service/oauth-service';

let service: SignedInOAuthService;

beforeAll(async () => {
  service = await startSignedInOAuthService();
});
afterAll(() => service.close());

describe('the redirect URI of a request', () => {
  it.each([
    'https://evil.example/callback',
    `${CALLBACK}/`,
    `${CALLBACK}/../evil`,
    `${CALLBACK}?next=https://evil.example`,
    `${CALLBACK}#fragment`,
    'https://tool.example.evil.example/callback',
    'https://tool.example@evil.example/callback',
    'https://tool.example:444/callback',
    'http://tool.example/callback',
    'HTTPS://TOOL.example/callback',
    'https://tool.example/%63allback',
    'https://tool.example\\@evil.example/callback',
    '//evil.example/callback',
    'javascript:alert(1)//https://tool.example/callback',
    'data:text/html,<script>alert(1)</script>',
    '',
  ])('redirects nobody if it is not registered: %s', async (uri) => {
    const response = await service.tryRequest((parameters) => parameters.set('redirect_uri', uri));
    expect(response.status).toBe(400);
    expect(response.location).toBeNull();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.text).not.toContain('<script>alert');
  });

  it('redirects nobody if it is missing, repeated or registered for another client', async () => {
    const other = await makeClient(service, { name: 'Else', redirectUri: 'https://else.example/callback' });
    const responses = [
      await service.tryRequest((parameters) => parameters.delete('redirect_uri')),
      await service.tryRequest((parameters) => parameters.append('redirect_uri', 'https://evil.example/')),
      await service.tryRequest((parameters) => parameters.set('redirect_uri', other.redirectUri)),
    ];
    for (const response of responses) expect([response.status, response.location]).toEqual([400, null]);
  });
});

describe('the consent form', () => {
  const openForm = async () => {
    const oauthClient = await makeClient(service, { name: 'Form' });
    const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
    return formOf(await follow(service.browser, await service.browser.get(request.url.href)));
  };

  it.each<[string, (token: string) => [Record<string, string>, Record<string, string>]]>([
    ['without its token', () => [{}, {}]],
    ['with another token', () => [{ token: 'a'.repeat(43) }, {}]],
    ['from another site', (token) => [{ token }, { Origin: 'https://evil.example' }]],
    ['from an opaque origin', (token) => [{ token }, { Origin: 'null' }]],
  ])('is refused %s, whether it allows or cancels', async (_, forge) => {
    const { action, cancel, token } = await openForm();
    const [fields, headers] = forge(token);
    for (const path of [action, cancel]) {
      const response = await service.browser.postForm(path, fields, headers);
      expect([response.status, response.json?.code]).toEqual([403, 'forbidden']);
    }
  });

  it('is refused with the token of another interaction, or from another browser', async () => {
    const first = await openForm();
    // A real browser keeps one cookie per path, so one per authorization request; this one keeps one per name.
    const cookies = new Map(service.browser.cookies);
    const second = await openForm();
    for (const [name, value] of cookies) service.browser.cookies.set(name, value);
    expect((await service.browser.postForm(first.action, { token: second.token })).status).toBe(403);
    const attacker = await signedInBrowser(service);
    // The attacker has a session, but not the browser in which the request was made.
    expect((await attacker.postForm(first.action, { token: first.token })).status).toBe(400);
  });

  it('cannot be framed, loads nothing, and can only lead to us and to the client', async () => {
    const oauthClient = await makeClient(service, { name: 'Policy' });
    const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
    const { headers } = await follow(service.browser, await service.browser.get(request.url.href));
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self' https://tool.example; base-uri 'none'; frame-ancestors 'none'",
    );
  });
});

it('the state cannot inject a header or a redirect', async () => {
  const state = 'x\r\nSet-Cookie: stolen=1\r\nLocation: https://evil.example';
  const { location, headers } = await service.tryRequest((parameters) => {
    parameters.set('state', state);
    parameters.set('prompt', 'none');
    parameters.set('scope', 'openid');
  });
  expect(new URL(location!).origin).toBe('https://tool.example');
  expect(new URL(location!).searchParams.get('state')).toBe(state);
  expect(headers.getSetCookie().join()).not.toContain('stolen');
});

it('a forged cookie opens no interaction', async () => {
  const request = await requestAuthorization(service.config, service.confidentialClient, { prompt: 'consent' });
  const { location } = await service.browser.get(request.url.href);
  const attacker = await signedInBrowser(service);
  const uid = location!.split('/').at(-1)!;
  attacker.cookies.set('brickdesk.oauth.interaction', uid);
  attacker.cookies.set('brickdesk.oauth.interaction.sig', 'a'.repeat(27));
  expect((await attacker.get(location!)).status).toBe(400);
});
