import { requireUnchanged } from '../../audit/edit-conflict-service';
import { type Actor, writeAuditEntry, writeAuditEntryIfChanged } from '../../audit/service';
import { invalidField } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { requireTimeZone } from '../../db/time-zones';
import { requirePasswordAttempt } from '../sessions/attempt-service';
import { hashPassword, verifyPassword } from '../sessions/password';
import { requireLiveSession } from '../sessions/session-service';
import { revokeAccess } from './access-service';
import { changeUserRow } from './user-rows';
import { auditView, lockUser, requireUncommonPassword } from './view-service';

/**
 * Changes the user's own password. Ends their other sessions, and revokes their personal tokens and the access of OAuth clients.
 *
 * @throws ServiceError `validation_failed` if the current password is wrong or has just been reset, or the new one is common;
 * `rate_limited` after too many attempts; `unauthorized` if the session has ended
 */
export async function changeOwnPassword(
  db: Database,
  actor: Actor,
  input: { userId: number; sessionId: string; currentPassword: string; newPassword: string },
): Promise<void> {
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: input.userId } });
  // Comes first, so that a refusal of the new password says nothing about the current one and does not reset the count.
  await requireUncommonPassword(input.newPassword, user.email, 'new_password');
  const attempt = await requirePasswordAttempt(db, input.sessionId);
  if (!user.passwordHash || !(await verifyPassword(user.passwordHash, input.currentPassword)))
    throw invalidField('current_password', createReason('user.password'));
  await attempt.succeed();
  const passwordHash = await hashPassword(input.newPassword);
  await db.prisma.$transaction(async (tx) => {
    // The verified password must still be the current one: it may have been reset in the meantime.
    const { passwordChangedAt } = await lockUser(tx, user.id);
    if (passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime())
      throw invalidField('current_password', createReason('user.password'));
    await requireLiveSession(tx, input);
    await changeUserRow(tx, user.id, { passwordHash, passwordChangedAt: new Date() });
    await revokeAccess(tx, user.id, input.sessionId);
    await writeAuditEntry(tx, actor, {
      action: 'user.change_password',
      recordType: 'user',
      recordId: user.id,
    });
  });
}

/**
 * Changes the user's own name, language or time zone.
 *
 * @throws ServiceError `conflict` if the stored values are no longer those in `shown`; `validation_failed` for a time zone that
 * the database does not know
 */
export async function updateOwnProfile(
  db: Database,
  actor: Actor,
  userId: number,
  {
    shown,
    ...change
  }: {
    name?: string;
    locale?: string;
    timeZone?: string;
    /** The values the form showed. */
    shown?: { name?: string | undefined; time_zone?: string | undefined };
  },
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const timeZone = await requireTimeZone(tx, change.timeZone);
    const user = await lockUser(tx, userId);
    const record = { recordType: 'user' as const, recordId: userId };
    const newValues = { ...change, time_zone: timeZone };
    await requireUnchanged(tx, actor, record, { shown, stored: auditView(user), newValues });
    const localeChosen = user.localeChosen || change.locale !== undefined;
    const updatedUser = await changeUserRow(tx, userId, {
      ...change,
      ...(timeZone === undefined ? {} : { timeZone }),
      localeChosen,
    });
    const [before, after] = [auditView(user), auditView(updatedUser)];
    await writeAuditEntryIfChanged(tx, actor, { action: 'user.update', ...record, before, after });
  });
}
