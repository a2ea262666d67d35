import { createHash } from 'node:crypto';
import { networkOf } from '../../core/address-range';
import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';

/** Tries without a wait: for one account from one network, or with a device that signed in to it before. */
const FREE_TRIES = 5;
/** Tries without a wait from one network, whichever accounts they are for: a whole office may have one address. */
const FREE_OF_A_NETWORK = 60;
/** Failed tries at one account from unknown devices, wherever from, after which each network has one try without a wait. */
const PRESSED_FROM = 100;
/** The first wait. Each further try doubles it, up to the longest. */
const FIRST_WAIT_SECONDS = 15;
const LONGEST_WAIT_SECONDS = 300;
/** After this time without a try all is forgotten. */
const FORGOTTEN_AFTER = '1 hour';

/**
 * Takes a turn where none has to be waited for, and says by which try it was; answers nothing otherwise. It counts before the
 * secret is checked, so that many tries at once do not get more turns than one after the other. By the clock and not by the
 * transaction's now(), which is older than what a try that was faster has just written.
 */
const TAKE_TURN = `
INSERT INTO sign_in_turns AS t (name, tries, next_at, expires_at)
VALUES ($1, 1, clock_timestamp() + CASE WHEN $2 > 1 THEN interval '0' ELSE make_interval(secs => ${FIRST_WAIT_SECONDS}) END,
        clock_timestamp() + interval '${FORGOTTEN_AFTER}')
ON CONFLICT (name) DO UPDATE SET
  tries = CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END,
  next_at = clock_timestamp() + CASE
    WHEN CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END < $2 THEN interval '0'
    ELSE make_interval(secs => least(${LONGEST_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ least(
           CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END - $2, 10))) END,
  expires_at = clock_timestamp() + interval '${FORGOTTEN_AFTER}'
WHERE t.next_at <= clock_timestamp() OR t.expires_at <= clock_timestamp()
RETURNING tries`;
const GIVE_BACK =
  'UPDATE sign_in_turns SET tries = greatest(tries - 1, 0), next_at = clock_timestamp() WHERE name = $1';
const FORGET = 'DELETE FROM sign_in_turns WHERE name = $1';
const WAIT =
  'SELECT ceil(extract(epoch FROM next_at - clock_timestamp()))::int AS seconds FROM sign_in_turns WHERE name = $1';
/** Larger than any count: nothing has to be waited for. */
const NO_WAIT = 2_000_000_000;

/** @returns by which try it is; null where the turn has not come yet */
async function takeTurn(db: Database, name: string, free: number): Promise<number | null> {
  const { rows } = await db.pool.query<{ tries: number }>(TAKE_TURN, [name, free]);
  return rows[0]?.tries ?? null;
}

const giveBack = (db: Database, name: string) => db.pool.query(GIVE_BACK, [name]);
const forget = (db: Database, name: string) => db.pool.query(FORGET, [name]);

/** A try that counts as failed unless it is said that it was none. */
export interface Attempt {
  /** The secret was right: what was counted against the person is forgotten. */
  succeeded(): Promise<void>;
  /** Nothing was guessed: this one try is not counted. */
  wasNone(): Promise<void>;
}

/** Who tries to sign in to which account. */
export interface Trier {
  email: string;
  /** The account's id, where there is one. */
  userId: number | null;
  address: string;
  /** The device, where its browser has signed in to this account before. */
  device: string | null;
}

/** An e-mail address may be longer than what a counter's name may be, and is nobody's business there. */
const digest = (email: string) => createHash('sha256').update(email).digest('base64url');

/** A try that is counted under one name alone. */
async function countedAlone(db: Database, name: string): Promise<Attempt | null> {
  if ((await takeTurn(db, name, FREE_TRIES)) === null) return null;
  return {
    succeeded: async () => void (await forget(db, name)),
    wasNone: async () => void (await giveBack(db, name)),
  };
}

/**
 * Counts a try to sign in, before anything is checked. Nobody is locked out: whoever guesses has to wait between tries, and
 * whoever else guesses makes nobody else wait.
 *
 * - A device that signed in to the account before is counted by itself, whatever others do. Once it has to wait it is treated
 *   like any other.
 * - Any other is counted by account and network, and by network alone. An IPv6 network is a /64.
 * - Many failures at one account, from wherever, leave each network one try without a wait in place of five: guessing by many
 *   is slow too, and a person on a new device still gets in at once with the right password.
 *
 * All is counted in the database, for all servers together.
 *
 * @returns null where the turn has not come yet
 */
export async function beginAttempt(db: Database, who: Trier): Promise<Attempt | null> {
  if (who.device !== null && who.userId !== null) {
    const known = await countedAlone(db, `device:${who.userId}:${who.device}`);
    if (known) return known;
  }
  const account = `account:${digest(who.email)}`;
  const network = networkOf(who.address);
  const [here, everywhere] = [`${account}:${network}`, `network:${network}`];
  const pressed = (await takeTurn(db, account, NO_WAIT))! > PRESSED_FROM;
  if ((await takeTurn(db, here, pressed ? 1 : FREE_TRIES)) === null) {
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
    async wasNone() {
      await Promise.all([giveBack(db, account), giveBack(db, here), giveBack(db, everywhere)]);
    },
  };
}

/**
 * Counts a try at the second factor by somebody who has given the password, or for whom an identity provider has vouched: for
 * the account as a whole, as a code has six digits and the first factor is gone already. A known device is counted by itself.
 *
 * @returns null where the turn has not come yet
 */
export async function beginCodeAttempt(
  db: Database,
  { userId, device }: { userId: number; device: string | null },
): Promise<Attempt | null> {
  const known = device === null ? null : await countedAlone(db, `code-device:${userId}:${device}`);
  return known ?? countedAlone(db, `code:${userId}`);
}

/**
 * Counts a try of a person who is signed in to give a password or a code again, apart from all others: a session that was taken
 * over must not be good for guessing, and nobody outside may keep its person from it.
 *
 * @throws ServiceError `rate_limited`, saying how long to wait
 */
export async function requireAttempt(db: Database, sessionId: string): Promise<Attempt> {
  const name = `session:${sessionId}`;
  const attempt = await countedAlone(db, name);
  if (attempt) return attempt;
  const { rows } = await db.pool.query<{ seconds: number }>(WAIT, [name]);
  const seconds = Math.max(1, rows[0]?.seconds ?? 1);
  throw new ServiceError('rate_limited', because('person.attempts', { seconds }), {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Deletes what is forgotten. */
export async function deleteForgottenAttempts(db: Database): Promise<void> {
  await db.pool.query('DELETE FROM sign_in_turns WHERE expires_at < clock_timestamp()');
}
