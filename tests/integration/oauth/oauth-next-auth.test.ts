import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowserSession } from '../../support/browser/browser-session';
import { findFreePort } from '../../support/service/free-port';
import {
  allow,
  followRedirects,
  getUser,
  makeClient,
  type OAuthService,
  openSignedInBrowser,
  startOAuthService,
} from '../../support/service/oauth-service';
import { type NextAuthApp, startNextAuthApp } from '../../support/stand-ins/next-auth-app';

let service: OAuthService;
let app: NextAuthApp;

beforeAll(async () => {
  service = await startOAuthService();
  const port = await findFreePort();
  const oauthClient = await makeClient(service, {
    name: 'Another app',
    redirectUri: `http://localhost:${port}/api/auth/callback/brickdesk`,
  });
  app = await startNextAuthApp(port, {
    issuer: service.issuer,
    clientId: oauthClient.id,
    clientSecret: oauthClient.secret!,
  });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

it('a client that uses next-auth signs a user in with Brickdesk through discovery alone', async () => {
  const clientBrowser = createBrowserSession(app.url);
  const brickdeskBrowser = await openSignedInBrowser(service);
  const { csrfToken } = (await clientBrowser.get('/api/auth/csrf')).json;
  const response = await clientBrowser.postForm('/api/auth/signin/brickdesk', { csrfToken, json: 'true' });
  const brickdeskUrl = new URL(response.json.url);
  expect(brickdeskUrl.origin + brickdeskUrl.pathname).toBe(`${service.issuer}/oauth/authorize`);
  expect(brickdeskUrl.searchParams.get('code_challenge_method')).toBe('S256');

  const consentPage = await followRedirects(brickdeskBrowser, await brickdeskBrowser.get(brickdeskUrl.href));
  expect(consentPage.text).toContain('Another app wants to use your Brickdesk account');
  expect(consentPage.headers.get('content-security-policy')).toContain(`form-action 'self' ${app.url};`);
  const callbackRedirect = await allow(brickdeskBrowser, consentPage);
  await clientBrowser.get(callbackRedirect.location!);
  expect(app.errors).toEqual([]);

  const session = (await clientBrowser.get('/api/auth/session')).json;
  expect(session.user).toEqual({ name: 'person', email: service.user.email });
  expect(session.token.sub).toBe(String(service.user.id));
  expect(session.token.profile).toMatchObject({
    sub: String(service.user.id),
    name: 'person',
    email: service.user.email,
    email_verified: false,
    locale: 'en',
  });
  const userResponse = await getUser(service, session.token.accessToken);
  expect(userResponse.status).toBe(200);
});
