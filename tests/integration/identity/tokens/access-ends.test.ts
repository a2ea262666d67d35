import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox, type SecretBox } from '../../../../src/server/core/secret-box';
import { hashRecoveryCode } from '../../../../src/server/identity/sessions/totp';
import { createPersonalToken } from '../../../../src/server/identity/tokens/personal-token-service';
import { changeOwnPassword } from '../../../../src/server/identity/users/own-account-service';
import { resetPassword, setUserActive } from '../../../../src/server/identity/users/service';
import { runBehindLock } from '../../../support/database/run-behind-lock';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const getDb = () => service.app.services.db;

async function fetchStatus(token: string) {
  return (await fetch(`${service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } })).status;
}

describe('a personal token is refused after', () => {
  it.each<[name: string, change: (user: SignedInUser) => Promise<unknown>]>([
    ['a password reset', ({ userId }) => resetPassword(getDb(), TEST_ACTOR, { id: userId })],
    [
      'a password change by its user',
      ({ userId, sessionId, password }) =>
        changeOwnPassword(getDb(), TEST_ACTOR, {
          userId,
          sessionId,
          currentPassword: password,
          newPassword: 'another long password for tests',
        }),
    ],
    [
      'a deactivation of its user, even if it is reversed',
      async ({ userId }) => {
        await setUserActive(getDb(), TEST_ACTOR, { id: userId }, false);
        await setUserActive(getDb(), TEST_ACTOR, { id: userId }, true);
      },
    ],
  ])('%s', async (_name, change) => {
    const user = await createSignedInUser(service, 'operator');
    const { data } = await user.call('tokens.create', { name: 'script', expires_in_days: 30 });
    expect(await fetchStatus(data.token)).toBe(200);
    await change(user);
    expect(await fetchStatus(data.token)).toBe(401);
  });
});

/** Enables two-factor sign-in. Returns the function that generates codes, and the recovery codes. */
async function enableTwoFactor(user: SignedInUser) {
  const { secret } = (await user.call('account.beginTwoFactor')).data;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const { data } = await user.call('account.enableTwoFactor', { code: totp.generate() });
  await service.database.query('UPDATE users SET totp_last_step = NULL WHERE id = $1', [user.userId]);
  return { totp, recoveryCodes: data.recovery_codes as string[] };
}

const lockUserStatement = ({ userId }: SignedInUser) => `SELECT FROM users WHERE id = ${userId} FOR UPDATE`;

it('a token that a command creates while its user is deactivated is refused, and does not work after a reactivation', async () => {
  const user = await createSignedInUser(service, 'operator');
  const expiresAt = new Date(Date.now() + 3_600_000);
  const [, outcome] = await runBehindLock(
    service.database,
    lockUserStatement(user),
    () => setUserActive(getDb(), TEST_ACTOR, { id: user.userId }, false),
    () =>
      createPersonalToken(getDb(), TEST_ACTOR, { userId: user.userId, name: 'script', expiresAt }).catch(
        (error: unknown) => error,
      ),
  );
  expect(outcome).toMatchObject({
    code: 'validation_failed',
    message: `${user.email} is deactivated. Reactivate the user first.`,
  });
  const tokens = await service.database.query('SELECT 1 FROM personal_tokens WHERE user_id = $1', [
    user.userId,
  ]);
  expect(tokens).toEqual([]);
});

describe('a request that waits while its user’s password is reset gets 401, and', () => {
  /** Sends the request while the password is being reset. */
  async function sendDuringReset(user: SignedInUser, path: string, input: unknown) {
    const [, { status }] = await runBehindLock(
      service.database,
      lockUserStatement(user),
      () => resetPassword(getDb(), TEST_ACTOR, { id: user.userId }),
      () => user.call(path, input),
    );
    expect(status).toBe(401);
    const [state] = await service.database.query(
      `SELECT totp_enabled_at IS NOT NULL AS has_two_factor,
              (SELECT count(*)::int FROM personal_tokens WHERE user_id = u.id) AS token_count,
              (SELECT array_agg(id ORDER BY id) FROM recovery_codes WHERE user_id = u.id) AS recovery_code_ids
         FROM users u WHERE id = $1`,
      [user.userId],
    );
    return state;
  }
  const readRecoveryCodeIds = async ({ userId }: SignedInUser) =>
    (
      await service.database.query('SELECT id FROM recovery_codes WHERE user_id = $1 ORDER BY id', [userId])
    ).map(({ id }) => id);

  it('creates no personal token', async () => {
    const user = await createSignedInUser(service, 'operator');
    const input = { name: 'script', expires_in_days: 30 };
    expect(await sendDuringReset(user, 'tokens.create', input)).toMatchObject({ token_count: 0 });
  });

  it('enables no second factor', async () => {
    const user = await createSignedInUser(service, 'operator');
    const { secret } = (await user.call('account.beginTwoFactor')).data;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect(await sendDuringReset(user, 'account.enableTwoFactor', { code })).toMatchObject({
      has_two_factor: false,
      recovery_code_ids: null,
    });
  });

  it.each(['account.renewRecoveryCodes', 'account.disableTwoFactor'])(
    'leaves the second factor and its recovery codes as they are (%s)',
    async (path) => {
      const user = await createSignedInUser(service, 'operator');
      const { totp } = await enableTwoFactor(user);
      const recovery_code_ids = await readRecoveryCodeIds(user);
      expect(await sendDuringReset(user, path, { code: totp.generate() })).toMatchObject({
        has_two_factor: true,
        recovery_code_ids,
      });
    },
  );
});

it('a user who is deactivated while they change their password keeps the old one', async () => {
  const user = await createSignedInUser(service, 'operator');
  const readHash = () =>
    service.database.query('SELECT password_hash FROM users WHERE id = $1', [user.userId]);
  const hashBefore = await readHash();
  const [, { status }] = await runBehindLock(
    service.database,
    lockUserStatement(user),
    () => setUserActive(getDb(), TEST_ACTOR, { id: user.userId }, false),
    () =>
      user.call('account.changePassword', {
        current_password: user.password,
        new_password: 'another long password for tests',
      }),
  );
  expect([status, await readHash()]).toEqual([401, hashBefore]);
});

it('of two sets of recovery codes that are created at the same time, only the later one is valid', async () => {
  const user = await createSignedInUser(service, 'operator');
  const { recoveryCodes } = await enableTwoFactor(user);
  const renewWith = (code: string | undefined) => () => user.call('account.renewRecoveryCodes', { code });
  const [firstResponse, secondResponse] = await runBehindLock(
    service.database,
    // A code that neither request uses up, and that both delete.
    `SELECT FROM recovery_codes WHERE user_id = ${user.userId} AND hash = '\\x${Buffer.from(
      hashRecoveryCode(service.app.services.secrets, user.userId, recoveryCodes[0]!),
    ).toString('hex')}' FOR UPDATE`,
    renewWith(recoveryCodes[1]),
    renewWith(recoveryCodes[2]),
  );
  expect([firstResponse.status, secondResponse.status]).toEqual([200, 200]);
  const rows = await service.database.query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [user.userId]);
  expect(rows).toHaveLength(10);
});

it('recovery codes are hashed with the deployment’s secret, so that a copy of the database reveals none', async () => {
  const user = await createSignedInUser(service, 'operator');
  const { recoveryCodes } = await enableTwoFactor(user);
  const rows = await service.database.query('SELECT hash FROM recovery_codes WHERE user_id = $1', [
    user.userId,
  ]);
  const storedHashes = new Set(rows.map(({ hash }) => (hash as Buffer).toString('hex')));
  expect(storedHashes.size).toBe(10);
  const otherSecrets = createSecretBox('another secret, of the length it needs');
  for (const recoveryCode of recoveryCodes) {
    const plainCode = recoveryCode.replace('-', '');
    for (const text of [recoveryCode, plainCode, `${user.userId}:${plainCode}`])
      expect(storedHashes.has(createHash('sha256').update(text).digest('hex'))).toBe(false);
    const isStoredWith = (secrets: SecretBox) =>
      storedHashes.has(Buffer.from(hashRecoveryCode(secrets, user.userId, recoveryCode)).toString('hex'));
    expect([isStoredWith(service.app.services.secrets), isStoredWith(otherSecrets)]).toEqual([true, false]);
  }
});
