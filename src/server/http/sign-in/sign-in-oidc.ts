import type { OAuthConfig } from 'next-auth/providers/oauth';

/** An OpenID Connect provider that users may sign in with. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

interface Claims {
  sub: string;
  email?: string;
  name?: string;
}

/** Returns the provider's configuration for next-auth: discovery, with state, nonce and PKCE. */
export function oidcProvider({ issuer, clientId, clientSecret }: IdentityProvider): OAuthConfig<Claims> {
  return {
    id: 'oidc',
    name: 'OpenID Connect',
    type: 'oauth',
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    authorization: { params: { scope: 'openid email profile' } },
    checks: ['pkce', 'state', 'nonce'],
    idToken: true,
    clientId,
    clientSecret,
    profile: ({ sub, email, name }) => ({ id: sub, email, name }),
  };
}
