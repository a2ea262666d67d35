import { type Actor, writeAuditEntries } from '../../audit/service';
import { invalidField, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Log } from '../../core/log';
import type { SecretBox } from '../../core/secret-box';
import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import { requireCodeAttempt } from './attempt-service';
import * as sql from './sessions.queries';
import { hashRecoveryCode, totpStep } from './totp';

/** The services that two-factor sign-in needs. */
export interface TwoFactorServices {
  db: Database;
  secrets: SecretBox;
  log: Log;
  now: () => number;
}

/** Returns the context with which a user's TOTP secret is sealed, so that the secret cannot be moved to another user. */
const sealContextOf = (userId: number) => `user:${userId}`;

/** Returns the error for a code that is wrong or was already used. */
export const wrongCodeError = () => invalidField('code', createReason('user.code'));

const SEALED_WITH_ANOTHER_SECRET =
  "a user's second factor was sealed with another secret, so neither codes nor recovery codes can be checked; put the old " +
  'secret back, or reset the second factor with `user reset-2fa` (docs/backups.md)';

/** Encrypts a user's TOTP secret for storage. */
export const sealTotpSecret = (secrets: SecretBox, userId: number, secret: string) =>
  secrets.seal('totp', sealContextOf(userId), secret);

/** Returns a user's TOTP secret, or null if it was sealed with another secret. */
export function openTotpSecret(secrets: SecretBox, userId: number, sealedSecret: Uint8Array): string | null {
  try {
    return secrets.open('totp', sealContextOf(userId), sealedSecret);
  } catch {
    return null;
  }
}

/**
 * Uses up a recovery code and records this in the audit log, since someone other than its owner may have used it. Returns false if
 * the code is unknown or used.
 */
async function consumeRecoveryCode(
  { db, secrets }: Pick<TwoFactorServices, 'db' | 'secrets'>,
  user: { id: number; email: string },
  code: string,
  address: string,
): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const hash = Buffer.from(hashRecoveryCode(secrets, user.id, code));
    const [consumedCode] = await sql.consumeRecoveryCode.run(client, { userId: user.id, hash });
    if (!consumedCode) return false;
    const actor: Actor = { kind: 'user', id: user.id, name: user.email, address: address || undefined };
    await writeAuditEntries(client, actor, [
      { action: 'two_factor.use_recovery_code', recordType: 'user', recordId: user.id },
    ]);
    return true;
  });
}

/** Why a second factor is refused. If it is unreadable, no code can be checked and nothing was guessed. */
export type SecondFactorFailure = 'wrong_code' | 'second_factor_unreadable';

/**
 * Uses up a code from the app or a recovery code. Returns why it is refused, or null if it was valid and unused. Recovery codes are
 * hashed with the secret that seals the TOTP secret, so if that one is unreadable, they are of no use either.
 */
export async function consumeSecondFactor(
  { db, secrets, log, now }: TwoFactorServices,
  user: { id: number; email: string; totpSecret: Uint8Array | null },
  code: string,
  address: string,
): Promise<SecondFactorFailure | null> {
  if (!user.totpSecret) return 'wrong_code';
  const secret = openTotpSecret(secrets, user.id, user.totpSecret);
  if (secret === null) {
    log.warn({ userId: user.id }, SEALED_WITH_ANOTHER_SECRET);
    return 'second_factor_unreadable';
  }
  const compactCode = code.replace(/\s/g, '');
  const step = totpStep(secret, compactCode, now());
  const isValid =
    step === null
      ? await consumeRecoveryCode({ db, secrets }, user, compactCode, address)
      : (await sql.takeTotpStep.run(db.pool, { userId: user.id, step })).length > 0;
  return isValid ? null : 'wrong_code';
}

/**
 * Uses up a signed-in user's code.
 *
 * @throws ServiceError `validation_failed` if the code is wrong; `conflict` if the second factor was sealed with another secret;
 * `rate_limited`
 */
export async function requireSecondFactor(
  services: TwoFactorServices,
  user: Parameters<typeof consumeSecondFactor>[1],
  code: string,
  address: string,
): Promise<void> {
  const attempt = await requireCodeAttempt(services.db, user.id);
  const failure = await consumeSecondFactor(services, user, code, address);
  if (failure === 'second_factor_unreadable') {
    await attempt.cancel();
    throw new ServiceError('conflict', createReason('user.otherSecret'));
  }
  if (failure) throw wrongCodeError();
  await attempt.succeed();
}
