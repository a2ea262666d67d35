import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserResponse } from '../../support/browser/browser-session';
import {
  allow,
  followRedirects,
  formOf,
  requestAuthorization,
  type SignedInOAuthService,
  startSignedInOAuthService,
} from '../../support/service/oauth-service';

let service: SignedInOAuthService;

beforeAll(async () => {
  service = await startSignedInOAuthService();
});
afterAll(() => service?.close());

/** Requests a response by form_post. Returns the consent page and what the client keeps until the response. */
async function requestFormPost() {
  const request = await requestAuthorization(service.config, service.confidentialClient, {
    response_mode: 'form_post',
    prompt: 'consent',
  });
  const consentPage = await followRedirects(service.browser, await service.browser.get(request.url.href));
  expect(consentPage.text).toContain('wants to use your Brickdesk account');
  return { request, consentPage };
}

/** Returns what the page posts to the client when its script runs, after checking that its policy allows the script and the post. */
function readPostedFields({ headers, text }: BrowserResponse): URLSearchParams {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
  expect(script).toContain('submit()');
  const scriptHash = createHash('sha256').update(script).digest('base64');
  const { redirectUri } = service.confidentialClient;
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; img-src data:; form-action 'self' ${new URL(redirectUri).origin}; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(text).toContain(`<form method="post" action="${redirectUri}">`);
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"\/>/g)];
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]));
}

it('with response_mode=form_post, a page whose script the browser runs posts the code to the client', async () => {
  const { request, consentPage } = await requestFormPost();
  const fields = readPostedFields(await allow(service.browser, consentPage));
  expect([...fields.keys()].sort()).toEqual(['code', 'iss', 'state']);
  const callback = new URL(service.confidentialClient.redirectUri);
  callback.search = fields.toString();
  const tokens = await client.authorizationCodeGrant(service.config, callback, {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
    expectedNonce: request.nonce,
  });
  expect(tokens.claims()?.sub).toBe(String(service.user.id));
});

it('with response_mode=form_post, a refusal is posted to the client in the same way', async () => {
  const { request, consentPage } = await requestFormPost();
  const { cancel, token } = formOf(consentPage);
  const response = await followRedirects(service.browser, await service.browser.postForm(cancel, { token }));
  const fields = readPostedFields(response);
  expect([fields.get('error'), fields.get('state')]).toEqual(['access_denied', request.state]);
});
