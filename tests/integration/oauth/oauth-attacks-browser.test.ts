import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserSession } from '../../support/browser/browser-session';
import {
  allow,
  discover,
  followRedirects,
  formOf,
  makeClient,
  makeUser,
  openSignedInBrowser,
  REDIRECT_URI,
  requestAuthorization,
  type SignedInOAuthService,
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
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}/../evil`,
    `${REDIRECT_URI}?next=https://evil.example`,
    `${REDIRECT_URI}#fragment`,
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
  ])('causes no redirect if it is not registered: %s', async (uri) => {
    const response = await service.tryRequest((parameters) => parameters.set('redirect_uri', uri));
    expect(response.status).toBe(400);
    expect(response.location).toBeNull();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.text).not.toContain('<script>alert');
  });

  it('causes no redirect if it is missing, repeated or registered for another client', async () => {
    const otherClient = await makeClient(service, {
      name: 'Else',
      redirectUri: 'https://else.example/callback',
    });
    const responses = [
      await service.tryRequest((parameters) => parameters.delete('redirect_uri')),
      await service.tryRequest((parameters) => parameters.append('redirect_uri', 'https://evil.example/')),
      await service.tryRequest((parameters) => parameters.set('redirect_uri', otherClient.redirectUri)),
    ];
    for (const response of responses) expect([response.status, response.location]).toEqual([400, null]);
  });
});

describe('the consent form', () => {
  const openForm = async () => {
    const oauthClient = await makeClient(service, { name: 'Form' });
    const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
    return formOf(await followRedirects(service.browser, await service.browser.get(request.url.href)));
  };

  it.each<[string, (token: string) => [Record<string, string>, Record<string, string>]]>([
    ['without its token', () => [{}, {}]],
    ['with another token', () => [{ token: 'a'.repeat(43) }, {}]],
    ['from another site', (token) => [{ token }, { Origin: 'https://evil.example' }]],
    ['from an opaque origin', (token) => [{ token }, { Origin: 'null' }]],
  ])('is refused %s, whether the user allows or cancels', async (_, forge) => {
    const { action, cancel, token } = await openForm();
    const [fields, headers] = forge(token);
    for (const path of [action, cancel]) {
      const response = await service.browser.postForm(path, fields, headers);
      expect([response.status, response.json?.code]).toEqual([403, 'forbidden']);
    }
  });

  it('is refused with the token of another interaction, or from another browser, whoever is signed in there', async () => {
    const firstForm = await openForm();
    // A real browser keeps one cookie per path, so one per authorization request; this one keeps one per name.
    const savedCookies = new Map(service.browser.cookies);
    const secondForm = await openForm();
    for (const [name, value] of savedCookies) service.browser.cookies.set(name, value);
    expect((await service.browser.postForm(firstForm.action, { token: secondForm.token })).status).toBe(403);
    for (const user of [service.user, await makeUser(service, 'attacker@example.com')]) {
      const attacker = await openSignedInBrowser(service, user);
      // The attacker has a session, but not the browser in which the request was made.
      for (const path of [firstForm.action, firstForm.cancel])
        expect((await attacker.postForm(path, { token: firstForm.token })).status).toBe(400);
    }
  });

  it('cannot be framed, loads nothing, and can only lead to Brickdesk and to the client', async () => {
    const oauthClient = await makeClient(service, { name: 'Policy' });
    const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
    const { headers } = await followRedirects(service.browser, await service.browser.get(request.url.href));
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self' https://tool.example; base-uri 'none'; frame-ancestors 'none'",
    );
  });
});

it('the consent page can lead to a client at an IPv6 address, which a policy cannot name', async () => {
  const redirectUri = 'http://[::1]:4711/callback';
  const oauthClient = await makeClient(service, { name: 'Local', redirectUri });
  const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
  const page = await followRedirects(service.browser, await service.browser.get(request.url.href));
  expect(page.headers.get('content-security-policy')).toContain("; form-action 'self' http:; base-uri");
  expect((await allow(service.browser, page)).location).toMatch(/^http:\/\/\[::1\]:4711\/callback\?code=/);
});

describe('an injected header or redirect', () => {
  const INJECTED_TEXT = 'x\r\nSet-Cookie: stolen=1\r\nLocation: https://evil.example';

  it.each([
    'acr_values',
    'claims',
    'client_id',
    'code_challenge',
    'code_challenge_method',
    'display',
    'id_token_hint',
    'login_hint',
    'max_age',
    'nonce',
    'prompt',
    'redirect_uri',
    'request_uri',
    'resource',
    'response_mode',
    'response_type',
    'scope',
    'state',
    'ui_locales',
    'unknown',
  ])('has no effect in the parameter %s', async (name) => {
    const { location, headers, text } = await service.tryRequest((parameters) => {
      parameters.set('prompt', 'none');
      parameters.set(name, INJECTED_TEXT);
    });
    if (location !== null) expect(new URL(location).origin).toBe('https://tool.example');
    expect(headers.getSetCookie().join()).not.toContain('stolen');
    expect(text).not.toContain('https://evil.example');
    const isRefusedWithoutRedirect = name === 'client_id' || name === 'redirect_uri';
    expect(location === null).toBe(isRefusedWithoutRedirect);
    if (name === 'state') expect(new URL(location!).searchParams.get('state')).toBe(INJECTED_TEXT);
  });
});

it('a cookie that is forged, altered or from another interaction opens no interaction', async () => {
  const INTERACTION_COOKIE = 'brickdesk.oauth.interaction';
  const beginInteraction = async (browser: BrowserSession) => {
    const parameters = { prompt: 'consent' };
    const request = await requestAuthorization(service.config, service.confidentialClient, parameters);
    const { location } = await browser.get(request.url.href);
    const [value, signature] = [
      browser.cookies.get(INTERACTION_COOKIE)!,
      browser.cookies.get(`${INTERACTION_COOKIE}.sig`)!,
    ];
    return { path: location!, value, signature };
  };
  const { path, value, signature } = await beginInteraction(service.browser);
  const attacker = await openSignedInBrowser(service);
  const attackerInteraction = await beginInteraction(attacker);
  const alterText = (text: string) => (text.startsWith('a') ? 'b' : 'a') + text.slice(1);
  for (const [sentValue, sentSignature] of [
    [value, 'a'.repeat(27)],
    [value, alterText(signature)],
    [value, attackerInteraction.signature],
    [alterText(value), signature],
    [attackerInteraction.value, attackerInteraction.signature],
  ] as const) {
    attacker.cookies.set(INTERACTION_COOKIE, sentValue);
    attacker.cookies.set(`${INTERACTION_COOKIE}.sig`, sentSignature);
    expect((await attacker.get(path)).status).toBe(400);
  }
  expect((await service.browser.get(path)).status).toBe(200);
});
