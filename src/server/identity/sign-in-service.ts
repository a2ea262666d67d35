import type { Database } from '../db/client';
import { countAttempt, forgetAttempts } from './attempt-service';
import { hashPassword, verifyPassword } from './password';
import { type TwoFactorServices, takeSecondFactor } from './two-factor-service';

/** Why somebody may not sign in, in words that tell nothing of whether the account exists. */
export type SignInFailure = 'wrong_credentials' | 'too_many_attempts' | 'code_required' | 'wrong_code';

type SignInResult = { user: { id: number; email: string } } | { failure: SignInFailure };

let nobodysHash: Promise<string> | undefined;

/**
 * Checks e-mail, password and, where it is on, the second factor. It takes the same time whether the account exists, has a
 * password, is deactivated, or not: a password is always verified, if need be against nobody's.
 */
export async function checkSignIn(
  services: TwoFactorServices,
  input: { email: string; password: string; code: string; address: string },
): Promise<SignInResult> {
  const { db, signInLimits } = services;
  const email = input.email.trim().toLowerCase().slice(0, 254);
  if (!(await countAttempt(signInLimits, email, input.address))) return { failure: 'too_many_attempts' };
  nobodysHash ??= hashPassword('nobody has this password');
  const user = email.includes('\u0000') ? null : await db.prisma.user.findUnique({ where: { email } });
  const hash = user?.passwordHash ?? (await nobodysHash);
  const right = await verifyPassword(hash, input.password.slice(0, 1_000));
  if (!user?.passwordHash || !right || user.deactivatedAt !== null) return { failure: 'wrong_credentials' };
  if (user.totpEnabledAt !== null) {
    if (input.code.trim() === '') return { failure: 'code_required' };
    if (!(await takeSecondFactor(services, user, input.code))) return { failure: 'wrong_code' };
  }
  await forgetAttempts(signInLimits, email, input.address);
  return { user: { id: user.id, email: user.email } };
}

/** The person whom an identity provider vouches for: somebody known, and active; never a new one. */
export async function findStaffByEmail(
  db: Database,
  email: string,
): Promise<{ id: number; email: string } | null> {
  const user = await db.prisma.user.findUnique({ where: { email: email.toLowerCase() } });
  return user && user.deactivatedAt === null ? { id: user.id, email: user.email } : null;
}
