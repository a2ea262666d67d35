import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../core/address-range';
import { ServiceError } from '../../core/errors';
import type { Database } from '../../db/client';
import { type CounterStore, createCounter } from '../../gateway/rate-limit-service';

const WINDOW_SECONDS = 15 * 60;
const TRIES_OF_AN_ACCOUNT = 10;
const TRIES_FROM_AN_ADDRESS = 60;

/** Counts attempts to guess a secret, for each address and for each account, whether there is such an account or not. */
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

/** Counts an attempt. False where the address or the account has had too many. */
export async function countAttempt(limits: SignInLimits, email: string, address: string): Promise<boolean> {
  try {
    if (address !== '') await limits.byAddress.consume(networkOf(address));
    await limits.byAccount.consume(counterOf(email));
    return true;
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) return false;
    throw rejected;
  }
}

/** Forgets the attempts of an account whose person has shown to be the right one, and this one of the address. */
export async function forgetAttempts(limits: SignInLimits, email: string, address: string): Promise<void> {
  await limits.byAccount.delete(counterOf(email));
  // All of an office may come from one address in the morning.
  if (address !== '') await limits.byAddress.reward(networkOf(address));
}

/**
 * Counts an attempt of a person who is signed in to give a password or a code again: a session that was taken over must not
 * be good for guessing either.
 *
 * @throws ServiceError `rate_limited`
 */
export async function requireAttempt(limits: SignInLimits, email: string): Promise<void> {
  if (await countAttempt(limits, email, '')) return;
  throw new ServiceError('rate_limited', 'Too many attempts. Wait a quarter of an hour and try again.');
}
