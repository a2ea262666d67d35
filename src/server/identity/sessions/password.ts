import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';

/** OWASP's parameters for argon2id: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of the four threads that Node has for such work, with files and names of servers, two stay free. */
const AT_ONCE = 2;
/** A second's worth. Whoever comes later is told so, in place of an answer that nobody waits for any more. */
const MOST_WAITING = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Takes turns: however many sign in at once, memory and the other work of the process are bounded by AT_ONCE. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++;
  else {
    if (waiting.length >= MOST_WAITING) {
      throw new ServiceError('service_unavailable', because('answer.busy'), {
        headers: { 'Retry-After': '5' },
      });
    }
    // Whoever ends hands the place on.
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
 * Argon2id in PHC form.
 *
 * @throws ServiceError `service_unavailable` where too many wait for their turn
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), OPTIONS));
}

/**
 * Whether this is the password that was hashed.
 *
 * @throws ServiceError as hashPassword
 */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password.normalize('NFKC')));
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password of 99 random bits in groups that can be read out: `k7fq-...`. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}
