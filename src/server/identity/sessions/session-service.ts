import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../../generated/prisma/client';
import { type Actor, writeAuditEntry } from '../../audit/service';
import { notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { NEW_YORK } from '../../core/time';
import type { Database } from '../../db/client';
import { findTimeZone } from '../../db/time-zones';
import type { UserPrincipal } from '../principals';
import { changeUserRow } from '../users/user-rows';
import { lockUser, type User } from '../users/view-service';
import * as sql from './sessions.queries';

export type SignInMethod = 'password' | 'oidc';

/** Where a user signs in from. */
export interface SignInOrigin {
  address: string | null;
  userAgent: string | null;
  /** The browser's time zone, which is saved for a user who has none yet. */
  timeZone?: string | undefined;
}

/** Hours without a request after which a session ends. */
const IDLE_HOURS = 12;
/** Minutes after a sign-in or confirmation during which actions that grant access need no confirmation. */
const CONFIRMATION_LIFETIME_MINUTES = 10;
/** Days after which a session ends even if it is in use. Its token is valid for the same time. */
export const SESSION_DAYS = 30;

/** The limits of a session's lifetime. */
const LIFETIME = { idleHours: IDLE_HOURS, days: SESSION_DAYS };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds the user of a session. Nothing is cached: once a session has ended or its user is deactivated, every process refuses it
 * from the next request on.
 *
 * @returns null if the session is unknown or over
 */
export async function findSessionUser(db: Database, sessionId: string): Promise<UserPrincipal | null> {
  if (!UUID.test(sessionId)) return null;
  const [row] = await sql.findSession.runPrepared(db.lookups, {
    sessionId,
    confirmedMinutes: CONFIRMATION_LIFETIME_MINUTES,
    ...LIFETIME,
  });
  if (!row) return null;
  const { id: userId, email, name, role, must_set_up: mustSetUpTwoFactor, confirmed } = row;
  const locale = row.locale_chosen ? row.locale : null;
  const timeZone = row.time_zone ?? NEW_YORK;
  return { userId, email, name, role, locale, timeZone, sessionId, mustSetUpTwoFactor, confirmed };
}

/** A user whose credentials have been verified. */
export interface SignedInUser {
  id: number;
  email: string;
  /** When the verified password was set, as stored with the user. Omitted if no password was verified. */
  passwordChangedAt?: Date | null;
}

/**
 * Begins a session with a new id, and ends the browser's previous session, if any.
 *
 * @returns the new session's id
 * @throws ServiceError `unauthorized` if the user was deactivated or the password changed since the credentials were verified
 */
export async function beginSession(
  db: Database,
  input: {
    user: SignedInUser;
    method: SignInMethod;
    origin: SignInOrigin;
    previousSessionId: string | null;
  },
): Promise<string> {
  const id = randomUUID();
  const { user, method, origin, previousSessionId } = input;
  const actor: Actor = {
    kind: 'user',
    id: user.id,
    name: user.email,
    address: origin.address ?? undefined,
  };
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    // A change to the user in the meantime has ended the existing sessions, but could not end this one.
    const { deactivatedAt, passwordChangedAt, timeZone } = await lockUser(tx, user.id);
    const verifiedPasswordChangedAt = user.passwordChangedAt;
    if (
      deactivatedAt ||
      (verifiedPasswordChangedAt !== undefined &&
        verifiedPasswordChangedAt?.getTime() !== passwordChangedAt?.getTime())
    )
      throw new ServiceError('unauthorized', createReason('answer.accountChanged'));
    await tx.userSession.create({
      data: {
        id,
        userId: user.id,
        method,
        address: origin.address,
        userAgent: origin.userAgent?.slice(0, 400) ?? null,
      },
    });
    const browserZone = origin.timeZone;
    const newZone =
      timeZone === null && browserZone !== undefined ? await findTimeZone(tx, browserZone) : null;
    await changeUserRow(tx, user.id, {
      lastSignInAt: now,
      ...(newZone === null ? {} : { timeZone: newZone }),
    });
    // Comes after locking the user, because every transaction that locks a user and a session locks the user first.
    if (previousSessionId)
      await tx.userSession.updateMany({
        where: { id: previousSessionId, endedAt: null },
        data: { endedAt: now },
      });
    await writeAuditEntry(tx, actor, {
      action: 'user.sign_in',
      recordType: 'user',
      recordId: user.id,
      after: { method, user_agent: origin.userAgent?.slice(0, 400) ?? null },
    });
  });
  return id;
}

/** A user and the session in which they act. */
export type CurrentSession = Pick<UserPrincipal, 'userId' | 'sessionId'>;

/**
 * Makes sure that a user's session has not ended since their request was authorized. Lock the user first: what ends a user's
 * access locks them too, so this sees that it has happened, or it waits for the transaction and revokes what that grants.
 *
 * @throws ServiceError `unauthorized`
 */
export async function requireLiveSession(
  tx: Prisma.TransactionClient,
  { userId, sessionId }: CurrentSession,
): Promise<void> {
  const session = await tx.userSession.findFirst({
    where: { id: sessionId, userId, endedAt: null },
    select: { id: true },
  });
  if (!session) throw new ServiceError('unauthorized', createReason('service.signedOut'));
}

/**
 * Locks the user of a session until the transaction ends. Call this first in every transaction that grants access or changes how a
 * user signs in. For what administrators do, actor-service.ts has functions that also lock the user whom they manage.
 *
 * @throws ServiceError `unauthorized` if the session has ended
 */
export async function lockSignedInUser(tx: Prisma.TransactionClient, session: CurrentSession): Promise<User> {
  const user = await lockUser(tx, session.userId);
  await requireLiveSession(tx, session);
  return user;
}

/** Ends a session. Does nothing if it is already over. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  if (!UUID.test(sessionId)) return;
  await db.prisma.userSession.updateMany({
    where: { id: sessionId, endedAt: null },
    data: { endedAt: new Date() },
  });
}

/** The Prisma client or a transaction. */
type Writer = Pick<Database['prisma'], 'userSession'>;

/** Ends all sessions of a user except the given one, if any. Returns how many ended. */
export async function endSessions(db: Writer, userId: number, exceptSessionId?: string): Promise<number> {
  const { count } = await db.userSession.updateMany({
    where: {
      userId,
      endedAt: null,
      ...(exceptSessionId === undefined ? {} : { id: { not: exceptSessionId } }),
    },
    data: { endedAt: new Date() },
  });
  return count;
}

/** Returns the active sessions of a user, most recently used first, and at most 200 of them. */
export function listSessions(db: Database, userId: number): Promise<sql.ListSessionsRow[]> {
  return sql.listSessions.run(db.pool, { userId, ...LIFETIME });
}

/**
 * Ends one of the user's own sessions.
 *
 * @throws ServiceError `not_found` if it is not theirs or has ended
 */
export async function endOwnSession(
  db: Database,
  actor: Actor,
  userId: number,
  sessionId: string,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.userSession.updateMany({
      where: { id: sessionId, userId, endedAt: null },
      data: { endedAt: new Date() },
    });
    if (count === 0) throw notFound(createReason('answer.noSession'));
    await writeAuditEntry(tx, actor, { action: 'session.end', recordType: 'user', recordId: userId });
  });
}

/** Ends all sessions of a user except the current one. Returns how many ended. */
export async function endOtherSessions(
  db: Database,
  actor: Actor,
  userId: number,
  currentSessionId: string,
): Promise<number> {
  return db.prisma.$transaction(async (tx) => {
    const endedCount = await endSessions(tx, userId, currentSessionId);
    await writeAuditEntry(tx, actor, {
      action: 'session.end_others',
      recordType: 'user',
      recordId: userId,
      after: { ended: endedCount },
    });
    return endedCount;
  });
}

/** Deletes sessions that were last used longer ago than any session lasts. */
export async function deleteOldSessions(db: Database): Promise<void> {
  await sql.deleteOldSessions.run(db.pool, { days: SESSION_DAYS + 1 });
}
