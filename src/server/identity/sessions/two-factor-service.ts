import { type Actor, writeAudit, writeAudits } from '../../audit/audit';
import { invalidField, ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import { inTransaction } from '../../core/postgres';
import type { SecretBox } from '../../core/secret-box';
import type { Database } from '../../db/client';
import type { UserPrincipal } from '../principals';
import { changeUserRow } from '../users/user-rows';
import {
  lockUser,
  type RoleActor,
  requireMayManage,
  requireSomebodyElse,
  type UserReference,
} from '../users/view-service';
import { requireAttempt } from './attempt-service';
import { endSessions } from './session-service';
import * as sql from './sessions.queries';
import { generateRecoveryCodes, generateTotpSecret, hashRecoveryCode, totpStep, totpUri } from './totp';

/** What two-factor sign-in needs. */
export interface TwoFactorServices {
  db: Database;
  secrets: SecretBox;
  now: () => number;
}

/** A user in one of their sessions. */
type Present = Pick<UserPrincipal, 'userId' | 'sessionId'>;

const about = (userId: number) => `user:${userId}`;

const wrongCode = () => invalidField('code', because('user.code'));

/**
 * Begins the setup with a new secret, which takes effect only once one of its codes is entered. Beginning again discards the
 * earlier secret.
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
    data: { totpSecret: secrets.seal('totp', about(user.id), secret), totpLastStep: null },
  });
  if (count === 0) throw new ServiceError('validation_failed', because('answer.twoFactorOn'));
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
 * @returns the recovery codes, the only copy of them
 * @throws ServiceError `validation_failed` if the code is wrong or no setup was begun
 */
export async function enableTwoFactor(
  { db, secrets, now }: TwoFactorServices,
  actor: Actor,
  { userId, sessionId }: Present,
  code: string,
): Promise<string[]> {
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (user.totpEnabledAt || !user.totpSecret)
    throw new ServiceError('validation_failed', because('answer.twoFactorBegin'));
  const attempt = await requireAttempt(db, sessionId);
  const step = totpStep(secrets.open('totp', about(userId), user.totpSecret), code.replace(/\s/g, ''), now());
  if (step === null) throw wrongCode();
  await attempt.succeeded();
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: userId, totpEnabledAt: null, totpSecret: user.totpSecret },
      data: { totpEnabledAt: new Date(), totpLastStep: step },
    });
    if (count === 0) throw wrongCode();
    await writeAudit(tx, actor, { action: 'two_factor.enable', recordType: 'user', recordId: userId });
    return replaceRecoveryCodes(tx, secrets, userId);
  });
}

/** Uses up a recovery code and records that in the audit log: the user who used it may not be its owner. */
async function consumeRecoveryCode(
  { db, secrets }: Pick<TwoFactorServices, 'db' | 'secrets'>,
  user: { id: number; email: string },
  code: string,
  address: string,
): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const hash = Buffer.from(hashRecoveryCode(secrets, user.id, code));
    const [taken] = await sql.consumeRecoveryCode.run(client, { userId: user.id, hash });
    if (!taken) return false;
    const actor: Actor = { kind: 'user', id: user.id, name: user.email, address: address || undefined };
    await writeAudits(client, actor, [
      { action: 'two_factor.use_recovery_code', recordType: 'user', recordId: user.id },
    ]);
    return true;
  });
}

/** Returns whether this is a valid code of the app or a recovery code, and uses it up. */
export async function consumeSecondFactor(
  { db, secrets, now }: TwoFactorServices,
  user: { id: number; email: string; totpSecret: Uint8Array | null },
  code: string,
  address: string,
): Promise<boolean> {
  if (!user.totpSecret) return false;
  const given = code.replace(/\s/g, '');
  const step = totpStep(secrets.open('totp', about(user.id), user.totpSecret), given, now());
  if (step === null) return consumeRecoveryCode({ db, secrets }, user, given, address);
  const [taken] = await sql.takeTotpStep.run(db.pool, { userId: user.id, step });
  return taken !== undefined;
}

async function requireCode(
  services: TwoFactorServices,
  actor: Actor,
  { userId, sessionId }: Present,
  code: string,
) {
  const user = await services.db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (!user.totpEnabledAt) throw new ServiceError('validation_failed', because('answer.twoFactorOff'));
  const attempt = await requireAttempt(services.db, sessionId);
  if (!(await consumeSecondFactor(services, user, code, actor.address ?? ''))) throw wrongCode();
  await attempt.succeeded();
  return user;
}

/**
 * Replaces the recovery codes.
 *
 * @throws ServiceError `validation_failed` if the code is wrong
 */
export async function renewRecoveryCodes(
  services: TwoFactorServices,
  actor: Actor,
  present: Present,
  code: string,
): Promise<string[]> {
  const { userId } = present;
  await requireCode(services, actor, present, code);
  return services.db.prisma.$transaction(async (tx) => {
    await writeAudit(tx, actor, { action: 'two_factor.renew_codes', recordType: 'user', recordId: userId });
    return replaceRecoveryCodes(tx, services.secrets, userId);
  });
}

const OFF = { totpSecret: null, totpEnabledAt: null, totpLastStep: null };

/**
 * Turns off the user's own two-factor sign-in.
 *
 * @throws ServiceError `validation_failed` if the code is wrong, `forbidden` if two-factor sign-in is required of the user
 */
export async function disableTwoFactor(
  services: TwoFactorServices,
  actor: Actor,
  present: Present,
  code: string,
): Promise<void> {
  const { userId } = present;
  const user = await requireCode(services, actor, present, code);
  if (user.twoFactorRequired) throw new ServiceError('forbidden', because('answer.twoFactorStays'));
  await services.db.prisma.$transaction(async (tx) => {
    await changeUserRow(tx, userId, OFF);
    await tx.recoveryCode.deleteMany({ where: { userId } });
    await writeAudit(tx, actor, { action: 'two_factor.disable', recordType: 'user', recordId: userId });
  });
}

/**
 * Removes a user's lost second factor, for an administrator or on the command line; ends all of the user's sessions.
 *
 * @throws ServiceError `not_found`; `forbidden` for owners if the actor is not one, and for the actor themselves
 */
export async function resetTwoFactor(db: Database, actor: RoleActor, who: UserReference): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const user = await lockUser(tx, who);
    requireMayManage(actor, user.role);
    requireSomebodyElse(actor, user.id);
    await changeUserRow(tx, user.id, OFF);
    await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
    await endSessions(tx, user.id);
    await writeAudit(tx, actor, {
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
