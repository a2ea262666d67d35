import { invalidField, ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import type { UserPrincipal } from '../principals';
import { lockUser } from '../users/view-service';
import { requireAttempt } from './attempt-service';
import { verifyPassword } from './password';
import { consumeSecondFactor, type TwoFactorServices } from './two-factor-service';

/**
 * Makes a signed-in user prove their identity again: by the password, and by a code if two-factor sign-in is on. For the next
 * ten minutes this session may do what grants power (keys, clients, users, others' passwords and second factors;
 * session-service.ts). A stolen session alone is not enough for that.
 *
 * @throws ServiceError `validation_failed` naming what is wrong; `rate_limited`; `forbidden` for a user with neither a password
 * nor a second factor, who can only sign in again
 */
export async function confirmIdentity(
  services: TwoFactorServices,
  { userId, sessionId }: Pick<UserPrincipal, 'userId' | 'sessionId'>,
  given: { password: string; code: string; address: string },
): Promise<void> {
  const { db } = services;
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (user.passwordHash === null && user.totpEnabledAt === null) {
    throw new ServiceError('forbidden', because('user.noPassword'));
  }
  const attempt = await requireAttempt(db, sessionId);
  if (user.passwordHash !== null && !(await verifyPassword(user.passwordHash, given.password)))
    throw invalidField('password', because('user.password'));
  if (user.totpEnabledAt !== null && !(await consumeSecondFactor(services, user, given.code, given.address)))
    throw invalidField('code', because('user.code'));
  await attempt.succeeded();
  await db.prisma.$transaction(async (tx) => {
    // Only if the checked password is still current: a reset in the meantime has ended the session.
    const { passwordChangedAt } = await lockUser(tx, { id: userId });
    if (passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime()) return;
    await tx.userSession.updateMany({
      where: { id: sessionId, endedAt: null },
      data: { confirmedAt: new Date() },
    });
  });
}
