import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createLog } from '../../../src/server/core/log';
import { loadOidcProvider } from '../../../src/server/oauth/load-provider';
import { createBrowserSession } from '../browser/browser-session';
import { findFreePort } from '../service/free-port';

/** The identity that the provider vouches for. */
interface Identity {
  sub: string;
  email?: string;
  email_verified?: unknown;
}

/** A third-party OpenID Connect provider that signs everyone in as the user whom a test chooses. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The user whom the provider signs in from now on. */
  user: Identity;
  /** The bodies of requests to the token endpoint. */
  tokenRequestBodies: string[];
  /** Opens an authorization URL in a new browser. Returns the URL to which the provider redirects the browser back. */
  visit(url: URL): Promise<URL>;
  close(): Promise<void>;
}

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const { Provider } = await loadOidcProvider(createLog('silent'));
  const issuer = `http://127.0.0.1:${await findFreePort()}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const clientId = 'brickdesk';
  const clientSecret = randomUUID();
  const state: Pick<IdentityProvider, 'user' | 'tokenRequestBodies'> = {
    user: { sub: 'nobody' },
    tokenRequestBodies: [],
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] as never },
    cookies: { keys: ['of the provider'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // Skips the consent for Brickdesk.
    async loadExistingGrant(context) {
      const { client, session, requestParamOIDCScopes } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client!.clientId,
        accountId: session!.accountId,
      });
      grant.addOIDCScope([...requestParamOIDCScopes].join(' '));
      await grant.save();
      return grant;
    },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...state.user }) as never }),
  });
  const serveProvider = provider.callback();
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/interaction/')) {
      void provider.interactionFinished(req, res, { login: { accountId: state.user.sub } });
      return;
    }
    if (req.url === '/token') {
      let body = '';
      req.on('data', (chunk: Buffer) => {
        body += chunk;
      });
      req.on('end', () => state.tokenRequestBodies.push(body));
    }
    void serveProvider(req, res);
  });
  server.listen(Number(new URL(issuer).port), '127.0.0.1');
  await once(server, 'listening');

  return Object.assign(state, {
    issuer,
    clientId,
    clientSecret,
    async visit(url: URL) {
      const browser = createBrowserSession(issuer);
      let response = await browser.get(url.href);
      for (let step = 0; step < 6; step++) {
        if (response.location === null) throw new Error(`No redirect: ${response.status} ${response.text}`);
        if (new URL(response.location).origin !== issuer) return new URL(response.location);
        response = await browser.get(response.location);
      }
      throw new Error('The provider did not redirect back.');
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
