import type { Prisma } from '../../../generated/prisma/client';
import { requireUnchanged } from '../../audit/edit-conflict-service';
import { type Actor, writeAuditEntry, writeAuditEntryIfChanged } from '../../audit/service';
import { invalidField, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { takeLockIn } from '../../db/locks/advisory-locks';
import { isUniqueViolation } from '../../db/unique-violation';
import { insertKey } from '../keys/service';
import type { Role } from '../schema';
import { generatePassword, hashPassword } from '../sessions/password';
import { endSessions } from '../sessions/session-service';
import { revokeAccess } from './access-service';
import { lockActor, lockManagedUser } from './actor-service';
import { addUserRow, changeUserRow } from './user-rows';
import { lockNotificationChannels } from './users.queries';
import {
  type ActorWithRole,
  auditView,
  requireOtherUser,
  requirePermissionToManage,
  requireUncommonPassword,
  toUserView,
  type User,
  type UserReference,
  type UserView,
} from './view-service';

/** The owner and API key that the first start created. The password is null if it was configured. */
export interface FirstOwner {
  email: string;
  password: string | null;
  key: string;
}

/**
 * Creates the first owner and an API key if there are no users yet (docs/api-conventions.md).
 *
 * @returns null if there are users already
 * @throws ServiceError `validation_failed` if the password is common
 */
export async function ensureFirstOwner(
  db: Database,
  input: { email: string; password: string | undefined },
): Promise<FirstOwner | null> {
  if ((await db.prisma.user.findFirst({ select: { id: true } })) !== null) return null;
  const actor: Actor = { kind: 'system', name: 'first start' };
  if (input.password !== undefined)
    await requireUncommonPassword(input.password, input.email, 'ADMIN_PASSWORD');
  const password = input.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  // One transaction: if only the owner were stored, no later start would create the key or show the password.
  return db.prisma.$transaction(async (tx) => {
    await takeLockIn(tx, 'firstOwner');
    if ((await tx.user.findFirst({ select: { id: true } })) !== null) return null;
    const user = await addUserRow(tx, {
      email: input.email,
      name: input.email.split('@')[0] ?? input.email,
      role: 'owner',
      passwordHash,
      passwordChangedAt: new Date(),
    });
    await writeAuditEntry(tx, actor, {
      action: 'user.create',
      recordType: 'user',
      recordId: user.id,
      after: { email: user.email, role: user.role },
    });
    const { key } = await insertKey(tx, actor, { name: 'first key', expiresAt: null });
    return { email: user.email, password: input.password ? null : password, key };
  });
}

/**
 * Creates a user.
 *
 * @returns the user with the only copy of the generated password, which is null if one was passed
 * @throws ServiceError `validation_failed` if the e-mail address is taken or the password is common; `forbidden` if the actor
 * may not give a user this role; `unauthorized` if the actor's session has ended
 */
export async function createUser(
  db: Database,
  actor: ActorWithRole,
  input: { email: string; role: Role; name?: string; password?: string; locale?: string },
): Promise<UserView & { password: string | null }> {
  requirePermissionToManage(actor, input.role);
  if (input.password !== undefined) await requireUncommonPassword(input.password, input.email);
  const password = input.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  try {
    return await db.prisma.$transaction(async (tx) => {
      await lockActor(tx, actor);
      const user = await addUserRow(tx, {
        email: input.email,
        name: input.name ?? input.email.split('@')[0] ?? input.email,
        role: input.role,
        ...(input.locale === undefined ? {} : { locale: input.locale, localeChosen: true }),
        passwordHash,
        passwordChangedAt: new Date(),
      });
      await writeAuditEntry(tx, actor, {
        action: 'user.create',
        recordType: 'user',
        recordId: user.id,
        after: { email: user.email, name: user.name, role: user.role },
      });
      return { ...toUserView(user), password: input.password ? null : password };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw invalidField('email', createReason('user.taken', { email: input.email }));
  }
}

/** @throws ServiceError `validation_failed` if the user is the only active owner */
function requireAnotherOwner(owners: readonly { id: number }[], user: User): void {
  if (user.role !== 'owner' || user.deactivatedAt !== null || owners.some(({ id }) => id !== user.id)) return;
  throw new ServiceError('validation_failed', createReason('user.lastOwner', { email: user.email }));
}

/**
 * Changes a user's name, language or role, or whether a second factor is required. A new role ends the user's sessions.
 *
 * @throws ServiceError `not_found`; `forbidden` if an actor who is not an owner changes an owner, makes someone an owner, or
 * changes whether a second factor is required; `conflict` if the user no longer has the values in `shown`; `validation_failed`
 * if no owner would remain; `unauthorized` if the actor's session has ended
 */
export async function updateUser(
  db: Database,
  requestingActor: ActorWithRole,
  id: number,
  {
    shown,
    ...change
  }: {
    name?: string;
    locale?: string;
    role?: Role;
    twoFactorRequired?: boolean;
    /** The values the form showed, under the names that {@link auditView} uses. */
    shown?: Partial<ReturnType<typeof auditView>>;
  },
): Promise<UserView> {
  return db.prisma.$transaction(async (tx) => {
    const withOwners = change.role !== undefined;
    const { user, owners, actor } = await lockManagedUser(tx, requestingActor, { id }, { withOwners });
    if (change.role !== undefined) requirePermissionToManage(actor, change.role);
    if (change.twoFactorRequired !== undefined && actor.role !== undefined && actor.role !== 'owner')
      throw new ServiceError('forbidden', createReason('user.ownersRequire'));
    const record = { recordType: 'user' as const, recordId: id };
    const newValues = { ...change, two_factor_required: change.twoFactorRequired };
    await requireUnchanged(tx, actor, record, { shown, stored: auditView(user), newValues });
    if (change.role !== undefined && change.role !== user.role) {
      requireAnotherOwner(owners, user);
      await endSessions(tx, id);
    }
    // The form always sends a language, also one that nobody has chosen.
    const localeChosen = user.localeChosen || (change.locale ?? user.locale) !== user.locale;
    const updatedUser = await changeUserRow(tx, id, { ...change, localeChosen });
    const [before, after] = [auditView(user), auditView(updatedUser)];
    await writeAuditEntryIfChanged(tx, actor, { action: 'user.update', ...record, before, after });
    return toUserView(updatedUser);
  });
}

/**
 * Deletes a user's unsent notifications, and the record of which entries they were alerted to. Nothing is sent to a deactivated
 * user, and the notifications would be out of date by the time the user is reactivated.
 */
async function deleteUnsentNotifications(tx: Prisma.TransactionClient, userId: number): Promise<void> {
  const channels = await lockNotificationChannels.runIn(tx, { userId });
  const channelFilter = { channelId: { in: channels.map(({ id }) => id) } };
  await tx.notificationEntry.deleteMany({ where: channelFilter });
  await tx.notification.deleteMany({ where: { ...channelFilter, state: { in: ['waiting', 'sending'] } } });
}

/**
 * Deactivates or reactivates a user. The sessions and tokens of a deactivated user are refused from the next request on, and
 * their unsent notifications are deleted. Does nothing if the user is already in that state.
 *
 * @throws ServiceError `not_found`; `forbidden` if the actor may not manage the user; `validation_failed` if no owner would
 * remain; `unauthorized` if the actor's session has ended
 */
export async function setUserActive(
  db: Database,
  actor: ActorWithRole,
  reference: UserReference,
  active: boolean,
): Promise<UserView> {
  return db.prisma.$transaction(async (tx) => {
    const { user, owners } = await lockManagedUser(tx, actor, reference, { withOwners: !active });
    if ((user.deactivatedAt === null) === active) return toUserView(user);
    if (!active) requireAnotherOwner(owners, user);
    const updatedUser = await changeUserRow(tx, user.id, { deactivatedAt: active ? null : new Date() });
    if (!active) await revokeAccess(tx, user.id);
    // Also on reactivation, because a notification may have been written while the user was deactivated.
    await deleteUnsentNotifications(tx, user.id);
    await writeAuditEntry(tx, actor, {
      action: active ? 'user.reactivate' : 'user.deactivate',
      recordType: 'user',
      recordId: user.id,
    });
    return toUserView(updatedUser);
  });
}

/**
 * Resets a user's password. Revokes all their sessions, personal tokens, and consents to clients.
 *
 * @returns the only copy of the generated password, which is null if one was passed
 * @throws ServiceError `not_found`; `forbidden` if the actor may not manage the user, or is the user; `validation_failed` for a
 * common password; `unauthorized` if the actor's session has ended
 */
export async function resetPassword(
  db: Database,
  actor: ActorWithRole,
  { password: chosenPassword, ...reference }: UserReference & { password?: string },
): Promise<{ id: number; email: string; password: string | null }> {
  const password = chosenPassword ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return db.prisma.$transaction(async (tx) => {
    const { user } = await lockManagedUser(tx, actor, reference);
    requireOtherUser(actor, user.id);
    if (chosenPassword !== undefined) await requireUncommonPassword(chosenPassword, user.email);
    await changeUserRow(tx, user.id, { passwordHash, passwordChangedAt: new Date() });
    await revokeAccess(tx, user.id);
    await writeAuditEntry(tx, actor, {
      action: 'user.reset_password',
      recordType: 'user',
      recordId: user.id,
    });
    return { id: user.id, email: user.email, password: chosenPassword ? null : password };
  });
}
