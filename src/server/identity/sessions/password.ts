import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { READABLE_ALPHABET } from './readable-alphabet';

/** OWASP's parameters for argon2id: 19 MiB, two passes. */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** By default, Node has four threads for such work, shared with file access and DNS lookups. Two of them stay free. */
const MAX_CONCURRENT_HASHES = 2;
/** About a second's worth of hashes. Further requests are refused, so that nobody waits much longer. */
const MAX_WAITING_CALLERS = 100;

let runningCount = 0;
const waitingCallers: (() => void)[] = [];

/**
 * Runs a task once a slot is free. However many users sign in at the same time, MAX_CONCURRENT_HASHES limits the memory and
 * threads in use.
 */
async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (runningCount < MAX_CONCURRENT_HASHES) runningCount++;
  else {
    if (waitingCallers.length >= MAX_WAITING_CALLERS) {
      throw new ServiceError('service_unavailable', createReason('answer.busy'), {
        headers: { 'Retry-After': '5' },
      });
    }
    // A call that finishes hands its slot to the next one.
    await new Promise<void>((resolve) => waitingCallers.push(resolve));
  }
  try {
    return await work();
  } finally {
    const resumeNextCaller = waitingCallers.shift();
    if (resumeNextCaller) resumeNextCaller();
    else runningCount--;
  }
}

/**
 * Hashes a password with Argon2id, in PHC format.
 *
 * @throws ServiceError `service_unavailable` if too many requests are waiting
 */
export function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(password.normalize('NFKC'), ARGON2_OPTIONS));
}

/**
 * Returns whether the password matches the hash.
 *
 * @throws ServiceError `service_unavailable` if too many requests are waiting
 */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return withSlot(() => verify(passwordHash, password.normalize('NFKC')));
}

/** Generates a password of 99 random bits in groups that are easy to read out: `k7fq-...`. */
export function generatePassword(): string {
  const generateGroup = () =>
    Array.from({ length: 4 }, () => READABLE_ALPHABET[randomInt(READABLE_ALPHABET.length)]).join('');
  return Array.from({ length: 5 }, generateGroup).join('-');
}
