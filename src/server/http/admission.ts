import { ServiceError } from '../core/errors';
import { because } from '../core/reason';
import type { KeyPrincipal, PersonPrincipal } from '../identity/principals';
import { findSession } from '../identity/sessions/session-service';
import { authenticateBearer } from '../identity/tokens/bearer-service';
import type { Services } from '../trpc/context';
import type { Exchange } from './exchange';
import { sessionIdOf, sessionTokenOf } from './session-token';

/**
 * Counts the request of a key, once, and notes the use. What comes from outside the key's ranges is not counted: whoever stole
 * the key could use up its minute.
 *
 * @throws ServiceError `rate_limited`
 */
export async function countKeyUse(services: Services, exchange: Exchange, key: KeyPrincipal): Promise<void> {
  const limits = await services.rateLimit(key.id);
  for (const [name, value] of Object.entries(limits)) exchange.res.setHeader(name, value);
  services.keyUse.touch(key.id);
}

/**
 * Whether a page of ours is looked at by another name than APP_URL's. Behind https a page without it is not ours: whoever is on
 * the way could have written it.
 */
function isReachedAt(origin: string, host: string | undefined, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host && (from.protocol === 'https:' || !appUrl.startsWith('https:'));
}

/** A page of another site can make a browser send our cookie; it cannot make it say that it is one of ours. */
export function requireSameOrigin({ req }: Exchange, appUrl: string): void {
  const { origin, host } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const ours =
    origin === undefined
      ? site === undefined || site === 'same-origin'
      : origin === new URL(appUrl).origin || isReachedAt(origin, host, appUrl);
  if (!ours) throw new ServiceError('forbidden', because('answer.otherSite'));
}

/** The person who is signed in at the browser that sent the request, or null. Notes that the person was seen. */
export async function findPerson(services: Services, { req }: Exchange): Promise<PersonPrincipal | null> {
  const token = sessionTokenOf(req.headers.cookie, services.signIn.https);
  const sessionId = token === null ? null : await sessionIdOf(token, services.signIn.secret);
  const person = sessionId === null ? null : await findSession(services.db, sessionId);
  if (person) services.sessionUse.touch(person.sessionId);
  return person;
}

/** Of two headers Node keeps the first; who sent the other, and which was meant, nobody can tell, so together they are one bad one. */
function authorizationOf({ req }: Exchange): string {
  return req.headersDistinct?.authorization?.join(', ') ?? req.headers.authorization ?? '';
}

const CHALLENGE = 'Bearer realm="Brickdesk", scope="user:read"';

/**
 * Finds the person whom the bearer token stands for. Refuses by RFC 6750: without a token no error is named, a token that is
 * unknown or over is `invalid_token`, one without the scope or without a person `insufficient_scope`.
 *
 * @throws ServiceError `unauthorized` or `forbidden`
 */
export async function admitBearer(services: Services, exchange: Exchange): Promise<void> {
  const [, token] = /^Bearer +(\S.*)$/i.exec(authorizationOf(exchange)) ?? [];
  if (token === undefined) {
    throw new ServiceError('unauthorized', because('request.noBearer'), {
      headers: { 'WWW-Authenticate': CHALLENGE },
    });
  }
  const found = await authenticateBearer(services, token.trim());
  if ('person' in found) {
    exchange.bearer = found.person;
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
