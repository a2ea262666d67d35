import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowserSession, signIn } from '../../support/browser/browser-session';
import {
  allow,
  discover,
  followRedirects,
  formOf,
  getCallback,
  getTokens,
  makeClient,
  makeUser,
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

it('a browser without a session is sent to the sign-in page and then back to the consent page', async () => {
  const browser = createBrowserSession(service.issuer);
  const config = await discover(service.issuer, service.confidentialClient);
  const request = await requestAuthorization(config, service.confidentialClient);
  const interactionRedirect = await browser.get(request.url.href);
  const signInUrl = new URL((await browser.get(interactionRedirect.location!)).location!);
  expect(signInUrl.pathname).toBe('/admin/sign-in');
  const interactionPath = signInUrl.searchParams.get('callbackUrl')!;
  expect(interactionPath).toMatch(/^\/oauth\/interaction\/[\w-]+$/);
  await signIn(browser, service.user);
  const consentPage = await followRedirects(browser, await browser.get(interactionPath));
  expect(consentPage.text).toContain('Wiki &amp; &lt;Co&gt; wants to use your Brickdesk account');
  expect(consentPage.text).not.toContain('<Co>');
  expect(new URL((await allow(browser, consentPage)).location!).searchParams.get('code')).toBeTruthy();
});

it('the consent page is written in the language of the user', async () => {
  const chineseUser = await makeUser(service, 'chinese@example.com');
  await service.database.query(`UPDATE users SET locale = 'zh', locale_chosen = true WHERE id = $1`, [
    chineseUser.id,
  ]);
  const browser = await openSignedInBrowser(service, chineseUser);
  const oauthClient = await makeClient(service, { name: 'Wiki' });
  const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
  const { text } = await followRedirects(browser, await browser.get(request.url.href));
  expect(text).toMatch(/接下来将前往 <strong>[^<]+<\/strong>。您可以随时在“账号与安全”中取消此授权。/);
});

it('the client gets access_denied if the user declines', async () => {
  const browser = await openSignedInBrowser(service);
  const oauthClient = await makeClient(service, { name: 'Declined' });
  const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
  const { cancel, token } = formOf(await followRedirects(browser, await browser.get(request.url.href)));
  const { location } = await followRedirects(browser, await browser.postForm(cancel, { token }));
  const { searchParams } = new URL(location!);
  expect(searchParams.get('error')).toBe('access_denied');
  expect(searchParams.get('state')).toBe(request.state);
  expect(searchParams.has('code')).toBe(false);
});

it('another user in the same browser never acts as the previous one', async () => {
  const otherUser = await makeUser(service, 'other@example.com');
  const browser = await openSignedInBrowser(service);
  await getTokens(service, service.confidentialClient, browser);
  await signIn(browser, otherUser);
  const { tokens } = await getTokens(service, service.confidentialClient, browser);
  expect(tokens.claims()!.sub).toBe(String(otherUser.id));
});

it('the service asks for consent again if another user signs in before the form is submitted', async () => {
  const oauthClient = await makeClient(service, { name: 'Changed' });
  const otherUser = await makeUser(service, 'changed@example.com');
  const browser = await openSignedInBrowser(service);
  const request = await requestAuthorization(await discover(service.issuer, oauthClient), oauthClient);
  const page = await followRedirects(browser, await browser.get(request.url.href));
  const { action, token } = formOf(page);
  await signIn(browser, otherUser);
  expect((await browser.postForm(action, { token })).status).toBe(403);
  const secondPage = await followRedirects(
    browser,
    await browser.get(page.text.match(/action="([^"]+)\/confirm"/)![1]!),
  );
  expect(secondPage.text).toContain('changed@example.com');
  expect(new URL((await allow(browser, secondPage)).location!).searchParams.get('code')).toBeTruthy();
});

it('the client gets login_required for prompt=none if no one is signed in any more', async () => {
  const browser = await openSignedInBrowser(service);
  await getTokens(service, service.confidentialClient, browser);
  for (const name of [...browser.cookies.keys()])
    if (name.includes('session-token')) browser.cookies.delete(name);
  const request = await requestAuthorization(
    await discover(service.issuer, service.confidentialClient),
    service.confidentialClient,
    {
      prompt: 'none',
    },
  );
  const { location } = await browser.get(request.url.href);
  expect(new URL(location!).searchParams.get('error')).toBe('login_required');
});

it.each([{ prompt: 'login' }, { max_age: '0' }])(
  'a request with %o makes the user sign in again',
  async (parameters) => {
    const browser = await openSignedInBrowser(service);
    // Makes the session clearly older than the request.
    await service.database.query(`UPDATE user_sessions SET created_at = created_at - interval '1 minute'`);
    const request = await requestAuthorization(
      await discover(service.issuer, service.confidentialClient),
      service.confidentialClient,
      parameters as never,
    );
    const page = await followRedirects(browser, await browser.get(request.url.href));
    expect(page.text).toContain('Sign in again');
    const { action, token } = formOf(page);
    const signInRedirect = await browser.postForm(action, { token });
    const interactionPath = new URL(signInRedirect.location!).searchParams.get('callbackUrl')!;
    // The previous session has ended, so the user must sign in to continue.
    expect((await browser.get(interactionPath)).location).toContain('/admin/sign-in');
    await signIn(browser, service.user);
    const response = await followRedirects(browser, await browser.get(interactionPath));
    expect(response.text + response.location).toMatch(/wants to use|code=/);
  },
);

it('the client gets login_required for an id_token_hint of another user instead of looping', async () => {
  const otherUser = await makeUser(service, 'hinted@example.com');
  const otherGrant = await getTokens(
    service,
    service.confidentialClient,
    await openSignedInBrowser(service, otherUser),
  );
  const browser = await openSignedInBrowser(service);
  const request = await requestAuthorization(otherGrant.config, service.confidentialClient, {
    id_token_hint: otherGrant.tokens.id_token!,
  });
  const { location } = await followRedirects(browser, await browser.get(request.url.href));
  expect(new URL(location!).searchParams.get('error')).toBe('login_required');
});

it('a user who must set up a second factor may not consent', async () => {
  const user = await makeUser(service, 'factor@example.com');
  await service.database.query('UPDATE users SET two_factor_required = true WHERE id = $1', [user.id]);
  const browser = await openSignedInBrowser(service, user);
  const request = await requestAuthorization(
    await discover(service.issuer, service.confidentialClient),
    service.confidentialClient,
  );
  const page = await followRedirects(browser, await browser.get(request.url.href));
  expect(page.status).toBe(403);
  expect(page.text).toContain('Set up two-factor sign-in first');
});

it('the code of a deactivated user is refused', async () => {
  const user = await makeUser(service, 'gone@example.com');
  const config = await discover(service.issuer, service.confidentialClient);
  const { callback, request } = await getCallback(
    config,
    service.confidentialClient,
    await openSignedInBrowser(service, user),
  );
  await service.database.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [user.id]);
  await expect(
    client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: request.verifier,
      expectedState: request.state,
      expectedNonce: request.nonce,
    }),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
});
