import { endSessions } from '../sessions/session-service';
import type { Transaction } from './view-service';

/**
 * Ends all that acts in a person's name: sessions, personal tokens, and what other tools were allowed. For when the person's
 * password was reset or changed, or the person was deactivated; whoever else had got hold of one of these has lost it.
 *
 * @param except the session that goes on, where the person did it themselves
 */
export async function endAccess(tx: Transaction, userId: number, except?: string): Promise<void> {
  await endSessions(tx, userId, except);
  await tx.personalToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await tx.oAuthRecord.deleteMany({ where: { userId } });
}
