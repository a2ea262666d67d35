import type { OutgoingHttpHeaders } from 'node:http';
import { revokeApiKey } from '../../src/server/identity/keys/change-service';
import { createApiKey } from '../../src/server/identity/keys/service';
import { apiKeys, personalTokens } from '../../src/server/identity/secret-token';
import { endSessions } from '../../src/server/identity/sessions/session-service';
import {
  createPersonalToken,
  revokePersonalToken,
} from '../../src/server/identity/tokens/personal-token-service';
import { createUser, setUserActive } from '../../src/server/identity/users/service';
import { createBrowserSession, signIn } from './browser/browser-session';
import { TEST_ACTOR, type TestService } from './service/test-service';

/** Credentials of every kind, valid and invalid. */
export interface Secrets {
  key: string;
  expiredKey: string;
  revokedKey: string;
  token: string;
  expiredToken: string;
  revokedToken: string;
  /** The token of a deactivated user. */
  deactivatedUserToken: string;
  /** A next-auth token whose session has ended. */
  endedSessionToken: string;
}

/** A way to send something that may be a credential. */
export interface CredentialKind {
  name: string;
  headers?: (secrets: Secrets) => OutgoingHttpHeaders;
  query?: (secrets: Secrets) => string;
}

const corruptSecret = (secret: string) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
const encodeBasicAuth = (user: string) => `Basic ${Buffer.from(`${user}:`).toString('base64')}`;
/** Encodes text like a client that sends its headers in UTF-8. */
const encodeUtf8Header = (text: string) => Buffer.from(text).toString('latin1');

/** Returns a function that returns the header X-Api-Key with the value that `pick` chooses. */
const makeKeyHeader = (pick: (secrets: Secrets) => string | string[]) => (secrets: Secrets) => ({
  'X-Api-Key': pick(secrets),
});
/** Returns a function that returns the Authorization header with the bearer token that `pick` chooses. */
const makeBearerHeader = (pick: (secrets: Secrets) => string) => (secrets: Secrets) => ({
  Authorization: `Bearer ${pick(secrets)}`,
});

/** How a valid key or token is sent. For `session`, which no tested operation requires, nothing is sent. */
export const VALID_CREDENTIALS: Record<'key' | 'bearer' | 'session', CredentialKind> = {
  key: { name: 'the valid key', headers: makeKeyHeader((s) => s.key) },
  bearer: { name: 'the valid token', headers: makeBearerHeader((s) => s.token) },
  session: { name: 'nothing' },
};

/** Everything that must not be accepted as an API key. Add every new kind of credential here. */
export const REFUSED_KEYS: CredentialKind[] = [
  { name: 'nothing' },
  { name: 'an empty key', headers: makeKeyHeader(() => '') },
  { name: 'a key with another prefix', headers: makeKeyHeader((s) => s.key.replace('bdk_', 'sk_')) },
  { name: 'a key whose checksum is wrong', headers: makeKeyHeader((s) => corruptSecret(s.key)) },
  { name: 'a key in lower case', headers: makeKeyHeader((s) => s.key.toLowerCase()) },
  { name: 'a truncated key', headers: makeKeyHeader((s) => s.key.slice(0, -1)) },
  { name: 'a key with 8,000 extra characters', headers: makeKeyHeader((s) => s.key + 'x'.repeat(8_000)) },
  { name: 'a key of Cyrillic letters', headers: makeKeyHeader(() => encodeUtf8Header('ключ')) },
  { name: 'a valid key with an é', headers: makeKeyHeader((s) => `${s.key}é`) },
  {
    name: 'a well-formed key that was never issued',
    headers: makeKeyHeader(() => apiKeys.generate().secret),
  },
  { name: 'an expired key', headers: makeKeyHeader((s) => s.expiredKey) },
  { name: 'a revoked key', headers: makeKeyHeader((s) => s.revokedKey) },
  { name: 'the valid key twice', headers: makeKeyHeader((s) => [s.key, s.key]) },
  { name: 'a bad key and the valid one', headers: makeKeyHeader((s) => [corruptSecret(s.key), s.key]) },
  { name: 'a personal token as a key', headers: makeKeyHeader((s) => s.token) },
  { name: 'a valid bearer token', headers: makeBearerHeader((s) => s.token) },
  { name: 'the valid key as a bearer token', headers: makeBearerHeader((s) => s.key) },
  {
    name: 'the valid key as basic authentication',
    headers: (s) => ({ Authorization: encodeBasicAuth(s.key) }),
  },
  { name: 'the valid key as a cookie', headers: (s) => ({ Cookie: `X-Api-Key=${s.key}; api_key=${s.key}` }) },
  { name: 'the valid key as a parameter', query: (s) => `X-Api-Key=${s.key}&api_key=${s.key}` },
];

/**
 * Everything that must be refused where a bearer token is required. If `sendsToken`, the response says `error="invalid_token"`.
 */
export const REFUSED_BEARER_CREDENTIALS: (CredentialKind & { sendsToken: boolean })[] = [
  { name: 'nothing', sendsToken: false },
  { name: 'an empty header', headers: () => ({ Authorization: '' }), sendsToken: false },
  { name: 'the scheme alone', headers: () => ({ Authorization: 'Bearer' }), sendsToken: false },
  { name: 'the token without a scheme', headers: (s) => ({ Authorization: s.token }), sendsToken: false },
  { name: 'the valid key', headers: makeKeyHeader((s) => s.key), sendsToken: false },
  {
    name: 'basic authentication',
    headers: (s) => ({ Authorization: encodeBasicAuth(s.token) }),
    sendsToken: false,
  },
  { name: 'the valid token as a parameter', query: (s) => `access_token=${s.token}`, sendsToken: false },
  {
    name: 'the valid token as a cookie',
    headers: (s) => ({ Cookie: `access_token=${s.token}; next-auth.session-token=${s.token}` }),
    sendsToken: false,
  },
  { name: 'the valid key as a token', headers: makeBearerHeader((s) => s.key), sendsToken: true },
  {
    name: 'a token with another prefix',
    headers: makeBearerHeader((s) => s.token.replace('bdp_', '')),
    sendsToken: true,
  },
  {
    name: 'a token whose checksum is wrong',
    headers: makeBearerHeader((s) => corruptSecret(s.token)),
    sendsToken: true,
  },
  {
    name: 'a token with 8,000 extra characters',
    headers: makeBearerHeader((s) => s.token + 'x'.repeat(8_000)),
    sendsToken: true,
  },
  {
    name: 'a token of Cyrillic letters',
    headers: makeBearerHeader(() => encodeUtf8Header('ключ')),
    sendsToken: true,
  },
  { name: 'an unsigned JWT', headers: makeBearerHeader(() => 'eyJhbGciOiJub25lIn0.e30.'), sendsToken: true },
  {
    name: 'a token that was never issued',
    headers: makeBearerHeader(() => personalTokens.generate().secret),
    sendsToken: true,
  },
  { name: 'an expired token', headers: makeBearerHeader((s) => s.expiredToken), sendsToken: true },
  { name: 'a revoked token', headers: makeBearerHeader((s) => s.revokedToken), sendsToken: true },
  {
    name: 'the token of a deactivated user',
    headers: makeBearerHeader((s) => s.deactivatedUserToken),
    sendsToken: true,
  },
  {
    name: 'the token of a session that has ended',
    headers: makeBearerHeader((s) => s.endedSessionToken),
    sendsToken: true,
  },
  {
    name: 'a bad token and the valid one',
    headers: (s) => ({ Authorization: [`Bearer ${corruptSecret(s.token)}`, `Bearer ${s.token}`] as never }),
    sendsToken: true,
  },
];

/** Creates the credentials in a service, with two users for the tokens. */
export async function makeSecrets({ app, database, key, url }: TestService): Promise<Secrets> {
  const { db } = app.services;
  const password = 'a good long password';
  const createOwner = (email: string) => createUser(db, TEST_ACTOR, { email, role: 'owner', password });
  const [holder, leaver] = [await createOwner('holder@example.com'), await createOwner('leaver@example.com')];
  const createKey = (name: string) => createApiKey(db, TEST_ACTOR, { name, expiresAt: null });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const createToken = (userId: number) =>
    createPersonalToken(db, TEST_ACTOR, { userId, name: 'token', expiresAt });
  // No credential can be created expired, so these expire after their creation.
  const expire = (table: 'api_keys' | 'personal_tokens', id: number) =>
    database.query(`UPDATE ${table} SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);

  const [expiredKey, revokedKey] = [await createKey('expired'), await createKey('revoked')];
  await expire('api_keys', expiredKey.id);
  await revokeApiKey(db, TEST_ACTOR, revokedKey.id);
  const [token, expiredToken] = [await createToken(holder.id), await createToken(holder.id)];
  await expire('personal_tokens', expiredToken.id);
  const [revokedToken, deactivatedUserToken] = [await createToken(holder.id), await createToken(leaver.id)];
  await revokePersonalToken(db, TEST_ACTOR, { userId: holder.id, id: revokedToken.id });
  await setUserActive(db, TEST_ACTOR, { id: leaver.id }, false);

  const browser = createBrowserSession(url);
  await signIn(browser, { email: 'holder@example.com', password });
  const endedSessionToken = browser.cookies.get('next-auth.session-token')!;
  await endSessions(db.prisma, holder.id);
  return {
    key,
    expiredKey: expiredKey.key,
    revokedKey: revokedKey.key,
    token: token.token,
    expiredToken: expiredToken.token,
    revokedToken: revokedToken.token,
    deactivatedUserToken: deactivatedUserToken.token,
    endedSessionToken,
  };
}
