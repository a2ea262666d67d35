import type { ApiKey, Prisma } from '../../../generated/prisma/client';
import { writeAuditEntry } from '../../audit/service';
import { ServiceError } from '../../core/errors/errors';
import { createReason, type Reason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { lockActor } from '../users/actor-service';
import type { ActorWithRole } from '../users/view-service';
import { MAX_GRACE_HOURS } from './bounds';
import { lockKey } from './change-service';
import { type CreatedKey, insertKey } from './service';

const HOUR_MS = 3_600_000;

/** A key that replaced another. */
interface SuccessorKey extends CreatedKey {
  /** The replaced key, and when it expires. */
  old: { id: number; expiresAt: Date };
}

async function requireRotatable(tx: Prisma.TransactionClient, key: ApiKey, now: Date): Promise<void> {
  const cannotRotateError = (reason: Reason) =>
    new ServiceError('validation_failed', createReason('key.cannotRotate', { id: key.id, reason }));
  if (key.revokedAt !== null) throw cannotRotateError(createReason('key.revoked'));
  const successor = await tx.apiKey.findFirst({ where: { rotatedFromId: key.id }, select: { id: true } });
  if (successor) throw cannotRotateError(createReason('key.replaced', { id: successor.id }));
  if (key.expiresAt !== null && key.expiresAt <= now) throw cannotRotateError(createReason('key.expired'));
}

/**
 * Creates a key that replaces another, with the same name, scopes, ranges, token budget and expiry. The old key stays valid for
 * the grace period, or until it expires if that is sooner. Without a grace period, every process refuses it from the next
 * request on. If two rotations run at the same time, one is refused.
 *
 * @param graceHours from 0 to MAX_GRACE_HOURS
 * @throws ServiceError `not_found`; `validation_failed` if the key is revoked, expired or already rotated, or if
 * `graceHours` is out of range; `unauthorized` if the actor's session has ended
 */
export async function rotateApiKey(
  db: Database,
  actor: ActorWithRole,
  id: number,
  graceHours: number,
): Promise<SuccessorKey> {
  if (!(graceHours >= 0 && graceHours <= MAX_GRACE_HOURS))
    throw new ServiceError('validation_failed', createReason('key.grace', { maximum: MAX_GRACE_HOURS }));
  return db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    const key = await lockKey(tx, id);
    const now = new Date();
    await requireRotatable(tx, key, now);
    const { name, scopes, addressRanges, replyTokensPerDay } = key;
    const newKey = await insertKey(tx, actor, {
      name,
      scopes,
      addressRanges,
      replyTokensPerDay,
      expiresAt: key.expiresAt,
      rotatedFromId: id,
    });
    const graceEndMs = now.getTime() + graceHours * HOUR_MS;
    const expiresAt = new Date(Math.min(graceEndMs, key.expiresAt?.getTime() ?? graceEndMs));
    // If only the expiry were set, the key would stay valid on a server whose clock is behind.
    const revokedAt = graceHours === 0 ? now : null;
    await tx.apiKey.update({ where: { id }, data: { expiresAt, revokedAt } });
    await writeAuditEntry(tx, actor, {
      action: 'api_key.rotate',
      recordType: 'api_key',
      recordId: id,
      before: { expires_at: key.expiresAt?.toISOString() ?? null, rotated_to_id: null },
      after: { expires_at: expiresAt.toISOString(), rotated_to_id: newKey.id, grace_hours: graceHours },
    });
    return { ...newKey, old: { id, expiresAt } };
  });
}
