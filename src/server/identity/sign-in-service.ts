import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../db/client';
import { hashPassword, verifyPassword } from './password';
import { type CounterStore, createCounter } from './rate-limit-service';
import { type TwoFactorServices, takeSecondFactor } from './two-factor-service';

/** Why somebody may not sign in, in words that tell nothing of whether the account exists. */
export type SignInFailure = 'wrong_credentials' | 'too_many_attempts' | 'code_required' | 'wrong_code';

type SignInResult = { user: { id: number; email: string } } | { failure: SignInFailure };

const WINDOW_SECONDS = 15 * 60;
const TRIES_OF_AN_ACCOUNT = 10;
const TRIES_FROM_AN_ADDRESS = 60;

/** Counts attempts to sign in, for each address and for each account, whether there is such an account or not. */
export interface SignInLimits {
  byAddress: RateLimiterAbstract;
  byAccount: RateLimiterAbstract;
}

export function createSignInLimits(db: Database, store: CounterStore): SignInLimits {
  const counter = (keyPrefix: string, points: number) =>
    createCounter(db.pool, store, { keyPrefix, points, duration: WINDOW_SECONDS });
  return {
    byAddress: counter('sign-in-address', TRIES_FROM_AN_ADDRESS),
    byAccount: counter('sign-in-account', TRIES_OF_AN_ACCOUNT),
  };
}

/** An e-mail address may be longer than what a counter's name may be, and is nobody's business there. */
const counterOf = (email: string) => createHash('sha256').update(email).digest('base64url');

async function isAllowed(limits: SignInLimits, email: string, address: string): Promise<boolean> {
  try {
    await limits.byAddress.consume(address);
    await limits.byAccount.consume(counterOf(email));
    return true;
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) return false;
    throw rejected;
  }
}

let nobodysHash: Promise<string> | undefined;

/**
 * Checks e-mail, password and, where it is on, the second factor. It takes the same time whether the account exists, has a
 * password, is deactivated, or not: a password is always verified, if need be against nobody's.
 */
export async function checkSignIn(
  services: TwoFactorServices & { signInLimits: SignInLimits },
  input: { email: string; password: string; code: string; address: string },
): Promise<SignInResult> {
  const { db, signInLimits } = services;
  const email = input.email.trim().toLowerCase().slice(0, 254);
  if (!(await isAllowed(signInLimits, email, input.address))) return { failure: 'too_many_attempts' };
  nobodysHash ??= hashPassword('nobody has this password');
  const user = email.includes('\u0000') ? null : await db.prisma.user.findUnique({ where: { email } });
  const hash = user?.passwordHash ?? (await nobodysHash);
  const right = await verifyPassword(hash, input.password.slice(0, 1_000));
  if (!user?.passwordHash || !right || user.deactivatedAt !== null) return { failure: 'wrong_credentials' };
  if (user.totpEnabledAt !== null) {
    if (input.code.trim() === '') return { failure: 'code_required' };
    if (!(await takeSecondFactor(services, user, input.code))) return { failure: 'wrong_code' };
  }
  await signInLimits.byAccount.delete(counterOf(email));
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
