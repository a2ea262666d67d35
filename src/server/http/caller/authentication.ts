import { isInRanges } from '../../core/address-range';
import { ServiceError, withoutStack } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import { authenticateKey } from '../../identity/keys/service';
import type { KeyPrincipal, UserPrincipal } from '../../identity/principals';
import { findSession } from '../../identity/sessions/session-service';
import { authenticateBearer } from '../../identity/tokens/bearer-service';
import type { Services } from '../../trpc/context';
import type { Exchange } from '../exchange';
import { sessionIdOf, sessionTokenOf } from '../sign-in/session-token';

/**
 * Finds the request's key and stores it in the exchange.
 *
 * @throws ServiceError `unauthorized` unless X-Api-Key holds a valid key; `forbidden` if the request comes from outside the
 * key's ranges; `service_unavailable` if the key cannot be checked now
 */
export async function requireKey(services: Services, exchange: Exchange): Promise<KeyPrincipal> {
  const given = exchange.req.headers['x-api-key'];
  const key = typeof given === 'string' ? await authenticateKey(services.db, given, services.now) : null;
  if (key) {
    exchange.key = key;
    requireAddress(key, exchange.address);
    return key;
  }
  const message = given === undefined ? because('request.noKey') : because('request.badKey');
  const headers = { 'WWW-Authenticate': 'ApiKey realm="Brickdesk", header="X-Api-Key"' };
  throw withoutStack(() => new ServiceError('unauthorized', message, { headers }));
}

function requireAddress({ addressRanges }: KeyPrincipal, address: string): void {
  if (addressRanges.length === 0 || isInRanges(address, addressRanges)) return;
  const from = address || 'a client whose address is unknown';
  throw new ServiceError('forbidden', because('request.keyAddress', { address: from }));
}

/**
 * Counts a key's request once and records the use. Requests from outside the key's address ranges are not counted: a thief
 * could use up the key's limit.
 *
 * @throws ServiceError `rate_limited`
 */
export async function countKeyUse(services: Services, exchange: Exchange, key: KeyPrincipal): Promise<void> {
  const limits = await services.rateLimit(key.id);
  for (const [name, value] of Object.entries(limits)) exchange.res.setHeader(name, value);
  services.keyUse.touch(key.id);
}

/**
 * Returns whether one of our pages is reached under another host name than APP_URL's. With an https APP_URL, an http page is
 * not ours: anyone on the network could have written it.
 */
function isReachedAt(origin: string, host: string | undefined, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host && (from.protocol === 'https:' || !appUrl.startsWith('https:'));
}

/** Another site's page can make a browser send our cookie, but cannot fake its own origin. */
export function requireSameOrigin({ req }: Exchange, appUrl: string): void {
  const { origin, host } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const isOurPage =
    origin === undefined
      ? site === undefined || site === 'same-origin'
      : origin === new URL(appUrl).origin || isReachedAt(origin, host, appUrl);
  if (!isOurPage) throw new ServiceError('forbidden', because('answer.otherSite'));
}

/** Returns the signed-in user of the browser that sent the request, or null. Records that the user was seen. */
export async function findUser(services: Services, { req }: Exchange): Promise<UserPrincipal | null> {
  const token = sessionTokenOf(req.headers.cookie, services.signIn.https);
  const sessionId = token === null ? null : await sessionIdOf(token, services.signIn.secret);
  const user = sessionId === null ? null : await findSession(services.db, sessionId);
  if (user) services.sessionUse.touch(user.sessionId);
  return user;
}

/** Of two headers, Node keeps the first. There is no way to know which was meant, so two count as an invalid one. */
function authorizationOf({ req }: Exchange): string {
  return req.headersDistinct?.authorization?.join(', ') ?? req.headers.authorization ?? '';
}

const CHALLENGE = 'Bearer realm="Brickdesk", scope="user:read"';

/**
 * Finds the user of the bearer token. Refuses by RFC 6750: without a token no error is named, an unknown or expired token is
 * `invalid_token`, a missing scope or user `insufficient_scope`.
 *
 * @throws ServiceError `unauthorized` or `forbidden`
 */
export async function requireBearer(services: Services, exchange: Exchange): Promise<void> {
  const [, token] = /^Bearer +(\S.*)$/i.exec(authorizationOf(exchange)) ?? [];
  if (token === undefined) {
    throw new ServiceError('unauthorized', because('request.noBearer'), {
      headers: { 'WWW-Authenticate': CHALLENGE },
    });
  }
  const found = await authenticateBearer(services, token.trim());
  if ('user' in found) {
    exchange.bearer = found.user;
    return;
  }
  const [code, error] =
    found.refused === 'invalid_token'
      ? (['unauthorized', 'invalid_token'] as const)
      : (['forbidden', 'insufficient_scope'] as const);
  throw new ServiceError(code, found.reason, {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="${error}"` },
  });
}
