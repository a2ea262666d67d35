import { createHash } from 'node:crypto';
import { networkOf } from '../../core/address-range';
import { ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import * as sql from './attempts.queries';

/** Tries without a wait for one user from one network, or from a device that has signed in to the account before. */
const FREE_TRIES = 5;
/** Tries without a wait from one network, for all users together: a whole office may share one address. */
const FREE_OF_A_NETWORK = 60;
/** Failed tries for one user from unknown devices, anywhere, after which each network has only one try without a wait. */
const UNDER_ATTACK_FROM = 100;
/** The first wait, in seconds. Each further try doubles it, up to the longest. */
const WAITS = {
  firstWait: 15,
  longestWait: 300,
  /** Without another try, the count is forgotten after this time. */
  forgottenAfter: 3_600,
};

/** Larger than any count, so that no wait is ever needed. */
const NO_WAIT = 2_000_000_000;

/** @returns the number of the try; null if the wait is not over */
async function takeTurn(db: Database, name: string, free: number): Promise<number | null> {
  const [turn] = await sql.takeTurn.run(db.pool, { name, free, ...WAITS });
  return turn?.tries ?? null;
}

const giveBack = (db: Database, name: string) => sql.giveBackTurn.run(db.pool, { name });
const forget = (db: Database, name: string) => sql.forgetTurns.run(db.pool, { name });

/** A try that counts as failed unless one of these is called. */
export interface Attempt {
  /** The secret was right: resets what was counted against the user. */
  succeeded(): Promise<void>;
  /** Nothing was guessed: this one try does not count. */
  cancel(): Promise<void>;
}

/** Who tries to sign in, and as whom. */
export interface SignInSubject {
  email: string;
  /** The user's id, if the user exists. */
  userId: number | null;
  address: string;
  /** The device, if its browser has signed in to this account before. */
  device: string | null;
}

/** Hashed: an e-mail address may be longer than a counter's name, and need not be readable there. */
const digest = (email: string) => createHash('sha256').update(email).digest('base64url');

/** A try that is counted under a single name. */
async function countedAlone(db: Database, name: string): Promise<Attempt | null> {
  if ((await takeTurn(db, name, FREE_TRIES)) === null) return null;
  return {
    succeeded: async () => void (await forget(db, name)),
    cancel: async () => void (await giveBack(db, name)),
  };
}

/**
 * Counts a try to sign in, before anything is checked. Nobody is locked out: whoever guesses has to wait between tries, without
 * making others wait.
 *
 * - A device that signed in to the account before is counted separately, whatever others do. Once it has to wait, it is treated
 * like any other.
 * - Any other device is counted by account and network, and by network alone. An IPv6 network is a /64.
 * - Many failures for one account, from anywhere, leave each network one try without a wait instead of five: a distributed
 * attack is slow too, and a user on a new device still gets in at once with the right password.
 *
 * Counts are in the database, shared by all servers.
 *
 * @returns null if the wait is not over
 */
export async function beginAttempt(db: Database, who: SignInSubject): Promise<Attempt | null> {
  if (who.device !== null && who.userId !== null) {
    const known = await countedAlone(db, `device:${who.userId}:${who.device}`);
    if (known) return known;
  }
  const account = `account:${digest(who.email)}`;
  const network = networkOf(who.address);
  const [here, everywhere] = [`${account}:${network}`, `network:${network}`];
  const underAttack = (await takeTurn(db, account, NO_WAIT))! > UNDER_ATTACK_FROM;
  if ((await takeTurn(db, here, underAttack ? 1 : FREE_TRIES)) === null) {
    await giveBack(db, account);
    return null;
  }
  if (who.address !== '' && (await takeTurn(db, everywhere, FREE_OF_A_NETWORK)) === null) {
    await Promise.all([giveBack(db, account), giveBack(db, here)]);
    return null;
  }
  return {
    async succeeded() {
      await Promise.all([giveBack(db, account), forget(db, here), giveBack(db, everywhere)]);
    },
    async cancel() {
      await Promise.all([giveBack(db, account), giveBack(db, here), giveBack(db, everywhere)]);
    },
  };
}

/**
 * Counts a try at the second factor after the password was right, or after an identity provider has vouched for the user.
 * Counted for the account as a whole, because a code has only six digits and the first factor is already lost. A known device
 * is counted separately.
 *
 * @returns null if the wait is not over
 */
export async function beginCodeAttempt(
  db: Database,
  { userId, device }: { userId: number; device: string | null },
): Promise<Attempt | null> {
  const known = device === null ? null : await countedAlone(db, `code-device:${userId}:${device}`);
  return known ?? countedAlone(db, `code:${userId}`);
}

/**
 * Counts a signed-in user's try to enter a password or code again, separately from all others: a hijacked session must not be
 * usable for guessing, and nobody outside can make its user wait.
 *
 * @throws ServiceError `rate_limited`, saying how long to wait
 */
export async function requireAttempt(db: Database, sessionId: string): Promise<Attempt> {
  const name = `session:${sessionId}`;
  const attempt = await countedAlone(db, name);
  if (attempt) return attempt;
  const [wait] = await sql.readWait.run(db.pool, { name });
  const seconds = Math.max(1, wait?.seconds ?? 1);
  throw new ServiceError('rate_limited', because('user.attempts', { seconds }), {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Deletes expired counts. */
export async function deleteForgottenAttempts(db: Database): Promise<void> {
  await sql.deleteForgottenTurns.run(db.pool);
}
