import { invalidField, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { UserPrincipal } from '../principals';
import { lockUser } from '../users/view-service';
import { requirePasswordAttempt } from './attempt-service';
import { verifyPassword } from './password';
import { requireSecondFactor, type TwoFactorServices } from './second-factor-service';

/**
 * Confirms a signed-in user's identity again: by the password, if the user has one, and by a code, if two-factor sign-in is on. For
 * the next ten minutes, as after a sign-in (session-service.ts), this session may call the procedures that grant access, such as
 * those that create keys and users or reset other users' passwords and second factors. At any other time, a stolen session is not
 * enough to call them.
 *
 * @throws ServiceError `validation_failed` naming what is wrong, or if the password was changed while it was being verified;
 * `conflict` if the second factor was sealed with another secret; `rate_limited`; `forbidden` for a user with neither a password nor
 * a second factor, who can only sign in again
 */
export async function confirmIdentity(
  services: TwoFactorServices,
  { userId, sessionId }: Pick<UserPrincipal, 'userId' | 'sessionId'>,
  input: { password: string; code: string; address: string },
): Promise<void> {
  const { db } = services;
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (user.passwordHash === null && user.totpEnabledAt === null) {
    throw new ServiceError('forbidden', createReason('user.noPassword'));
  }
  if (user.passwordHash !== null) {
    const attempt = await requirePasswordAttempt(db, sessionId);
    if (!(await verifyPassword(user.passwordHash, input.password)))
      throw invalidField('password', createReason('user.password'));
    await attempt.succeed();
  }
  if (user.totpEnabledAt !== null) await requireSecondFactor(services, user, input.code, input.address);
  await db.prisma.$transaction(async (tx) => {
    // Confirms only by the user's current password: it may have been changed since it was verified.
    const { passwordChangedAt } = await lockUser(tx, userId);
    if (passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime())
      throw user.passwordHash === null
        ? invalidField('code', createReason('user.code'))
        : invalidField('password', createReason('user.password'));
    await tx.userSession.updateMany({
      where: { id: sessionId, endedAt: null },
      data: { confirmedAt: new Date() },
    });
  });
}
