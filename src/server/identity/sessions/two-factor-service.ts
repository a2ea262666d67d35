import type { Prisma } from '../../../generated/prisma/client';
import { type Actor, writeAuditEntry } from '../../audit/service';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { SecretBox } from '../../core/secret-box';
import type { Database } from '../../db/client';
import { lockManagedUser } from '../users/actor-service';
import { changeUserRow } from '../users/user-rows';
import { type ActorWithRole, requireOtherUser, type User, type UserReference } from '../users/view-service';
import { requireCodeAttempt } from './attempt-service';
import {
  openTotpSecret,
  requireSecondFactor,
  sealTotpSecret,
  type TwoFactorServices,
  wrongCodeError,
} from './second-factor-service';
import { type CurrentSession, endSessions, lockSignedInUser } from './session-service';
import { generateRecoveryCodes, generateTotpSecret, hashRecoveryCode, totpStep, totpUri } from './totp';

/**
 * Begins the setup with a new secret, which takes effect once one of its codes is entered. Starting over discards the earlier
 * secret.
 *
 * @throws ServiceError `validation_failed` if two-factor sign-in is already on
 */
export async function beginTwoFactor(
  { db, secrets }: TwoFactorServices,
  user: { id: number; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = generateTotpSecret();
  const { count } = await db.prisma.user.updateMany({
    where: { id: user.id, totpEnabledAt: null },
    data: { totpSecret: sealTotpSecret(secrets, user.id, secret), totpLastStep: null },
  });
  if (count === 0) throw new ServiceError('validation_failed', createReason('answer.twoFactorOn'));
  return { secret, uri: totpUri(secret, user.email) };
}

async function replaceRecoveryCodes(
  tx: Pick<Database['prisma'], 'recoveryCode'>,
  secrets: SecretBox,
  userId: number,
): Promise<string[]> {
  const codes = generateRecoveryCodes();
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, hash: hashRecoveryCode(secrets, userId, code) })),
  });
  return codes;
}

/**
 * Completes the setup with the first code.
 *
 * @returns the only copy of the recovery codes
 * @throws ServiceError `validation_failed` if the code is wrong, no setup is in progress or the setup was begun with another secret;
 * `rate_limited`; `unauthorized` if the session has ended
 */
export async function enableTwoFactor(
  { db, secrets, now }: TwoFactorServices,
  actor: Actor,
  session: CurrentSession,
  code: string,
): Promise<string[]> {
  const { userId } = session;
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const secret =
    user.totpEnabledAt || !user.totpSecret ? null : openTotpSecret(secrets, userId, user.totpSecret);
  if (secret === null) throw new ServiceError('validation_failed', createReason('answer.twoFactorBegin'));
  const attempt = await requireCodeAttempt(db, userId);
  const step = totpStep(secret, code.replace(/\s/g, ''), now());
  if (step === null) throw wrongCodeError();
  await attempt.succeed();
  return db.prisma.$transaction(async (tx) => {
    await lockSignedInUser(tx, session);
    const { count } = await tx.user.updateMany({
      where: { id: userId, totpEnabledAt: null, totpSecret: user.totpSecret },
      data: { totpEnabledAt: new Date(), totpLastStep: step },
    });
    if (count === 0) throw wrongCodeError();
    await writeAuditEntry(tx, actor, { action: 'two_factor.enable', recordType: 'user', recordId: userId });
    return replaceRecoveryCodes(tx, secrets, userId);
  });
}

/** Checks a code. Returns the user whose second factor it was checked against, for {@link lockCheckedUser}. */
async function requireCode(
  services: TwoFactorServices,
  actor: Actor,
  { userId }: CurrentSession,
  code: string,
): Promise<User> {
  const user = await services.db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (!user.totpEnabledAt) throw new ServiceError('validation_failed', createReason('answer.twoFactorOff'));
  await requireSecondFactor(services, user, code, actor.address ?? '');
  return user;
}

/**
 * Locks the signed-in user, whose second factor may have been turned off or replaced since a code was checked.
 *
 * @throws ServiceError `validation_failed` if two-factor sign-in is off or the second factor is another one; `unauthorized` if the
 * session has ended
 */
async function lockCheckedUser(
  tx: Prisma.TransactionClient,
  session: CurrentSession,
  { totpSecret: checkedSecret }: User,
): Promise<User> {
  const user = await lockSignedInUser(tx, session);
  if (!user.totpEnabledAt) throw new ServiceError('validation_failed', createReason('answer.twoFactorOff'));
  if (!checkedSecret || !user.totpSecret || Buffer.compare(checkedSecret, user.totpSecret) !== 0)
    throw wrongCodeError();
  return user;
}

/**
 * Replaces the recovery codes.
 *
 * @returns the only copy of the new codes
 * @throws ServiceError `validation_failed` if the code is wrong or two-factor sign-in is off; `conflict` if the second factor was
 * sealed with another secret; `rate_limited`; `unauthorized` if the session has ended
 */
export async function regenerateRecoveryCodes(
  services: TwoFactorServices,
  actor: Actor,
  session: CurrentSession,
  code: string,
): Promise<string[]> {
  const { userId } = session;
  const checkedUser = await requireCode(services, actor, session, code);
  return services.db.prisma.$transaction(async (tx) => {
    // Also keeps two sets of new codes from becoming valid if they are created at the same time.
    await lockCheckedUser(tx, session, checkedUser);
    await writeAuditEntry(tx, actor, {
      action: 'two_factor.renew_codes',
      recordType: 'user',
      recordId: userId,
    });
    return replaceRecoveryCodes(tx, services.secrets, userId);
  });
}

/** @throws ServiceError `forbidden` if the user must use two-factor sign-in */
function requireOptional({ twoFactorRequired }: { twoFactorRequired: boolean }): void {
  if (twoFactorRequired) throw new ServiceError('forbidden', createReason('answer.twoFactorStays'));
}

const TWO_FACTOR_OFF = { totpSecret: null, totpEnabledAt: null, totpLastStep: null };

/**
 * Turns off the user's own two-factor sign-in.
 *
 * @throws ServiceError `validation_failed` if the code is wrong or two-factor sign-in is already off; `conflict` if the second factor
 * was sealed with another secret; `rate_limited`; `forbidden` if the user must use two-factor sign-in; `unauthorized` if the session
 * has ended
 */
export async function disableTwoFactor(
  services: TwoFactorServices,
  actor: Actor,
  session: CurrentSession,
  code: string,
): Promise<void> {
  const { userId } = session;
  // Also checked before the code, because a refused request must not use up a recovery code.
  requireOptional(await services.db.prisma.user.findUniqueOrThrow({ where: { id: userId } }));
  const checkedUser = await requireCode(services, actor, session, code);
  await services.db.prisma.$transaction(async (tx) => {
    requireOptional(await lockCheckedUser(tx, session, checkedUser));
    await changeUserRow(tx, userId, TWO_FACTOR_OFF);
    await tx.recoveryCode.deleteMany({ where: { userId } });
    await writeAuditEntry(tx, actor, { action: 'two_factor.disable', recordType: 'user', recordId: userId });
  });
}

/**
 * Removes a user's lost second factor on behalf of an administrator or the command line. Ends all of the user's sessions.
 *
 * @throws ServiceError `not_found`; `forbidden` if the actor may not manage the user, or is the user; `unauthorized` if the
 * actor's session has ended
 */
export async function resetTwoFactor(
  db: Database,
  actor: ActorWithRole,
  reference: UserReference,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const { user } = await lockManagedUser(tx, actor, reference);
    requireOtherUser(actor, user.id);
    await changeUserRow(tx, user.id, TWO_FACTOR_OFF);
    await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
    await endSessions(tx, user.id);
    await writeAuditEntry(tx, actor, {
      action: 'two_factor.reset',
      recordType: 'user',
      recordId: user.id,
      before: { two_factor: user.totpEnabledAt !== null },
      after: { two_factor: false },
    });
  });
}

/** Returns how many recovery codes a user has left. */
export function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  return db.prisma.recoveryCode.count({ where: { userId, usedAt: null } });
}
