import { randomUUID } from 'node:crypto';
import { type Actor, writeAudit } from '../../audit/audit';
import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';
import type { PersonPrincipal } from '../principals';
import type { Role } from '../schema';
import { lockUser } from '../users/view-service';

export type SignInMethod = 'password' | 'oidc';

/** Where somebody signs in from. */
export interface SignInPlace {
  address: string | null;
  userAgent: string | null;
}

/** Hours without a request after which a session is over. */
const IDLE_HOURS = 12;
/** Minutes for which a person who gave the password, and code, need not give it again for what gives power. */
const CONFIRMED_MINUTES = 10;
/** Days after which a session is over however busy it was; its token lives as long. */
export const SESSION_DAYS = 30;

const ALIVE = `s.ended_at IS NULL AND s.last_seen_at > now() - interval '${IDLE_HOURS} hours'
   AND s.created_at > now() - interval '${SESSION_DAYS} days' AND u.deactivated_at IS NULL`;

const FIND = `
SELECT u.id, u.email, u.name, u.role, u.locale, u.two_factor_required AND u.totp_enabled_at IS NULL AS must_set_up,
       s.confirmed_at > now() - interval '${CONFIRMED_MINUTES} minutes' AS confirmed
  FROM user_sessions s JOIN users u ON u.id = s.user_id
 WHERE s.id = $1 AND ${ALIVE}`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The person of a session, asked of the database every time: a session that was ended, or whose person was deactivated, is
 * over at the next request, in every process.
 *
 * @returns null where the session is unknown or over
 */
export async function findSession(db: Database, sessionId: string): Promise<PersonPrincipal | null> {
  if (!UUID.test(sessionId)) return null;
  const { rows } = await db.pool.query<{
    id: number;
    email: string;
    name: string;
    role: Role;
    locale: string;
    must_set_up: boolean;
    confirmed: boolean;
  }>({ name: 'session', text: FIND, values: [sessionId] });
  const row = rows[0];
  if (!row) return null;
  const { id: userId, email, name, role, locale, must_set_up: mustSetUpTwoFactor, confirmed } = row;
  return { userId, email, name, role, locale, sessionId, mustSetUpTwoFactor, confirmed };
}

/** Who has shown to be who they are. */
export interface SignedInUser {
  id: number;
  email: string;
  /** When the password was made that was given; left out where none was. */
  passwordChangedAt?: Date | null;
}

/**
 * Begins a session, with an id that was never used, and ends the one that the browser had before.
 *
 * @returns its id
 * @throws ServiceError `unauthorized` where the person was deactivated, or has another password, since it was checked
 */
export async function beginSession(
  db: Database,
  input: {
    user: SignedInUser;
    method: SignInMethod;
    place: SignInPlace;
    previous: string | null;
  },
): Promise<string> {
  const id = randomUUID();
  const { user, method, place, previous } = input;
  const actor: Actor = {
    kind: 'user',
    id: user.id,
    name: user.email,
    address: place.address ?? undefined,
  };
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    // Whoever changes the person meanwhile has ended the sessions that there were, and not this one.
    const { deactivatedAt, passwordChangedAt } = await lockUser(tx, { id: user.id });
    const given = user.passwordChangedAt;
    if (deactivatedAt || (given !== undefined && given?.getTime() !== passwordChangedAt?.getTime()))
      throw new ServiceError('unauthorized', because('answer.accountChanged'));
    await tx.userSession.create({
      data: {
        id,
        userId: user.id,
        method,
        address: place.address,
        userAgent: place.userAgent?.slice(0, 400) ?? null,
      },
    });
    await tx.user.update({ where: { id: user.id }, data: { lastSignInAt: now } });
    // After the person, whom all that ends sessions locks first.
    if (previous)
      await tx.userSession.updateMany({ where: { id: previous, endedAt: null }, data: { endedAt: now } });
    await writeAudit(tx, actor, {
      action: 'user.sign_in',
      recordType: 'user',
      recordId: user.id,
      after: { method, user_agent: place.userAgent?.slice(0, 400) ?? null },
    });
  });
  return id;
}

/** Ends a session. One that is over stays so. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  if (!UUID.test(sessionId)) return;
  await db.prisma.userSession.updateMany({
    where: { id: sessionId, endedAt: null },
    data: { endedAt: new Date() },
  });
}

/** Either the client or a transaction of it. */
type Writer = Pick<Database['prisma'], 'userSession'>;

/** Ends all sessions of a person, but for `except`. */
export async function endSessions(db: Writer, userId: number, except?: string): Promise<number> {
  const { count } = await db.userSession.updateMany({
    where: { userId, endedAt: null, ...(except === undefined ? {} : { id: { not: except } }) },
    data: { endedAt: new Date() },
  });
  return count;
}

/** A session as its person sees it. */
export interface SessionView {
  id: string;
  method: string;
  created_at: Date;
  last_seen_at: Date;
  address: string | null;
  user_agent: string | null;
}

/** The sessions of a person that are alive, the one that was used last first. */
export async function listSessions(db: Database, userId: number): Promise<SessionView[]> {
  const { rows } = await db.pool.query<SessionView>(
    `SELECT s.id, s.method, s.created_at, s.last_seen_at, s.address, s.user_agent
       FROM user_sessions s JOIN users u ON u.id = s.user_id
      WHERE u.id = $1 AND ${ALIVE} ORDER BY s.last_seen_at DESC, s.id LIMIT 200`,
    [userId],
  );
  return rows;
}

/**
 * Ends one session of a person.
 *
 * @throws ServiceError `not_found` where it is not theirs or is over
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
    if (count === 0) throw new ServiceError('not_found', because('answer.noSession'));
    await writeAudit(tx, actor, { action: 'session.end', recordType: 'user', recordId: userId });
  });
}

/** Signs a person out everywhere but here. Returns how many sessions ended. */
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
  await db.pool.query(
    `DELETE FROM user_sessions WHERE last_seen_at < now() - interval '${SESSION_DAYS + 1} days'`,
  );
}
