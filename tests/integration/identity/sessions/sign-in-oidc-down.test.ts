import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createUser } from '../../../../src/server/identity/users/service';
import { type BrowserSession, createBrowserSession } from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';
import { startIdentityProvider } from '../../../support/stand-ins/identity-provider-stand-in';

let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const startServiceWithIssuer = async (issuer: string, port: number, secret = 'secret') => {
  service = await startTestService({
    PORT: `${port}`,
    APP_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'brickdesk',
    OIDC_CLIENT_SECRET: secret,
  });
  return service;
};

async function beginSignIn(browser: BrowserSession): Promise<string> {
  const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
  const response = await browser.postForm('/api/auth/signin/oidc', { csrfToken, json: 'true' });
  return response.json.url;
}

/** Returns the error code with which the browser reaches the sign-in page. */
async function readSignInError(browser: BrowserSession, url: string): Promise<string | null> {
  let response = await browser.get(url);
  while (response.location?.includes('/api/auth/')) response = await browser.get(response.location);
  const pageUrl = new URL(response.location!);
  expect(pageUrl.pathname).toBe('/admin/sign-in');
  return pageUrl.searchParams.get('error');
}

it('the user returns to the sign-in page with an error if the provider is unreachable, and can still use a password', async () => {
  const { url, app } = await startServiceWithIssuer(
    `http://127.0.0.1:${await findFreePort()}`,
    await findFreePort(),
  );
  const browser = createBrowserSession(url);
  expect(await readSignInError(browser, await beginSignIn(browser))).toBe('OAuthSignin');
  await createUser(app.services.db, TEST_ACTOR, {
    email: 'ann@example.com',
    role: 'viewer',
    password: 'four unrelated words here',
  });
  const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
  const response = await browser.postForm('/api/auth/callback/credentials', {
    email: 'ann@example.com',
    password: 'four unrelated words here',
    csrfToken,
    json: 'true',
  });
  expect(response.status).toBe(200);
});

it('the service gives up on a provider that accepts the connection but never responds', async () => {
  const sockets = new Set<Socket>();
  const silentProvider = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silentProvider, 'listening');
  const { url } = await startServiceWithIssuer(
    `http://127.0.0.1:${(silentProvider.address() as AddressInfo).port}`,
    await findFreePort(),
  );
  const browser = createBrowserSession(url);
  expect(await readSignInError(browser, await beginSignIn(browser))).toBe('OAuthSignin');
  for (const socket of sockets) socket.destroy();
  silentProvider.close();
});

it('the user returns to the sign-in page with an error if the provider goes down before the code is redeemed', async () => {
  const port = await findFreePort();
  const provider = await startIdentityProvider(`http://127.0.0.1:${port}/api/auth/callback/oidc`);
  const { url } = await startServiceWithIssuer(provider.issuer, port, provider.clientSecret);
  const browser = createBrowserSession(url);
  provider.user = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  const callbackUrl = await provider.visit(new URL(await beginSignIn(browser)));
  await provider.close();
  expect(await readSignInError(browser, callbackUrl.href)).toBe('OAuthCallback');
});
