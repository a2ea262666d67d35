import type { Prisma } from '../../../generated/prisma/client';
import { endSessions } from '../sessions/session-service';

/**
 * Revokes everything that acts in a user's name: sessions, personal tokens, and consents to clients. Used when the password is
 * reset or changed or the user is deactivated, so that anyone who has stolen one of these loses access.
 *
 * @param exceptSessionId the session to keep, if the user made the change
 */
export async function revokeAccess(
  tx: Prisma.TransactionClient,
  userId: number,
  exceptSessionId?: string,
): Promise<void> {
  await endSessions(tx, userId, exceptSessionId);
  await tx.personalToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await tx.oAuthRecord.deleteMany({ where: { userId } });
}
