import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createUser, updateUser } from '../../../../src/server/identity/users/service';
import { type BrowserSession, createBrowserSession, signIn } from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

const PASSWORD = 'four unrelated words here';

let service: TestService;
let userCount = 0;

beforeAll(async () => {
  const port = await findFreePort();
  service = await startTestService({ PORT: `${port}`, APP_URL: `http://127.0.0.1:${port}` });
});
afterAll(() => service.close());

async function createTestUser() {
  const email = `person${++userCount}@example.com`;
  const { id } = await createUser(service.app.services.db, TEST_ACTOR, {
    email,
    role: 'operator',
    password: PASSWORD,
  });
  return { id, email };
}

async function trySignIn(email: string, code?: string) {
  const session = createBrowserSession(service.url);
  const response = await signIn(session, {
    email,
    password: PASSWORD,
    ...(code === undefined ? {} : { code }),
  });
  return { session, failure: new URL(response.json.url).searchParams.get('error') };
}

const generateCode = (secret: string, stepOffset = 0, now = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + stepOffset * 30_000 });

const callAccountProcedure = async (session: BrowserSession, path: string, input?: unknown) => {
  const response = await session.postJson(`/api/trpc/account.${path}`, input);
  return { status: response.status, data: response.json.result?.data, error: response.json.error };
};

/** Forgets which codes were used, because a code works only once and tests do not wait for the next one. */
const resetUsedCodes = (id: number) =>
  service.database.query('UPDATE users SET totp_last_step = NULL WHERE id = $1', [id]);

async function createUserWithTwoFactor() {
  const user = await createTestUser();
  const { session } = await trySignIn(user.email);
  const { secret, uri } = (await callAccountProcedure(session, 'beginTwoFactor')).data;
  const { data } = await callAccountProcedure(session, 'enableTwoFactor', { code: generateCode(secret) });
  await resetUsedCodes(user.id);
  return { ...user, session, secret, uri, recoveryCodes: data.recovery_codes as string[] };
}

it('two-factor sign-in takes effect only once a code of the new secret has been entered', async () => {
  const { email } = await createTestUser();
  const { session } = await trySignIn(email);
  const firstSetup = (await callAccountProcedure(session, 'beginTwoFactor')).data;
  expect(firstSetup.uri).toMatch(/^otpauth:\/\/totp\/Brickdesk:/);
  expect((await callAccountProcedure(session, 'enableTwoFactor', { code: '000000' })).status).toBe(422);
  expect((await trySignIn(email)).failure).toBeNull();
  const secondSetup = (await callAccountProcedure(session, 'beginTwoFactor')).data;
  expect(
    (await callAccountProcedure(session, 'enableTwoFactor', { code: generateCode(firstSetup.secret) }))
      .status,
  ).toBe(422);
  const enableResponse = await callAccountProcedure(session, 'enableTwoFactor', {
    code: generateCode(secondSetup.secret),
  });
  expect(new Set(enableResponse.data.recovery_codes).size).toBe(10);
  expect((await trySignIn(email)).failure).toBe('code_required');
  expect((await callAccountProcedure(session, 'beginTwoFactor')).status).toBe(422);
});

it('a code is required only after the right password, and each code works once', async () => {
  const { email, secret } = await createUserWithTwoFactor();
  expect((await trySignIn(email)).failure).toBe('code_required');
  expect((await trySignIn(email, '000000')).failure).toBe('wrong_code');
  const session = createBrowserSession(service.url);
  const wrongPasswordResponse = await signIn(session, {
    email,
    password: 'not the password',
    code: generateCode(secret),
  });
  expect(new URL(wrongPasswordResponse.json.url).searchParams.get('error')).toBe('wrong_credentials');
  const code = generateCode(secret);
  const results = await Promise.all([trySignIn(email, code), trySignIn(email, code)]);
  expect(results.map((result) => result.failure).sort()).toEqual(['wrong_code', null].sort());
  expect((await trySignIn(email, code)).failure).toBe('wrong_code');
});

it('a code works if the device that generated it is half a minute slow, but not if it is two minutes fast', async () => {
  const { id, email, secret } = await createUserWithTwoFactor();
  // The service's clock stands still: otherwise the next step may begin before a code is checked, and the code be a step older.
  const now = Date.now();
  const clockSpy = vi.spyOn(service.app.services, 'now').mockReturnValue(now);
  try {
    expect((await trySignIn(email, generateCode(secret, -1, now))).failure).toBeNull();
    await resetUsedCodes(id);
    expect((await trySignIn(email, generateCode(secret, 4, now))).failure).toBe('wrong_code');
  } finally {
    clockSpy.mockRestore();
  }
});

it('each recovery code works once, its use is audited, and new codes replace the old ones', async () => {
  const { id, email, session, secret, recoveryCodes } = await createUserWithTwoFactor();
  const [usedCode, unusedCode] = recoveryCodes as [string, string];
  expect((await trySignIn(email, usedCode.toUpperCase().replace('-', ' '))).failure).toBeNull();
  expect((await trySignIn(email, usedCode)).failure).toBe('wrong_code');
  const recoveryCodeEntries = await service.database.query(
    `SELECT actor, address FROM audit_log WHERE action = 'two_factor.use_recovery_code' AND record_id = $1`,
    [String(id)],
  );
  expect(recoveryCodeEntries).toEqual([{ actor: email, address: '127.0.0.1' }]);
  expect((await callAccountProcedure(session, 'renewRecoveryCodes', { code: '000000' })).status).toBe(422);
  await resetUsedCodes(id);
  const renewalResponse = await callAccountProcedure(session, 'renewRecoveryCodes', {
    code: generateCode(secret),
  });
  expect(renewalResponse.data.recovery_codes).toHaveLength(10);
  expect((await trySignIn(email, unusedCode)).failure).toBe('wrong_code');
});

it('two-factor sign-in is turned off with a code, unless it is required', async () => {
  const { id, email, session, secret } = await createUserWithTwoFactor();
  await updateUser(service.app.services.db, TEST_ACTOR, id, { twoFactorRequired: true });
  expect(
    (await callAccountProcedure(session, 'disableTwoFactor', { code: generateCode(secret) })).status,
  ).toBe(403);
  await updateUser(service.app.services.db, TEST_ACTOR, id, { twoFactorRequired: false });
  await resetUsedCodes(id);
  expect((await callAccountProcedure(session, 'disableTwoFactor', { code: '000000' })).status).toBe(422);
  expect(
    (await callAccountProcedure(session, 'disableTwoFactor', { code: generateCode(secret) })).status,
  ).toBe(200);
  expect((await trySignIn(email)).failure).toBeNull();
});

it('a recovery code is not used up by a refused attempt to turn two-factor sign-in off', async () => {
  const { id, email, session, recoveryCodes } = await createUserWithTwoFactor();
  await updateUser(service.app.services.db, TEST_ACTOR, id, { twoFactorRequired: true });
  const code = recoveryCodes[0]!;
  expect((await callAccountProcedure(session, 'disableTwoFactor', { code })).status).toBe(403);
  expect((await trySignIn(email, code)).failure).toBeNull();
});

it('a user can do nothing else until a required second factor is set up', async () => {
  const { id, email } = await createTestUser();
  await updateUser(service.app.services.db, TEST_ACTOR, id, { twoFactorRequired: true });
  const { session } = await trySignIn(email);
  const meResponse = await session.get('/api/trpc/account.me');
  expect(meResponse.json.result.data).toMatchObject({ two_factor: false, two_factor_required: true });
  const refusal = await session.get('/api/trpc/tokens.list');
  expect([refusal.status, refusal.json.error.data.code]).toEqual([403, 'forbidden']);
  expect((await callAccountProcedure(session, 'update', { name: 'Other' })).status).toBe(403);
  const token = session.cookies.get('next-auth.session-token');
  const requestUserWithToken = () =>
    fetch(`${service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await requestUserWithToken()).status).toBe(403);
  const { secret } = (await callAccountProcedure(session, 'beginTwoFactor')).data;
  await callAccountProcedure(session, 'enableTwoFactor', { code: generateCode(secret) });
  expect((await session.get('/api/trpc/tokens.list')).status).toBe(200);
  expect((await requestUserWithToken()).status).toBe(200);
});

it('a code cannot be guessed: after five wrong codes there is a wait, counted separately for the sign-in and for a session', async () => {
  const { email, session, secret } = await createUserWithTwoFactor();
  const errors: (string | null)[] = [];
  for (let n = 0; n < 6; n++) errors.push((await trySignIn(email, '000000')).failure);
  expect(errors).toEqual([...Array(5).fill('wrong_code'), 'too_many_attempts']);
  expect((await trySignIn(email, generateCode(secret))).failure).toBe('too_many_attempts');
  const disableTwoFactor = async (code: string) =>
    (await callAccountProcedure(session, 'disableTwoFactor', { code })).status;
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push(await disableTwoFactor('000000'));
  expect(statuses).toEqual([...Array(5).fill(422), 429]);
  expect(await disableTwoFactor(generateCode(secret))).toBe(429);
});

it('neither the secret nor a recovery code can be read in the database or the log', async () => {
  const { secret, recoveryCodes } = await createUserWithTwoFactor();
  const rows = await service.database.query(
    `SELECT (SELECT string_agg(encode(totp_secret, 'escape'), ' ') FROM users) AS secret_text,
            (SELECT string_agg(encode(hash, 'escape'), ' ') FROM recovery_codes) AS code_text,
            (SELECT string_agg(a::text, ' ') FROM audit_log a) AS audit_text`,
  );
  const storedAndLoggedText = JSON.stringify(rows) + service.readLog();
  for (const secretText of [secret, ...recoveryCodes]) expect(storedAndLoggedText).not.toContain(secretText);
});
