import { timingSafeEqual } from 'node:crypto';
import type * as OidcProvider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { FIXED_PATHS } from '../core/http/fixed-paths';
import { findOAuthAccount } from '../identity/oauth/account-service';
import type { SigningKey } from '../identity/oauth/signing-key-service';
import type { UserPrincipal } from '../identity/principals';
import { hashSecret } from '../identity/secret-token';
import type { Services } from '../trpc/context';
import { createAdapter, SCOPES } from './adapter';

/** The paths of the authorization server. The discovery documents are under /.well-known instead. */
export const ROUTES = {
  authorization: `${FIXED_PATHS.oauth}/authorize`,
  token: `${FIXED_PATHS.oauth}/token`,
  userinfo: `${FIXED_PATHS.oauth}/userinfo`,
  jwks: `${FIXED_PATHS.oauth}/jwks`,
  revocation: `${FIXED_PATHS.oauth}/revoke`,
  introspection: `${FIXED_PATHS.oauth}/introspect`,
} as const;

/** The prefix of the paths at which users are asked to sign in or consent. The uid of the interaction follows. */
export const INTERACTION_PREFIX = `${FIXED_PATHS.oauth}/interaction/`;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Lifetimes in seconds. */
const TTL = {
  AuthorizationCode: MINUTE_SECONDS,
  AccessToken: HOUR_SECONDS,
  ClientCredentials: HOUR_SECONDS,
  IdToken: HOUR_SECONDS,
  RefreshToken: 30 * DAY_SECONDS,
  // After a year, a client needs its user's consent again.
  Grant: 365 * DAY_SECONDS,
  Interaction: HOUR_SECONDS,
  Session: 30 * DAY_SECONDS,
};

interface ProviderOptions {
  services: Services;
  issuer: string;
  keys: SigningKey[];
  /** Returns the signed-in user of a request. */
  userOf(context: KoaContextWithOIDC): Promise<UserPrincipal | null>;
  renderError: NonNullable<Configuration['renderError']>;
}

/** Allows calls from the origins of a public client's own redirect URIs. */
const clientBasedCORS: Configuration['clientBasedCORS'] = (_context, origin, client) =>
  client.clientAuthMethod === 'none' &&
  (client.redirectUris ?? []).some((uri) => /^https?:/.test(uri) && new URL(uri).origin === origin);

function createInteractionPolicy(
  { interactionPolicy: { base, Check } }: typeof OidcProvider,
  options: ProviderOptions,
) {
  const policy = base();
  // oidc-provider's session outlives a sign-out from the back office, so it is used only while the same user is signed in.
  policy.get('login')!.checks.add(
    new Check('user_changed', 'End-User authentication is required', 'login_required', async (context) => {
      const sessionAccountId = context.oidc.session?.accountId;
      if (sessionAccountId === undefined) return Check.NO_NEED_TO_PROMPT;
      const user = await options.userOf(context);
      const isSameUser =
        user !== null && !user.mustSetUpTwoFactor && String(user.userId) === sessionAccountId;
      return isSameUser ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );
  return policy;
}

function createConfiguration(oidc: typeof OidcProvider, options: ProviderOptions): Configuration {
  const { services, keys } = options;
  const { db, secrets } = services;
  const cookieOptions = {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    secure: services.signIn.https,
    path: FIXED_PATHS.oauth,
  } as const;
  return {
    adapter: createAdapter(db, oidc.errors.InvalidGrant),
    jwks: { keys },
    routes: ROUTES,
    scopes: [...SCOPES],
    claims: {
      openid: ['sub'],
      profile: ['name', 'locale', 'updated_at'],
      email: ['email', 'email_verified'],
    },
    // Many clients, including next-auth, look for name and e-mail only in the id token.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    ttl: TTL,
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    // A client keeps working after its user closes the browser, until its tokens expire or are revoked.
    expiresWithSession: async () => false,
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256'],
      userinfoSigningAlgValues: ['RS256'],
      introspectionSigningAlgValues: ['RS256'],
      authorizationSigningAlgValues: ['RS256'],
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        async allowedPolicy(_context, client, token) {
          if (client.clientAuthMethod === 'none' || token.clientId !== client.clientId) return false;
          const subject = 'accountId' in token ? token.accountId : undefined;
          return subject === undefined || (await findOAuthAccount(db, subject)) !== null;
        },
      },
    },
    cookies: {
      keys: [secrets.deriveKey('oauth-cookies')],
      names: {
        session: 'brickdesk.oauth.session',
        interaction: 'brickdesk.oauth.interaction',
        resume: 'brickdesk.oauth.resume',
      },
      long: cookieOptions,
      // oidc-provider limits these cookies to the path of their interaction.
      short: { ...cookieOptions, path: undefined },
    },
    interactions: {
      url: (_context, interaction) => INTERACTION_PREFIX + interaction.uid,
      policy: createInteractionPolicy(oidc, options),
    },
    async findAccount(_context, subject) {
      const user = await findOAuthAccount(db, subject);
      if (!user) return undefined;
      return {
        accountId: subject,
        claims: async () => ({
          sub: subject,
          name: user.name,
          locale: user.locale,
          updated_at: Math.floor(user.updatedAt.getTime() / 1000),
          email: user.email,
          // An administrator entered the address, and it was never verified by e-mail.
          email_verified: false,
        }),
      };
    },
    clientBasedCORS,
    renderError: options.renderError,
  };
}

/** Creates an oidc-provider instance configured for this deployment. */
export function createProvider(oidc: typeof OidcProvider, options: ProviderOptions): Provider {
  const provider = new oidc.Provider(options.issuer, createConfiguration(oidc, options));
  // Host and scheme come from the headers that forwardRequest() in authorization-server.ts sets.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function compare(secret: string) {
    const storedHash = Buffer.from(this.clientSecret ?? '', 'hex');
    const hash = hashSecret(secret);
    return storedHash.length === hash.length && timingSafeEqual(storedHash, hash);
  };
  return provider;
}
