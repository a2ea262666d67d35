import type { Prisma, User } from '../../../generated/prisma/client';
import type { Actor } from '../../audit/service';
import { invalidField, notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import type { SignedInActor } from '../principals';
import { canManage } from '../roles';
import type { Role } from '../schema';
import { isCommonPassword } from '../sessions/common-passwords';
import * as sql from './users.queries';

export type { User };

/** An actor: a signed-in user, or a command or the system, which have no role and may do everything. */
export type ActorWithRole = SignedInActor | (Actor & { role?: undefined; sessionId?: undefined });

export type UserReference = { id: number } | { email: string };

/** A user as the back office shows them, without hashes and secrets. */
export interface UserView {
  id: number;
  email: string;
  name: string;
  role: Role;
  locale: string;
  active: boolean;
  hasTwoFactor: boolean;
  twoFactorRequired: boolean;
  createdAt: Date;
  updatedAt: Date;
  lastSignInAt: Date | null;
}

/** Converts a stored user to a {@link UserView}. */
export function toUserView(user: User): UserView {
  const { id, email, name, role, locale, twoFactorRequired, createdAt, updatedAt, lastSignInAt } = user;
  return {
    id,
    email,
    name,
    role,
    locale,
    active: user.deactivatedAt === null,
    hasTwoFactor: user.totpEnabledAt !== null,
    twoFactorRequired,
    createdAt,
    updatedAt,
    lastSignInAt,
  };
}

/** Returns the fields of a user for the audit log. */
export function auditView({ name, locale, timeZone, role, twoFactorRequired }: User) {
  return { name, locale, time_zone: timeZone, role, two_factor_required: twoFactorRequired };
}

/** @throws ServiceError `forbidden` if the actor is a signed-in user who may not manage users with the target role */
export function requirePermissionToManage(actor: ActorWithRole, targetRole: Role): void {
  if (actor.role === undefined || canManage(actor.role, targetRole)) return;
  throw new ServiceError('forbidden', createReason('user.ownersOnly'));
}

/**
 * Refuses an administrator's action on their own account, because a stolen session could use it to get around the password and
 * second factor.
 *
 * @throws ServiceError `forbidden` if the actor is the user
 */
export function requireOtherUser(actor: ActorWithRole, userId: number): void {
  if (actor.kind !== 'user' || actor.role === undefined || actor.id !== userId) return;
  throw new ServiceError('forbidden', createReason('user.notOneself'));
}

/** @throws ServiceError `validation_failed` for a common password */
export async function requireUncommonPassword(
  password: string,
  email: string,
  path = 'password',
): Promise<void> {
  if (!(await isCommonPassword(password, email))) return;
  throw invalidField(path, createReason('user.common'));
}

/** Returns all users: the active ones by e-mail address, then the deactivated ones in the order of their deactivation. */
export async function listUsers(db: Database): Promise<UserView[]> {
  const users = await db.prisma.user.findMany({
    orderBy: [{ deactivatedAt: { sort: 'asc', nulls: 'first' } }, { email: 'asc' }],
  });
  return users.map(toUserView);
}

/** Returns the error for a user who does not exist. */
export const noUserError = (reference: UserReference): ServiceError =>
  notFound(
    'id' in reference
      ? createReason('answer.noUser', { id: reference.id })
      : createReason('answer.noEmail', { email: reference.email }),
  );

/**
 * Locks a user until the transaction ends, and returns them.
 *
 * @throws ServiceError `not_found`
 */
export async function lockUser(tx: Prisma.TransactionClient, id: number): Promise<User> {
  const [row] = await sql.lockUser.runIn(tx, { id });
  if (row) return tx.user.findUniqueOrThrow({ where: { id } });
  throw noUserError({ id });
}

/** Returns a user for their own account page, which also shows whether they have a password. */
export async function readOwnUser(db: Database, id: number): Promise<UserView & { hasPassword: boolean }> {
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id } });
  return { ...toUserView(user), hasPassword: user.passwordHash !== null };
}

/**
 * Finds a user by e-mail address.
 *
 * @throws ServiceError `not_found`
 */
export async function findUserByEmail(db: Database, email: string): Promise<UserView> {
  const user = await db.prisma.user.findUnique({ where: { email } });
  if (!user) throw noUserError({ email });
  return toUserView(user);
}
