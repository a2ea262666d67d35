import { createHash } from 'node:crypto';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { networkOf } from '../../core/http/address-range';
import type { Database } from '../../db/client';
import * as sql from './attempts.queries';

/** Attempts without a wait: for an account on one network, a user's known device, a user's second factor, or a session's password. */
const FREE_ATTEMPTS = 5;
/** Attempts without a wait from one network, for all accounts together. A whole office may share one address. */
const FREE_ATTEMPTS_PER_NETWORK = 60;
/**
 * Failed attempts for one account from unknown devices on any network, after which each network has only one attempt without a
 * wait.
 */
const ATTACK_THRESHOLD = 100;
/** Waits in seconds. Each further attempt doubles the wait, up to the longest. */
const WAITS = {
  firstWait: 15,
  longestWait: 300,
  /** The count is forgotten if there is no further attempt for this long. */
  expiresAfter: 3_600,
};

/** A number of attempts without a wait that is larger than any count, so there is never a wait. */
const UNLIMITED_ATTEMPTS = 2_000_000_000;

/** Counts an attempt. Returns how many have been counted, or null if the wait is not over. */
async function addAttempt(db: Database, name: string, freeAttempts: number): Promise<number | null> {
  const [row] = await sql.addAttempt.run(db.pool, { name, freeAttempts, ...WAITS });
  return row?.tries ?? null;
}

const removeAttempt = (db: Database, name: string) => sql.removeAttempt.run(db.pool, { name });
const resetAttempts = (db: Database, name: string) => sql.resetAttempts.run(db.pool, { name });

/** An attempt. It counts as failed unless one of these methods is called. */
export interface Attempt {
  /**
   * The secret was right: resets the narrowest count (of the device, session or second factor, or of the account on one network)
   * and removes the attempt from the wider counts.
   */
  succeed(): Promise<void>;
  /** Removes this attempt from all counts, because nothing was guessed. */
  cancel(): Promise<void>;
}

/** Who is trying to sign in, and to which account. */
export interface SignInSubject {
  email: string;
  /** The user's id, if the user exists. */
  userId: number | null;
  address: string;
  /** The id of the device, if it has signed in to this account before. */
  deviceId: string | null;
}

/** Hashes an e-mail address, which may be too long for a counter's name and need not be readable there. */
const hashEmail = (email: string) => createHash('sha256').update(email).digest('base64url');

/** Counts an attempt under a single name. Returns null if the caller still has to wait. */
async function countAttempt(db: Database, name: string): Promise<Attempt | null> {
  if ((await addAttempt(db, name, FREE_ATTEMPTS)) === null) return null;
  return {
    succeed: async () => void (await resetAttempts(db, name)),
    cancel: async () => void (await removeAttempt(db, name)),
  };
}

/**
 * Counts an attempt to sign in, before anything is checked. Nobody is locked out: someone who guesses has to wait between
 * attempts, while users on other networks or known devices can still sign in.
 *
 * - A device that has signed in to the account before has a count of its own. When it would have to wait, it is treated like any
 *   other device.
 * - For any other device, attempts are counted per account and network, per network, and per account. An IPv6 network is a /64.
 * - After many failures for one account from anywhere, each network has one attempt without a wait instead of five. This slows
 *   down a distributed attack, while a user on a new device still gets in immediately with the right password.
 *
 * Counts are stored in the database and shared by all servers.
 *
 * @returns null if the wait is not over
 */
export async function beginAttempt(db: Database, subject: SignInSubject): Promise<Attempt | null> {
  if (subject.deviceId !== null && subject.userId !== null) {
    const deviceAttempt = await countAttempt(db, `device:${subject.userId}:${subject.deviceId}`);
    if (deviceAttempt) return deviceAttempt;
  }
  const accountCounter = `account:${hashEmail(subject.email)}`;
  const network = networkOf(subject.address);
  const [accountOnNetworkCounter, networkCounter] = [`${accountCounter}:${network}`, `network:${network}`];
  const isUnderAttack = (await addAttempt(db, accountCounter, UNLIMITED_ATTEMPTS))! > ATTACK_THRESHOLD;
  if ((await addAttempt(db, accountOnNetworkCounter, isUnderAttack ? 1 : FREE_ATTEMPTS)) === null) {
    await removeAttempt(db, accountCounter);
    return null;
  }
  if (subject.address !== '' && (await addAttempt(db, networkCounter, FREE_ATTEMPTS_PER_NETWORK)) === null) {
    await Promise.all([removeAttempt(db, accountCounter), removeAttempt(db, accountOnNetworkCounter)]);
    return null;
  }
  return {
    async succeed() {
      await Promise.all([
        removeAttempt(db, accountCounter),
        resetAttempts(db, accountOnNetworkCounter),
        removeAttempt(db, networkCounter),
      ]);
    },
    async cancel() {
      await Promise.all([
        removeAttempt(db, accountCounter),
        removeAttempt(db, accountOnNetworkCounter),
        removeAttempt(db, networkCounter),
      ]);
    },
  };
}

/**
 * Counts an attempt at the second factor after the password was right or an identity provider has vouched for the user.
 * Attempts are counted for the account as a whole, because a code has only six digits and the first factor may already be
 * stolen. A known device has a count of its own.
 *
 * @returns null if the wait is not over
 */
export async function beginCodeAttempt(
  db: Database,
  { userId, deviceId }: { userId: number; deviceId: string | null },
): Promise<Attempt | null> {
  const deviceAttempt =
    deviceId === null ? null : await countAttempt(db, `code-device:${userId}:${deviceId}`);
  return deviceAttempt ?? countAttempt(db, `code:${userId}`);
}

/** @throws ServiceError `rate_limited` with the time to wait */
async function requireAttempt(db: Database, name: string): Promise<Attempt> {
  const attempt = await countAttempt(db, name);
  if (attempt) return attempt;
  const [wait] = await sql.readWait.run(db.pool, { name });
  const seconds = Math.max(1, wait?.seconds ?? 1);
  throw new ServiceError('rate_limited', createReason('user.attempts', { seconds }), {
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Counts a signed-in user's attempt to enter their password again, so that guessing with a hijacked session is slow. Each session
 * has a count of its own, so that attempts in one session make no other session wait.
 *
 * @throws ServiceError `rate_limited` with the time to wait
 */
export const requirePasswordAttempt = (db: Database, sessionId: string): Promise<Attempt> =>
  requireAttempt(db, `session:${sessionId}`);

/**
 * Counts a signed-in user's attempt to enter a code, separately from passwords: otherwise someone who knows the password could
 * enter it to reset the count, and guess codes without ever waiting. Codes are counted for the account as a whole, so that more
 * sessions do not bring more attempts, but not together with those at sign-in, which anyone with the password can make.
 *
 * @throws ServiceError `rate_limited` with the time to wait
 */
export const requireCodeAttempt = (db: Database, userId: number): Promise<Attempt> =>
  requireAttempt(db, `session-code:${userId}`);

/** Deletes expired counts. */
export async function deleteExpiredAttempts(db: Database): Promise<void> {
  await sql.deleteExpiredAttempts.run(db.pool);
}
