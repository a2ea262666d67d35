import { ServiceError, withoutStack } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { isInRanges } from '../../core/http/address-range';
import { PAGE_USER_HEADER } from '../../core/http/page-user-header';
import { isHttps } from '../../core/http/web-address';
import { authenticateKey } from '../../identity/keys/service';
import type { KeyPrincipal, UserPrincipal } from '../../identity/principals';
import type { Permission } from '../../identity/roles';
import { findSessionUser } from '../../identity/sessions/session-service';
import { authenticateBearer } from '../../identity/tokens/bearer-service';
import type { Services } from '../../trpc/context';
import { refusalOfUser } from '../../trpc/procedures';
import type { Exchange } from '../exchange';
import { sessionIdOf, sessionTokenOf } from '../sign-in/session-token';

/**
 * Finds the request's key, stores it in the exchange and returns it; null unless X-Api-Key holds a valid key.
 *
 * @throws ServiceError `forbidden` if the request comes from outside the key's ranges; `service_unavailable` if the key cannot be
 * checked at the moment
 */
export async function findKey(services: Services, exchange: Exchange): Promise<KeyPrincipal | null> {
  const sentKey = exchange.req.headers['x-api-key'];
  const key = typeof sentKey === 'string' ? await authenticateKey(services.db, sentKey, services.now) : null;
  if (!key) return null;
  exchange.key = key;
  requireAddressInRanges(key, exchange.address);
  return key;
}

/**
 * Finds the request's key, stores it in the exchange and returns it.
 *
 * @throws ServiceError `unauthorized` unless X-Api-Key holds a valid key; otherwise as `findKey` does
 */
export async function requireKey(services: Services, exchange: Exchange): Promise<KeyPrincipal> {
  const key = await findKey(services, exchange);
  if (key) return key;
  const sentKey = exchange.req.headers['x-api-key'];
  const reason = sentKey === undefined ? createReason('request.noKey') : createReason('request.badKey');
  const headers = { 'WWW-Authenticate': 'ApiKey realm="Brickdesk", header="X-Api-Key"' };
  throw withoutStack(() => new ServiceError('unauthorized', reason, { headers }));
}

function requireAddressInRanges({ addressRanges }: KeyPrincipal, address: string): void {
  if (addressRanges.length === 0 || isInRanges(address, addressRanges)) return;
  const reason =
    address === '' ? createReason('request.noAddress') : createReason('request.keyAddress', { address });
  throw new ServiceError('forbidden', reason);
}

/**
 * Counts a request against its key's rate limit, once, and records the use of the key. Call it after requireKey: requests from
 * outside the key's address ranges must not count, or a thief could use up the limit.
 *
 * @throws ServiceError `rate_limited`
 */
export async function countKeyUse(services: Services, exchange: Exchange, key: KeyPrincipal): Promise<void> {
  if (exchange.isKeyUseCounted) return;
  exchange.isKeyUseCounted = true;
  const limitHeaders = await services.countRequest(key.id);
  for (const [name, value] of Object.entries(limitHeaders)) exchange.res.setHeader(name, value);
  services.keyUse.touch(key.id);
}

/**
 * Returns whether `origin` has the host to which the request was sent: the service may have host names other than APP_URL's. If
 * APP_URL is https, an http origin is not trusted: anyone on the network could have altered the page.
 */
function isSameHost(origin: string, host: string | undefined, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const originUrl = new URL(origin);
  return originUrl.host === host && (originUrl.protocol === 'https:' || !isHttps(appUrl));
}

/**
 * Refuses requests from other sites' pages. Such a page can make a browser send our cookie, but cannot fake its own origin.
 *
 * @throws ServiceError `forbidden`
 */
export function requireSameOrigin({ req }: Exchange, appUrl: string): void {
  const { origin, host } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const isSameOrigin =
    origin === undefined
      ? site === undefined || site === 'same-origin'
      : origin === new URL(appUrl).origin || isSameHost(origin, host, appUrl);
  if (!isSameOrigin) throw new ServiceError('forbidden', createReason('answer.otherSite'));
}

/** Returns the signed-in user of the browser that sent the request, or null. Records the use of the session. */
export async function findUser(services: Services, { req }: Exchange): Promise<UserPrincipal | null> {
  const token = sessionTokenOf(req.headers.cookie, services.signIn.https);
  const sessionId = token === null ? null : await sessionIdOf(token, services.signIn.secret);
  const user = sessionId === null ? null : await findSessionUser(services.db, sessionId);
  if (user) services.sessionUse.touch(user.sessionId);
  return user;
}

/**
 * Finds the signed-in user and stores them in the exchange. Refuses calls of a page that was rendered for another user, who has
 * since signed out in another tab: what that user does there would be done in the name of the one who is signed in now.
 *
 * @throws ServiceError `unauthorized` if nobody is signed in; `conflict` if the page was rendered for another user
 */
export async function requireSignedIn(services: Services, exchange: Exchange): Promise<void> {
  exchange.user = await findUser(services, exchange);
  if (!exchange.user) throw new ServiceError('unauthorized', createReason('service.signedOut'));
  const { userId, email } = exchange.user;
  const pageUserId = exchange.req.headers[PAGE_USER_HEADER];
  if (pageUserId !== undefined && pageUserId !== String(userId))
    throw new ServiceError('conflict', createReason('service.otherUser', { email }));
}

/**
 * Finds the signed-in user and stores them in the exchange.
 *
 * @throws ServiceError as {@link requireSignedIn} does; `forbidden` if another site's page sent the request, or if the user lacks the
 * permission or must set up a second factor first
 */
export async function requireUser(
  services: Services,
  exchange: Exchange,
  permission: Permission,
  appUrl: string,
): Promise<void> {
  await requireSignedIn(services, exchange);
  requireSameOrigin(exchange, appUrl);
  const refusal = refusalOfUser(exchange.user, { permission });
  if (refusal) throw refusal;
}

/** Returns the Authorization header. Node would keep the first of several; we join them, so that none is accepted. */
function authorizationOf({ req }: Exchange): string {
  return req.headersDistinct?.authorization?.join(', ') ?? req.headers.authorization ?? '';
}

const CHALLENGE = 'Bearer realm="Brickdesk", scope="user:read"';

/**
 * Finds the user of the bearer token and stores them in the exchange. The challenge follows RFC 6750: no error for a missing token,
 * `invalid_token` for one that is unknown, expired or revoked or belongs to a deactivated user, `insufficient_scope` for one
 * without the scope or without a user.
 *
 * @throws ServiceError `unauthorized` or `forbidden`
 */
export async function requireBearer(services: Services, exchange: Exchange): Promise<void> {
  const [, token] = /^Bearer +(\S.*)$/i.exec(authorizationOf(exchange)) ?? [];
  if (token === undefined) {
    throw new ServiceError('unauthorized', createReason('request.noBearer'), {
      headers: { 'WWW-Authenticate': CHALLENGE },
    });
  }
  const authentication = await authenticateBearer(services, token.trim());
  if ('user' in authentication) {
    exchange.bearer = authentication.user;
    return;
  }
  const [code, error] =
    authentication.failure === 'invalid_token'
      ? (['unauthorized', 'invalid_token'] as const)
      : (['forbidden', 'insufficient_scope'] as const);
  throw new ServiceError(code, authentication.reason, {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="${error}"` },
  });
}
