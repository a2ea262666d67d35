import type { Prisma } from '../../../generated/prisma/client';
import { requireLiveSession } from '../sessions/session-service';
import * as sql from './users.queries';
import {
  type ActorWithRole,
  noUserError,
  requirePermissionToManage,
  type User,
  type UserReference,
} from './view-service';

/**
 * Makes sure that a signed-in actor, who is locked, may still act, and returns the actor with their current role.
 *
 * @throws ServiceError `unauthorized` if their session has ended
 */
async function readCurrentActor(tx: Prisma.TransactionClient, actor: ActorWithRole): Promise<ActorWithRole> {
  if (actor.sessionId === undefined) return actor;
  const { id, sessionId } = actor;
  await requireLiveSession(tx, { userId: id, sessionId });
  const { role } = await tx.user.findUniqueOrThrow({ where: { id }, select: { role: true } });
  return { ...actor, role };
}

/**
 * Keeps the signed-in user who acts from losing access until the transaction ends, and makes sure that their session has not ended since their
 * request was authorized. Does nothing for commands and the system. Call this first in every transaction in which an
 * administrator grants or revokes access; if it changes a user, call {@link lockManagedUser} instead.
 *
 * @throws ServiceError `unauthorized` if the session has ended, as it does when its user is deactivated or gets a new role
 */
export async function lockActor(tx: Prisma.TransactionClient, actor: ActorWithRole): Promise<void> {
  if (actor.sessionId === undefined) return;
  await sql.lockActor.runIn(tx, { id: actor.id });
  await readCurrentActor(tx, actor);
}

/** A user whom an actor manages. All of them are locked. */
interface ManagedUser {
  user: User;
  /** The active owners; empty unless they were asked for. */
  owners: { id: number }[];
  /** The actor with their current role. */
  actor: ActorWithRole;
}

/**
 * Locks the user whom an actor manages, and the actor, until the transaction ends, and makes sure that the actor still may.
 *
 * @param options.withOwners whether to lock all active owners, too, because one may be removed
 * @throws ServiceError `unauthorized` if the actor's session has ended; `not_found`; `forbidden` if the actor may not manage the
 * user
 */
export async function lockManagedUser(
  tx: Prisma.TransactionClient,
  actor: ActorWithRole,
  reference: UserReference,
  options: { withOwners?: boolean } = {},
): Promise<ManagedUser> {
  // The e-mail address of a user never changes.
  const target = await tx.user.findUnique({ where: reference, select: { id: true } });
  const ids = [target?.id, actor.sessionId === undefined ? undefined : actor.id];
  const lockedUsers = await sql.lockUsers.runIn(tx, {
    ids: ids.filter((id) => id !== undefined),
    withOwners: options.withOwners ?? false,
  });
  const currentActor = await readCurrentActor(tx, actor);
  if (!target) throw noUserError(reference);
  const user = await tx.user.findUniqueOrThrow({ where: { id: target.id } });
  requirePermissionToManage(currentActor, user.role);
  const owners = options.withOwners ? lockedUsers.filter((row) => row.is_active_owner) : [];
  return { user, owners, actor: currentActor };
}
