import * as client from 'openid-client';
import { createOAuthClient } from '../../../src/server/identity/oauth/client-service';
import { createUser } from '../../../src/server/identity/users/service';
import {
  type BrowserResponse,
  type BrowserSession,
  createBrowserSession,
  signIn,
} from '../browser/browser-session';
import { findFreePort } from './free-port';
import { startTestService, TEST_ACTOR, type TestService } from './test-service';

/** The default redirect URI of test clients. Nothing listens there: redirects are not followed that far. */
export const REDIRECT_URI = 'https://tool.example/callback';

/** A registered client. */
export interface TestClient {
  id: string;
  secret: string | null;
  redirectUri: string;
  name: string;
}

interface TestUser {
  id: number;
  email: string;
  password: string;
}

/** A service that is an OAuth issuer, with a user and two clients. */
export interface OAuthService extends TestService {
  port: number;
  /** `http://localhost:PORT`. */
  issuer: string;
  user: TestUser;
  confidentialClient: TestClient;
  publicClient: TestClient;
}

export async function makeUser(service: TestService, email: string): Promise<TestUser> {
  const password = 'a long password for tests';
  const user = await createUser(service.app.services.db, TEST_ACTOR, { email, role: 'viewer', password });
  return { id: user.id, email, password };
}

export async function makeClient(
  service: TestService,
  input: { name: string; redirectUri?: string; public?: boolean },
): Promise<TestClient> {
  const { name, redirectUri = REDIRECT_URI } = input;
  const oauthClient = await createOAuthClient(service.app.services.db, TEST_ACTOR, {
    name,
    redirect_uris: [redirectUri],
    public: input.public ?? false,
  });
  return { ...oauthClient, name, redirectUri };
}

export async function startOAuthService(environment: Record<string, string> = {}): Promise<OAuthService> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const service = await startTestService({ PORT: String(port), APP_URL: issuer, ...environment });
  return {
    ...service,
    port,
    issuer,
    user: await makeUser(service, 'person@example.com'),
    confidentialClient: await makeClient(service, { name: 'Wiki & <Co>' }),
    publicClient: await makeClient(service, {
      name: 'Phone',
      redirectUri: 'com.example.phone:/callback',
      public: true,
    }),
  };
}

/** Discovers the issuer with openid-client, as an app does. */
export function discover(issuer: string, oauthClient: TestClient): Promise<client.Configuration> {
  return client.discovery(
    new URL(issuer),
    oauthClient.id,
    undefined,
    oauthClient.secret === null ? client.None() : client.ClientSecretBasic(oauthClient.secret),
    { execute: [client.allowInsecureRequests] },
  );
}

/** Returns a browser in which the user has signed in. */
export async function openSignedInBrowser(
  service: OAuthService,
  user = service.user,
): Promise<BrowserSession> {
  const browser = createBrowserSession(service.issuer);
  const response = await signIn(browser, user);
  if (response.status !== 200) throw new Error(`The sign-in was refused: ${response.text}`);
  return browser;
}

/** A service with the browser in which its user has signed in, and the confidential client as openid-client configures it. */
export interface SignedInOAuthService extends OAuthService {
  browser: BrowserSession;
  config: client.Configuration;
  /** Sends an authorization request of the confidential client after `changeParameters`. Follows redirects within the service. */
  tryRequest(changeParameters: (parameters: URLSearchParams) => void): Promise<BrowserResponse>;
}

export async function startSignedInOAuthService(): Promise<SignedInOAuthService> {
  const service = await startOAuthService();
  const browser = await openSignedInBrowser(service);
  const config = await discover(service.issuer, service.confidentialClient);
  return {
    ...service,
    browser,
    config,
    async tryRequest(changeParameters) {
      const { url } = await requestAuthorization(config, service.confidentialClient);
      changeParameters(url.searchParams);
      return followRedirects(browser, await browser.get(url.href));
    },
  };
}

/** Follows redirects until there is none, or one leads to another server. Throws after ten. */
export async function followRedirects(
  browser: BrowserSession,
  firstResponse: BrowserResponse,
): Promise<BrowserResponse> {
  let response = firstResponse;
  for (let step = 0; step < 10; step++) {
    if (response.location === null || new URL(response.location).origin !== browser.baseUrl) return response;
    response = await browser.get(response.location);
  }
  throw new Error(`Too many redirects, the last one to ${response.location}.`);
}

/** Returns the token field and the two paths of the form on a page; '' for each that is missing. */
export function formOf(page: BrowserResponse): { token: string; action: string; cancel: string } {
  const captureOf = (pattern: RegExp) => pattern.exec(page.text)?.[1] ?? '';
  return {
    token: captureOf(/name="token" value="([^"]+)"/),
    action: captureOf(/form method="post" action="([^"]+)"/),
    cancel: captureOf(/formaction="([^"]+)"/),
  };
}

/** Submits a page's form as its Allow button does, and follows the redirects. */
export async function allow(browser: BrowserSession, page: BrowserResponse): Promise<BrowserResponse> {
  const { action, token } = formOf(page);
  return followRedirects(browser, await browser.postForm(action, { token }));
}

/** An authorization request, with the values that a client keeps until the response. */
export interface AuthorizationRequest {
  url: URL;
  verifier: string;
  state: string;
  nonce: string;
}

export async function requestAuthorization(
  config: client.Configuration,
  oauthClient: TestClient,
  parameters: Record<string, string> = {},
): Promise<AuthorizationRequest> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: oauthClient.redirectUri,
    scope: 'openid profile email user:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  });
  return { url, verifier, state, nonce };
}

/** Runs the whole code flow: sends the request, allows it if asked, and redeems the code. */
export async function getTokens(
  service: OAuthService,
  oauthClient: TestClient,
  browser: BrowserSession,
  parameters: Record<string, string> = {},
) {
  const config = await discover(service.issuer, oauthClient);
  const { callback, request } = await getCallback(config, oauthClient, browser, parameters);
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
    ...(request.url.searchParams.get('scope')?.includes('openid') ? { expectedNonce: request.nonce } : {}),
  });
  return { config, tokens, request };
}

/** Runs the code flow up to the redirect with the code. */
export async function getCallback(
  config: client.Configuration,
  oauthClient: TestClient,
  browser: BrowserSession,
  parameters: Record<string, string> = {},
): Promise<{ callback: URL; request: AuthorizationRequest }> {
  const request = await requestAuthorization(config, oauthClient, parameters);
  let response = await followRedirects(browser, await browser.get(request.url.href));
  if (response.status === 200) response = await allow(browser, response);
  if (response.location === null)
    throw new Error(`No redirect to the client: ${response.status} ${response.text}`);
  return { callback: new URL(response.location), request };
}

/** Requests GET /api/user with a bearer token. */
export function getUser(service: { url: string }, token: string): Promise<Response> {
  return fetch(`${service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } });
}
