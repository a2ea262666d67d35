import type { Database } from '../../db/client';
import { beginAttempt, beginCodeAttempt } from './attempt-service';
import { hashPassword, verifyPassword } from './password';
import {
  consumeSecondFactor,
  type SecondFactorFailure,
  type TwoFactorServices,
} from './second-factor-service';
import type { SignedInUser } from './session-service';

/** Why a sign-in failed, without revealing whether the account exists. */
type SignInFailure =
  | 'wrong_credentials'
  | 'too_many_attempts'
  | 'code_required'
  | 'expired'
  | SecondFactorFailure;

type SignInResult = { user: SignedInUser } | { failure: SignInFailure };

/** Returns the id of the requesting device, if it has signed in to the account before. */
type DeviceIdOf = (userId: number) => string | null;

let dummyHash: string | undefined;

/**
 * Checks the e-mail address, the password and, if the user has one, the second factor. A refused password takes the same time
 * whether or not the account exists, has a password or is deactivated, because without a stored hash it is verified against a dummy
 * hash.
 */
export async function checkSignIn(
  services: TwoFactorServices,
  input: { email: string; password: string; code: string; address: string; deviceIdOf: DeviceIdOf },
): Promise<SignInResult> {
  const { db } = services;
  const email = input.email.trim().toLowerCase().slice(0, 254);
  const user = email.includes('\u0000') ? null : await db.prisma.user.findUnique({ where: { email } });
  const deviceId = user && input.deviceIdOf(user.id);
  const attempt = await beginAttempt(db, {
    email,
    userId: user?.id ?? null,
    address: input.address,
    deviceId,
  });
  if (!attempt) return { failure: 'too_many_attempts' };
  dummyHash ??= await hashPassword('nobody has this password');
  const hash = user?.passwordHash ?? dummyHash;
  const isPasswordCorrect = await verifyPassword(hash, input.password.slice(0, 1_000));
  if (!user?.passwordHash || !isPasswordCorrect || user.deactivatedAt !== null)
    return { failure: 'wrong_credentials' };
  if (user.totpEnabledAt !== null) {
    // The password is right, so this does not count as a failed attempt. The code comes with the next request.
    if (input.code.trim() === '') {
      await attempt.cancel();
      return { failure: 'code_required' };
    }
    const failure = await checkCode(services, user, { ...input, deviceId });
    // The password was right, and no code could have been guessed.
    if (failure === 'second_factor_unreadable') await attempt.cancel();
    if (failure) return { failure };
  }
  await attempt.succeed();
  const { id, passwordChangedAt } = user;
  return { user: { id, email: user.email, passwordChangedAt } };
}

/**
 * Checks the second factor, whose attempts are counted separately from password attempts. Returns why it is refused, or null if it
 * is right.
 */
async function checkCode(
  services: TwoFactorServices,
  user: Parameters<typeof consumeSecondFactor>[1],
  input: { code: string; address: string; deviceId: string | null },
): Promise<'too_many_attempts' | SecondFactorFailure | null> {
  const attempt = await beginCodeAttempt(services.db, { userId: user.id, deviceId: input.deviceId });
  if (!attempt) return 'too_many_attempts';
  const failure = await consumeSecondFactor(services, user, input.code, input.address);
  if (failure === 'second_factor_unreadable') await attempt.cancel();
  if (failure === null) await attempt.succeed();
  return failure;
}

/** A user whom an identity provider vouches for. */
export interface ProviderUser {
  id: number;
  email: string;
  /** Whether our own second factor is required too, so that a stolen account at the provider is not enough to sign in here. */
  requiresSecondFactor: boolean;
}

/** Finds the active user whom an identity provider vouches for. Never creates one. */
export async function findActiveUserByEmail(db: Database, email: string): Promise<ProviderUser | null> {
  // ASCII only, like all stored addresses: lower-casing turns some other letters into ASCII ones.
  if (!/^[\x21-\x7e]{3,254}$/.test(email)) return null;
  const user = await db.prisma.user.findUnique({ where: { email: email.toLowerCase() } });
  if (!user || user.deactivatedAt !== null) return null;
  return { id: user.id, email: user.email, requiresSecondFactor: user.totpEnabledAt !== null };
}

/** Checks the second factor of a user whom an identity provider has already vouched for. */
export async function checkSecondStep(
  services: TwoFactorServices,
  input: { userId: number | null; code: string; address: string; deviceIdOf: DeviceIdOf },
): Promise<SignInResult> {
  const { db } = services;
  const { userId, code, address } = input;
  const user = userId === null ? null : await db.prisma.user.findUnique({ where: { id: userId } });
  if (!user || user.deactivatedAt !== null || user.totpEnabledAt === null) return { failure: 'expired' };
  if (code.trim() === '') return { failure: 'code_required' };
  const failure = await checkCode(services, user, { code, address, deviceId: input.deviceIdOf(user.id) });
  if (failure) return { failure };
  return { user: { id: user.id, email: user.email } };
}
