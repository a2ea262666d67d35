import { randomUUID } from 'node:crypto';
import { type Actor, writeAudit } from '../../audit/audit';
import { notFound, ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import { NEW_YORK } from '../../core/time';
import type { Database } from '../../db/client';
import { isTimeZone } from '../../db/time-zones';
import type { UserPrincipal } from '../principals';
import { changeUserRow } from '../users/user-rows';
import { lockUser } from '../users/view-service';
import * as sql from './sessions.queries';

export type SignInMethod = 'password' | 'oidc';

/** Where a user signs in from. */
export interface SignInOrigin {
  address: string | null;
  userAgent: string | null;
  /** The browser's time zone; the user's if they have none yet. */
  timeZone?: string | undefined;
}

/** Hours without a request after which a session ends. */
const IDLE_HOURS = 12;
/** Minutes after entering the password (and code) during which nothing that grants power asks for it again. */
const CONFIRMED_MINUTES = 10;
/** Days after which a session ends even if it is in use; its token lives as long. */
export const SESSION_DAYS = 30;

/** While a session is alive. */
const ALIVE = { idleHours: IDLE_HOURS, days: SESSION_DAYS };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds the user of a session, without a cache: a session that was ended, or whose user was deactivated, is over at the next
 * request, in every process.
 *
 * @returns null if the session is unknown or over
 */
export async function findSession(db: Database, sessionId: string): Promise<UserPrincipal | null> {
  if (!UUID.test(sessionId)) return null;
  const [row] = await sql.findSession.runPrepared(db.lookups, {
    sessionId,
    confirmedMinutes: CONFIRMED_MINUTES,
    ...ALIVE,
  });
  if (!row) return null;
  const { id: userId, email, name, role, locale, must_set_up: mustSetUpTwoFactor, confirmed } = row;
  const timeZone = row.time_zone ?? NEW_YORK;
  return { userId, email, name, role, locale, timeZone, sessionId, mustSetUpTwoFactor, confirmed };
}

/** A user whose credentials were checked. */
export interface SignedInUser {
  id: number;
  email: string;
  /** When the checked password was set; omitted if none was checked. */
  passwordChangedAt?: Date | null;
}

/**
 * Begins a session with a fresh id, and ends the one that the browser had before.
 *
 * @returns its id
 * @throws ServiceError `unauthorized` if the user was deactivated, or the password changed, since it was checked
 */
export async function beginSession(
  db: Database,
  input: {
    user: SignedInUser;
    method: SignInMethod;
    origin: SignInOrigin;
    previous: string | null;
  },
): Promise<string> {
  const id = randomUUID();
  const { user, method, origin, previous } = input;
  const actor: Actor = {
    kind: 'user',
    id: user.id,
    name: user.email,
    address: origin.address ?? undefined,
  };
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    // A change of the user in the meantime has ended the existing sessions, but not this one.
    const { deactivatedAt, passwordChangedAt, timeZone } = await lockUser(tx, { id: user.id });
    const given = user.passwordChangedAt;
    if (deactivatedAt || (given !== undefined && given?.getTime() !== passwordChangedAt?.getTime()))
      throw new ServiceError('unauthorized', because('answer.accountChanged'));
    await tx.userSession.create({
      data: {
        id,
        userId: user.id,
        method,
        address: origin.address,
        userAgent: origin.userAgent?.slice(0, 400) ?? null,
      },
    });
    const ownZone = origin.timeZone;
    const isFirst = timeZone === null && ownZone !== undefined && (await isTimeZone(tx, ownZone));
    await changeUserRow(tx, user.id, { lastSignInAt: now, ...(isFirst ? { timeZone: ownZone } : {}) });
    // After locking the user, which everything that ends sessions does first.
    if (previous)
      await tx.userSession.updateMany({ where: { id: previous, endedAt: null }, data: { endedAt: now } });
    await writeAudit(tx, actor, {
      action: 'user.sign_in',
      recordType: 'user',
      recordId: user.id,
      after: { method, user_agent: origin.userAgent?.slice(0, 400) ?? null },
    });
  });
  return id;
}

/** Ends a session; does nothing if it is already over. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  if (!UUID.test(sessionId)) return;
  await db.prisma.userSession.updateMany({
    where: { id: sessionId, endedAt: null },
    data: { endedAt: new Date() },
  });
}

/** Either the client or a transaction of it. */
type Writer = Pick<Database['prisma'], 'userSession'>;

/** Ends all sessions of a user except `except`. */
export async function endSessions(db: Writer, userId: number, except?: string): Promise<number> {
  const { count } = await db.userSession.updateMany({
    where: { userId, endedAt: null, ...(except === undefined ? {} : { id: { not: except } }) },
    data: { endedAt: new Date() },
  });
  return count;
}

/** The active sessions of a user, most recently used first. */
export function listSessions(db: Database, userId: number): Promise<sql.ListSessionsRow[]> {
  return sql.listSessions.run(db.pool, { userId, ...ALIVE });
}

/**
 * Ends one session of a user.
 *
 * @throws ServiceError `not_found` if it is not theirs or is over
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
    if (count === 0) throw notFound(because('answer.noSession'));
    await writeAudit(tx, actor, { action: 'session.end', recordType: 'user', recordId: userId });
  });
}

/** Signs a user out everywhere but here. Returns how many sessions ended. */
export async function endOtherSessions(
  db: Database,
  actor: Actor,
  userId: number,
  here: string,
): Promise<number> {
  return db.prisma.$transaction(async (tx) => {
    const ended = await endSessions(tx, userId, here);
    await writeAudit(tx, actor, {
      action: 'session.end_others',
      recordType: 'user',
      recordId: userId,
      after: { ended },
    });
    return ended;
  });
}

/** Deletes sessions that have been over for a while. */
export async function deleteOldSessions(db: Database): Promise<void> {
  await sql.deleteOldSessions.run(db.pool, { days: SESSION_DAYS + 1 });
}
