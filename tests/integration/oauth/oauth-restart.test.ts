import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowserSession } from '../../support/browser/browser-session';
import { runCommand } from '../../support/process/run-command';
import { killServices, type ReadyService, startService } from '../../support/process/service-process';
import { findFreePort } from '../../support/service/free-port';
import {
  allow,
  discover,
  followRedirects,
  getCallback,
  getTokens,
  getUser,
  makeUser,
  type OAuthService,
  openSignedInBrowser,
  requestAuthorization,
  startOAuthService,
} from '../../support/service/oauth-service';
import { TEST_SECRET } from '../../support/service/test-service';

let service: OAuthService;
let secondProcess: ReadyService;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await startOAuthService();
  environment = { DATABASE_URL: service.database.url, NEXTAUTH_SECRET: TEST_SECRET };
  secondProcess = await startSecondProcess();
});
afterAll(async () => {
  await killServices();
  await service.close();
});

/** Starts another process of the same deployment, with the same public URL, as behind a load balancer. */
async function startSecondProcess(): Promise<ReadyService> {
  const port = await findFreePort();
  const secondService = await startService({ ...environment, PORT: String(port), APP_URL: service.issuer });
  return { ...secondService, url: `http://127.0.0.1:${port}` };
}

/** Configures openid-client for the second process: requests to the issuer go there. */
async function discoverSecondProcess(
  oauthClient = service.confidentialClient,
): Promise<client.Configuration> {
  const config = await discover(service.issuer, oauthClient);
  config[client.customFetch] = (url, options) =>
    fetch(url.replace(service.issuer, secondProcess.url), options as RequestInit);
  return config;
}

it('a code that one process issued can be redeemed at another, and both accept the tokens', async () => {
  const { callback, request } = await getCallback(
    await discover(service.issuer, service.confidentialClient),
    service.confidentialClient,
    await openSignedInBrowser(service),
  );
  const tokens = await client.authorizationCodeGrant(await discoverSecondProcess(), callback, {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
    expectedNonce: request.nonce,
  });
  for (const server of [service, secondProcess])
    expect((await getUser(server, tokens.access_token)).status).toBe(200);
});

it('revocation, reuse and deactivation in one process take effect at the next request to another', async () => {
  const user = await makeUser(service, 'two@example.com');
  const browser = await openSignedInBrowser(service, user);
  const secondConfig = await discoverSecondProcess();

  const revokedTokens = (await getTokens(service, service.confidentialClient, browser)).tokens;
  expect((await getUser(secondProcess, revokedTokens.access_token)).status).toBe(200);
  await client.tokenRevocation(
    await discover(service.issuer, service.confidentialClient),
    revokedTokens.access_token,
  );
  expect((await getUser(secondProcess, revokedTokens.access_token)).status).toBe(401);

  const reusedGrant = await getTokens(
    service,
    service.confidentialClient,
    await openSignedInBrowser(service, user),
  );
  const nextTokens = await client.refreshTokenGrant(reusedGrant.config, reusedGrant.tokens.refresh_token!);
  await expect(
    client.refreshTokenGrant(secondConfig, reusedGrant.tokens.refresh_token!),
  ).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  for (const server of [service, secondProcess])
    expect((await getUser(server, nextTokens.access_token)).status).toBe(401);

  const lastGrant = await getTokens(
    service,
    service.confidentialClient,
    await openSignedInBrowser(service, user),
  );
  const result = await runCommand(['user', 'deactivate', '--email', user.email], environment);
  expect(result.code).toBe(0);
  for (const server of [service, secondProcess])
    expect((await getUser(server, lastGrant.tokens.access_token)).status).toBe(401);
  await expect(client.refreshTokenGrant(secondConfig, lastGrant.tokens.refresh_token!)).rejects.toMatchObject(
    {
      error: 'invalid_grant',
    },
  );
});

it('running servers immediately refuse a client that a command revokes, and its tokens', async () => {
  const createResult = await runCommand(
    [
      'oauth-client',
      'create',
      '--name',
      'By command',
      '--redirect-uri',
      'https://tool.example/callback',
      '--json',
    ],
    { ...environment, APP_URL: service.issuer },
  );
  expect(createResult.code).toBe(0);
  expect(createResult.stderr).toBe('');
  expect(createResult.json).toMatchObject({
    public: false,
    secret: expect.stringMatching(/^bdc_/),
    issuer: service.issuer,
  });
  const oauthClient = { ...createResult.json, redirectUri: 'https://tool.example/callback' };
  const { tokens, config } = await getTokens(service, oauthClient, await openSignedInBrowser(service));
  expect((await getUser(secondProcess, tokens.access_token)).status).toBe(200);
  expect((await runCommand(['oauth-client', 'revoke', oauthClient.id], environment)).code).toBe(0);
  for (const server of [service, secondProcess])
    expect((await getUser(server, tokens.access_token)).status).toBe(401);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toThrow();
  const listResult = await runCommand(['oauth-client', 'list', '--json'], environment);
  expect(listResult.json.find(({ id }: { id: string }) => id === oauthClient.id)).toMatchObject({
    state: 'revoked',
  });
});

it('a new signing key is published immediately and signs new tokens, and signatures of the previous key can still be verified', async () => {
  const readKeyIds = async (server: { url: string }) => {
    const { keys } = await (await fetch(`${server.url}/oauth/jwks`)).json();
    return keys.map(({ kid }: { kid: string }) => kid);
  };
  const grantBefore = await getTokens(
    service,
    service.confidentialClient,
    await openSignedInBrowser(service),
  );
  const [previousKeyId] = await readKeyIds(service);
  const rotateResult = await runCommand(['oauth-key', 'rotate', '--json'], environment);
  expect(rotateResult.json).toMatchObject({ retired: [previousKeyId], published_until: expect.any(String) });
  for (const server of [service, secondProcess])
    expect(await readKeyIds(server)).toEqual([rotateResult.json.id, previousKeyId]);
  const grantAfter = await getTokens(service, service.confidentialClient, await openSignedInBrowser(service));
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;
  expect(kidOf(grantBefore.tokens.id_token!)).toBe(previousKeyId);
  expect(kidOf(grantAfter.tokens.id_token!)).toBe(rotateResult.json.id);
  const request = await requestAuthorization(grantAfter.config, service.confidentialClient, {
    id_token_hint: grantBefore.tokens.id_token!,
    prompt: 'none',
  });
  const { location } = await followRedirects(
    await openSignedInBrowser(service),
    await createBrowserSession(service.issuer).get(request.url.href),
  );
  expect(new URL(location!).searchParams.get('error')).toBe('login_required');
});

it('a restarted process redeems the code of a sign-in that began before, accepts earlier tokens, and publishes the same keys', async () => {
  const browser = await openSignedInBrowser(service);
  const { tokens } = await getTokens(service, service.confidentialClient, browser);
  const config = await discoverSecondProcess(service.publicClient);
  const request = await requestAuthorization(config, service.publicClient);
  const page = await followRedirects(browser, await browser.get(request.url.href));
  expect(page.status).toBe(200);
  const keysBefore = await (await fetch(`${secondProcess.url}/oauth/jwks`)).text();

  await secondProcess.stop();
  secondProcess = await startSecondProcess();

  expect(await (await fetch(`${secondProcess.url}/oauth/jwks`)).text()).toBe(keysBefore);
  expect((await getUser(secondProcess, tokens.access_token)).status).toBe(200);
  const refreshedTokens = await client.refreshTokenGrant(
    await discoverSecondProcess(),
    tokens.refresh_token!,
  );
  expect((await getUser(secondProcess, refreshedTokens.access_token)).status).toBe(200);
  const { location } = await allow(browser, page);
  const redeemedTokens = await client.authorizationCodeGrant(config, new URL(location!), {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
    expectedNonce: request.nonce,
  });
  expect((await getUser(secondProcess, redeemedTokens.access_token)).status).toBe(200);
  expect(secondProcess.stdout() + secondProcess.stderr()).not.toContain('oidc-provider');
});
