import { type Actor, writeAuditEntry } from '../../audit/service';
import { notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { hashSecret, personalTokens } from '../secret-token';
import { lockSignedInUser } from '../sessions/session-service';
import { lockUser } from '../users/view-service';
import { findToken } from './tokens.queries';

/** Returns whether a string has the form of a personal token. */
export const isWellFormedPersonalToken = personalTokens.isWellFormed;

/** Returns the token's id, holder and scopes, or null if it is unknown, revoked or expired. */
export async function findPersonalToken(
  db: Database,
  token: string,
): Promise<{ id: number; userId: number; scopes: string[] } | null> {
  const [row] = await findToken.runPrepared(db.lookups, { hash: hashSecret(token) });
  return row ? { id: row.id, userId: row.user_id, scopes: row.scopes } : null;
}

/** A token as its holder sees it, without its hash. */
export interface PersonalTokenView {
  id: number;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/**
 * Creates a token. The result contains the only copy of its secret.
 *
 * @param input.sessionId the session in which the user creates it; omitted by commands
 * @throws ServiceError `unauthorized` if the session has ended; `validation_failed` if the user is deactivated
 */
export async function createPersonalToken(
  db: Database,
  actor: Actor,
  input: { userId: number; sessionId?: string; name: string; expiresAt: Date },
): Promise<{ id: number; token: string; prefix: string; expiresAt: Date }> {
  const newSecret = personalTokens.generate();
  const { userId, sessionId } = input;
  return db.prisma.$transaction(async (tx) => {
    const user =
      sessionId === undefined
        ? await lockUser(tx, userId)
        : await lockSignedInUser(tx, { userId, sessionId });
    // Otherwise the token would begin to work when the user is reactivated.
    if (user.deactivatedAt !== null)
      throw new ServiceError('validation_failed', createReason('user.deactivated', { email: user.email }));
    const row = await tx.personalToken.create({
      data: {
        userId,
        name: input.name,
        hash: Uint8Array.from(newSecret.hash),
        prefix: newSecret.prefix,
        lastFour: newSecret.lastFour,
        scopes: ['user:read'],
        expiresAt: input.expiresAt,
      },
    });
    await writeAuditEntry(tx, actor, {
      action: 'personal_token.create',
      recordType: 'personal_token',
      recordId: row.id,
      after: {
        user_id: row.userId,
        name: row.name,
        prefix: row.prefix,
        expires_at: row.expiresAt.toISOString(),
      },
    });
    return { id: row.id, token: newSecret.secret, prefix: newSecret.prefix, expiresAt: row.expiresAt };
  });
}

/** Returns a user's tokens, newest first. */
export async function listPersonalTokens(db: Database, userId: number): Promise<PersonalTokenView[]> {
  return db.prisma.personalToken.findMany({
    where: { userId },
    omit: { hash: true, userId: true },
    orderBy: { id: 'desc' },
  });
}

/**
 * Revokes a user's token, which is refused from the next request on. Does nothing if it is already revoked.
 *
 * @throws ServiceError `not_found` if it is not theirs
 */
export async function revokePersonalToken(
  db: Database,
  actor: Actor,
  input: { userId: number; id: number },
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const token = await tx.personalToken.findUnique({ where: input });
    if (!token) throw notFound(createReason('answer.noToken', { id: input.id }));
    const { count } = await tx.personalToken.updateMany({
      where: { id: token.id, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) return;
    await writeAuditEntry(tx, actor, {
      action: 'personal_token.revoke',
      recordType: 'personal_token',
      recordId: token.id,
      before: { name: token.name, prefix: token.prefix },
    });
  });
}
