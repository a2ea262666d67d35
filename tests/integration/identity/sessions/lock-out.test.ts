import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUser } from '../../../../src/server/identity/users/service';
import { deleteExpiredData } from '../../../../src/server/runtime/upkeep';
import { type BrowserSession, createBrowserSession } from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

const PASSWORD = 'four unrelated words here';
const DEVICE_COOKIE = 'brickdesk.device';

let service: TestService;
/** The account whose password is guessed; each test begins with a new one. */
let email: string;
let userCount = 0;

beforeAll(async () => {
  const port = await findFreePort();
  service = await startTestService({
    PORT: `${port}`,
    APP_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(() => service?.close());
beforeEach(async () => {
  await query('DELETE FROM sign_in_turns');
  email = await addUser();
});

const query = (sql: string, values?: unknown[]) => service.database.query(sql, values);

async function addUser() {
  const newEmail = `locked${++userCount}@example.com`;
  await createUser(service.app.services.db, TEST_ACTOR, {
    email: newEmail,
    role: 'viewer',
    password: PASSWORD,
  });
  return newEmail;
}

/** Tries a password from an address. Returns the error, or null if it succeeded. */
async function trySignIn(address: string, password: string, browser = createBrowserSession(service.url)) {
  const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
  const response = await browser.postForm(
    '/api/auth/callback/credentials',
    { email, password, csrfToken, json: 'true' },
    { 'X-Forwarded-For': address },
  );
  return new URL(response.json.url).searchParams.get('error');
}

async function guessPasswords(address: string, attemptCount: number, browser?: BrowserSession) {
  const errors: (string | null)[] = [];
  for (let n = 0; n < attemptCount; n++) errors.push(await trySignIn(address, `wrong ${n}`, browser));
  return errors;
}

/**
 * Returns, for each counter whose name is LIKE `pattern`, the wait in seconds after the last counted attempt, even if the wait is
 * over.
 */
async function readWaits(pattern: string): Promise<number[]> {
  const rows = await query(
    `SELECT 3600 - round(extract(epoch FROM expires_at - next_at))::int AS seconds FROM sign_in_turns
      WHERE name LIKE $1 ORDER BY 1`,
    [pattern],
  );
  return rows.map(({ seconds }) => seconds as number);
}

/** Ends all waits. */
const endWaits = () => query('UPDATE sign_in_turns SET next_at = now()');

const ATTACKER_ADDRESS = '203.0.113.66';

describe('guessing from elsewhere', () => {
  it('does not lock out the legitimate user on a new device on another network', async () => {
    expect((await guessPasswords(ATTACKER_ADDRESS, 8)).slice(5)).toEqual(Array(3).fill('too_many_attempts'));
    expect(await trySignIn('198.51.100.7', PASSWORD)).toBeNull();
  });

  it('does not lock out a device that signed in before, even in the same network', async () => {
    const knownBrowser = createBrowserSession(service.url);
    expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD, knownBrowser)).toBeNull();
    knownBrowser.cookies.delete('next-auth.session-token');
    await guessPasswords(ATTACKER_ADDRESS, 8);
    expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD)).toBe('too_many_attempts');
    expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD, knownBrowser)).toBeNull();
  });

  it('does not lock out the right user even if it comes from many networks', async () => {
    await query(
      `INSERT INTO sign_in_turns
       SELECT 'account:' || translate(rtrim(encode(sha256($1), 'base64'), '='), '+/', '-_'), 100, now(), now() + interval '1 hour'`,
      [email],
    );
    for (let n = 1; n <= 20; n++)
      expect(await guessPasswords(`192.0.2.${n}`, 2)).toEqual(['wrong_credentials', 'too_many_attempts']);
    expect(await trySignIn('198.51.100.9', PASSWORD)).toBeNull();
  });
});

describe('guessing', () => {
  it('from one network gets five attempts, then waits that double from 15 seconds to five minutes', async () => {
    await guessPasswords(ATTACKER_ADDRESS, 5);
    const waits: number[] = [];
    for (let n = 0; n < 7; n++) {
      const [seconds] = await readWaits('account:%:203.0.113.66');
      waits.push(seconds!);
      expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD)).toBe('too_many_attempts');
      await endWaits();
      expect(await trySignIn(ATTACKER_ADDRESS, 'wrong')).toBe('wrong_credentials');
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  it('in parallel gets no more attempts than in sequence', async () => {
    const errors = await Promise.all(
      Array.from({ length: 12 }, (_, n) => trySignIn(ATTACKER_ADDRESS, `wrong ${n}`)),
    );
    expect(errors.filter((error) => error === 'wrong_credentials')).toHaveLength(5);
  });

  it('from a device that signed in before gets five more attempts, and then has to wait too', async () => {
    const knownBrowser = createBrowserSession(service.url);
    expect(await trySignIn('203.0.113.80', PASSWORD, knownBrowser)).toBeNull();
    const errors = await guessPasswords('203.0.113.80', 11, knownBrowser);
    expect(errors).toEqual([...Array(10).fill('wrong_credentials'), 'too_many_attempts']);
  });

  it('during a wait does not lengthen it', async () => {
    await guessPasswords(ATTACKER_ADDRESS, 5);
    const readWaitEnds = () =>
      query(`SELECT next_at FROM sign_in_turns WHERE name LIKE 'account:%:203.0.113.66' ORDER BY 1`);
    await query(`UPDATE sign_in_turns SET next_at = now() + interval '5 minutes'`);
    const previousWaitEnds = await readWaitEnds();
    expect(await guessPasswords(ATTACKER_ADDRESS, 4)).toEqual(Array(4).fill('too_many_attempts'));
    expect(await readWaitEnds()).toEqual(previousWaitEnds);
  });

  it('is no longer counted once the right password has been entered or an hour has passed', async () => {
    await guessPasswords('203.0.113.90', 4);
    expect(await trySignIn('203.0.113.90', PASSWORD)).toBeNull();
    expect(await guessPasswords('203.0.113.90', 5)).toEqual(Array(5).fill('wrong_credentials'));
    await query(`UPDATE sign_in_turns SET next_at = now() + interval '1 minute', expires_at = now()`);
    expect(await trySignIn('203.0.113.90', PASSWORD)).toBeNull();
    await query(`UPDATE sign_in_turns SET expires_at = now() - interval '1 second'`);
    await deleteExpiredData(service.app.services, {
      recordDays: 30,
      importHistoryDays: 730,
      requestLogDays: 7,
    });
    expect(await query('SELECT 1 FROM sign_in_turns')).toEqual([]);
  });
});

describe('the device cookie', () => {
  it('cannot be read by scripts, is sent only to the sign-in endpoints, and signs nobody in by itself', async () => {
    const browser = createBrowserSession(service.url);
    const { csrfToken } = (await browser.get('/api/auth/csrf')).json;
    const fields = { email, password: PASSWORD, csrfToken, json: 'true' };
    const response = await browser.postForm('/api/auth/callback/credentials', fields);
    const cookieHeader = response.headers.getSetCookie().find((header) => header.startsWith(DEVICE_COOKIE))!;
    for (const attribute of [/; HttpOnly/i, /; SameSite=Lax/i, /; Path=\/api\/auth(;|$)/i])
      expect(cookieHeader).toMatch(attribute);
    const deviceCookie = browser.cookies.get(DEVICE_COOKIE)!;
    const newBrowser = createBrowserSession(service.url);
    newBrowser.cookies.set(DEVICE_COOKIE, deviceCookie);
    expect((await newBrowser.get('/api/trpc/account.me')).status).toBe(401);
  });

  it('is ignored if it was altered or belongs to another account', async () => {
    const knownBrowser = createBrowserSession(service.url);
    expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD, knownBrowser)).toBeNull();
    const deviceCookie = knownBrowser.cookies.get(DEVICE_COOKIE)!;
    const alteredBytes = Buffer.from(deviceCookie, 'base64url');
    alteredBytes[20]! ^= 1;
    await guessPasswords(ATTACKER_ADDRESS, 6);
    const otherBrowser = createBrowserSession(service.url);
    otherBrowser.cookies.set(DEVICE_COOKIE, alteredBytes.toString('base64url'));
    expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD, otherBrowser)).toBe('too_many_attempts');
    email = await addUser();
    await guessPasswords(ATTACKER_ADDRESS, 6);
    otherBrowser.cookies.set(DEVICE_COOKIE, deviceCookie);
    expect(await trySignIn(ATTACKER_ADDRESS, PASSWORD, otherBrowser)).toBe('too_many_attempts');
  });

  it('remembers several users of one browser', async () => {
    const sharedBrowser = createBrowserSession(service.url);
    const firstEmail = email;
    expect(await trySignIn('203.0.113.95', PASSWORD, sharedBrowser)).toBeNull();
    email = await addUser();
    expect(await trySignIn('203.0.113.95', PASSWORD, sharedBrowser)).toBeNull();
    email = firstEmail;
    await guessPasswords('203.0.113.95', 6);
    expect(await trySignIn('203.0.113.95', PASSWORD)).toBe('too_many_attempts');
    expect(await trySignIn('203.0.113.95', PASSWORD, sharedBrowser)).toBeNull();
  });
});

it('the counts of attempts are in the database, so that servers share them', async () => {
  await guessPasswords('203.0.113.120', 5);
  const [row] = await query(`SELECT tries FROM sign_in_turns WHERE name LIKE 'account:%:203.0.113.120'`);
  expect(row).toEqual({ tries: 5 });
});
