import type { Database } from '../../db/client';
import { countAttempt, forgetAttempts } from './attempt-service';
import { hashPassword, verifyPassword } from './password';
import type { SignedInUser } from './session-service';
import { type TwoFactorServices, takeSecondFactor } from './two-factor-service';

/** Why somebody may not sign in, in words that tell nothing of whether the account exists. */
type SignInFailure = 'wrong_credentials' | 'too_many_attempts' | 'code_required' | 'wrong_code' | 'expired';

type SignInResult = { user: SignedInUser } | { failure: SignInFailure };

let nobodysHash: string | undefined;

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
  nobodysHash ??= await hashPassword('nobody has this password');
  const user = email.includes('\u0000') ? null : await db.prisma.user.findUnique({ where: { email } });
  const hash = user?.passwordHash ?? nobodysHash;
  const right = await verifyPassword(hash, input.password.slice(0, 1_000));
  if (!user?.passwordHash || !right || user.deactivatedAt !== null) return { failure: 'wrong_credentials' };
  if (user.totpEnabledAt !== null) {
    if (input.code.trim() === '') return { failure: 'code_required' };
    if (!(await takeSecondFactor(services, user, input.code, input.address)))
      return { failure: 'wrong_code' };
  }
  await forgetAttempts(signInLimits, email, input.address);
  const { id, passwordChangedAt } = user;
  return { user: { id, email: user.email, passwordChangedAt } };
}

/** Somebody whom an identity provider vouches for. */
export interface Staff {
  id: number;
  email: string;
  /** A second factor of ours is owed as well: whoever took over the account there has not taken over this one. */
  twoFactor: boolean;
}

/** The person whom an identity provider vouches for: somebody known, and active; never a new one. */
export async function findStaffByEmail(db: Database, email: string): Promise<Staff | null> {
  // In ASCII, as all stored ones are: there are other letters whose small form is one of ASCII.
  if (!/^[\x21-\x7e]{3,254}$/.test(email)) return null;
  const user = await db.prisma.user.findUnique({ where: { email: email.toLowerCase() } });
  if (!user || user.deactivatedAt !== null) return null;
  return { id: user.id, email: user.email, twoFactor: user.totpEnabledAt !== null };
}

/** Checks the second factor of a person for whom an identity provider has vouched already. */
export async function checkSecondStep(
  services: TwoFactorServices,
  input: { userId: number | null; code: string; address: string },
): Promise<SignInResult> {
  const { db, signInLimits } = services;
  const { userId, code, address } = input;
  const user = userId === null ? null : await db.prisma.user.findUnique({ where: { id: userId } });
  if (!user || user.deactivatedAt !== null || user.totpEnabledAt === null) return { failure: 'expired' };
  if (code.trim() === '') return { failure: 'code_required' };
  if (!(await countAttempt(signInLimits, user.email, address))) return { failure: 'too_many_attempts' };
  if (!(await takeSecondFactor(services, user, code, address))) return { failure: 'wrong_code' };
  await forgetAttempts(signInLimits, user.email, address);
  return { user: { id: user.id, email: user.email } };
}
