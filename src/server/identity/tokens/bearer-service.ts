import { createReason, type Reason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import type { LastUseRecorder } from '../../gateway/last-use-service';
import type { BearerPrincipal } from '../principals';
import { findSessionUser } from '../sessions/session-service';
import { findPersonalToken, isWellFormedPersonalToken } from './personal-token-service';

/** Looks up an access token of the authorization server. Returns null if it is unknown, expired or revoked. */
export type FindAccessToken = (
  token: string,
) => Promise<{ userId: number | null; scopes: readonly string[] } | null>;

/** The services that authenticating a bearer token needs. */
export interface BearerServices {
  db: Database;
  personalTokenUse: LastUseRecorder<number>;
  sessionUse: LastUseRecorder<string>;
  /** Returns the id of the session in a next-auth token, or null if the token is not valid. */
  sessionIdOf: (token: string) => Promise<string | null>;
  findAccessToken: FindAccessToken;
}

type BearerResult =
  | { user: BearerPrincipal }
  | { failure: 'invalid_token' | 'insufficient_scope'; reason: Reason };

const SCOPE = 'user:read';
const INVALID_TOKEN: BearerResult = {
  failure: 'invalid_token',
  reason: createReason('request.badBearer'),
};

/** Returns whether a token has the form of next-auth's: five parts, with an empty encrypted key as the second (RFC 7516). */
const isSessionToken = (token: string) => /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

/** Whom a token acts for, and what it allows. */
interface Holder {
  /** Null for a token that a client was issued for itself. */
  userId: number | null;
  scopes: readonly string[];
}

/**
 * Returns the holder of a personal token, a next-auth session token or an OAuth 2.0 access token, which differ in form; null if the
 * token is not valid. Records the use of a personal token or session.
 */
async function findHolder(services: BearerServices, token: string): Promise<Holder | null> {
  const { db } = services;
  if (isWellFormedPersonalToken(token)) {
    const personalToken = await findPersonalToken(db, token);
    if (personalToken) services.personalTokenUse.touch(personalToken.id);
    return personalToken;
  }
  if (!isSessionToken(token)) return services.findAccessToken(token);
  const sessionId = await services.sessionIdOf(token);
  const user = sessionId === null ? null : await findSessionUser(db, sessionId);
  if (!user) return null;
  services.sessionUse.touch(user.sessionId);
  // The token allows no more than the session does: a user who must set up a second factor has to do so first.
  return { userId: user.userId, scopes: user.mustSetUpTwoFactor ? [] : [SCOPE] };
}

/** Finds the user of a bearer token (docs/api-conventions.md). Nothing is cached. */
export async function authenticateBearer(services: BearerServices, token: string): Promise<BearerResult> {
  const holder = await findHolder(services, token);
  if (!holder) return INVALID_TOKEN;
  if (holder.userId === null) {
    return {
      failure: 'insufficient_scope',
      reason: createReason('request.clientToken'),
    };
  }
  if (!holder.scopes.includes(SCOPE)) {
    return { failure: 'insufficient_scope', reason: createReason('request.tokenScope', { scope: SCOPE }) };
  }
  const user = await services.db.prisma.user.findUnique({ where: { id: holder.userId } });
  if (!user || user.deactivatedAt !== null) return INVALID_TOKEN;
  const { id, name, email, role, locale, createdAt, updatedAt } = user;
  return { user: { id, name, email, role, locale, createdAt, updatedAt } };
}
