import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';

/** OWASP's parameters for argon2id: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Node has four threads for such work, which files and DNS lookups share; two stay free. */
const AT_ONCE = 2;
/** A second's worth. Later requests are refused, rather than finished after their client has given up. */
const MAX_WAITING = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work in turns: however many sign in at once, AT_ONCE bounds the memory and the threads in use. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++;
  else {
    if (waiting.length >= MAX_WAITING) {
      throw new ServiceError('service_unavailable', because('answer.busy'), {
        headers: { 'Retry-After': '5' },
      });
    }
    // A hash that has finished passes its slot on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/**
 * Hashes a password with Argon2id, in PHC format.
 *
 * @throws ServiceError `service_unavailable` if too many are waiting
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), OPTIONS));
}

/**
 * Returns whether this is the password that was hashed.
 *
 * @throws ServiceError like hashPassword
 */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password.normalize('NFKC')));
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Generates a password of 99 random bits in groups that are easy to read out: `k7fq-...`. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}
