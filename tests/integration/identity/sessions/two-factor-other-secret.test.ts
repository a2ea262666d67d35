import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../../../src/server/core/secret-box';
import { sealTotpSecret } from '../../../../src/server/identity/sessions/second-factor-service';
import { checkSecondStep } from '../../../../src/server/identity/sessions/sign-in-service';
import { hashRecoveryCode } from '../../../../src/server/identity/sessions/totp';
import { resetTwoFactor } from '../../../../src/server/identity/sessions/two-factor-service';
import { createBrowserSession, signIn } from '../../../support/browser/browser-session';
import { findFreePort } from '../../../support/service/free-port';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

const OTHER_SECRETS = createSecretBox('another secret, of the length it needs');
const UNREADABLE_SENTENCE =
  'Your second factor can no longer be read, because the service has a new secret. Ask an owner, an administrator or whoever runs the service to reset it.';

let service: TestService;

beforeAll(async () => {
  const port = await findFreePort();
  service = await startTestService({ PORT: `${port}`, APP_URL: `http://127.0.0.1:${port}` });
});
afterAll(() => service.close());

const generateCode = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

const sealSecretWithOtherSecret = (userId: number, secret: string) =>
  service.database.query('UPDATE users SET totp_secret = $2, totp_last_step = NULL WHERE id = $1', [
    userId,
    sealTotpSecret(OTHER_SECRETS, userId, secret),
  ]);

/** Creates a user whose second factor is stored as if it had been set up before the service's secret was changed. */
async function createUserWithUnreadableFactor() {
  const user = await createSignedInUser(service, 'operator');
  const { secret } = (await user.call('account.beginTwoFactor')).data;
  const { data } = await user.call('account.enableTwoFactor', { code: generateCode(secret) });
  const recoveryCodes: string[] = data.recovery_codes;
  await sealSecretWithOtherSecret(user.userId, secret);
  const { secrets } = service.app.services;
  for (const code of recoveryCodes)
    await service.database.query('UPDATE recovery_codes SET hash = $2 WHERE hash = $1', [
      hashRecoveryCode(secrets, user.userId, code),
      hashRecoveryCode(OTHER_SECRETS, user.userId, code),
    ]);
  return { ...user, secret, recoveryCodes };
}

async function trySignIn({ email, password }: Pick<SignedInUser, 'email' | 'password'>, code = '') {
  const response = await signIn(createBrowserSession(service.url), { email, password, code });
  return { status: response.status, failure: new URL(response.json.url).searchParams.get('error') };
}

const countAttempts = async () =>
  (await service.database.query<{ count: number }>('SELECT sum(tries)::int AS count FROM sign_in_turns'))[0]!
    .count;

describe('a user whose second factor was sealed with another secret', () => {
  it('is told at sign-in that it must be reset, whichever code they enter, and the log says how', async () => {
    const user = await createUserWithUnreadableFactor();
    expect(await trySignIn(user)).toEqual({ status: 401, failure: 'code_required' });
    for (const code of [generateCode(user.secret), user.recoveryCodes[0]!, '000000'])
      expect(await trySignIn(user, code)).toEqual({ status: 401, failure: 'second_factor_unreadable' });
    const warnings = service
      .readLog()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level, userId }) => level === 'warn' && userId === user.userId);
    expect(warnings).toHaveLength(3);
    for (const warning of warnings)
      expect(warning).toMatchObject({
        msg:
          "a user's second factor was sealed with another secret, so neither codes nor recovery codes can be checked; " +
          'put the old secret back, or reset the second factor with `user reset-2fa` (docs/backups.md)',
      });
  });

  it('is told the same after a sign-in through the identity provider', async () => {
    const { userId, secret } = await createUserWithUnreadableFactor();
    const input = { userId, address: '', deviceIdOf: () => null };
    const { services } = service.app;
    expect(await checkSecondStep(services, { ...input, code: '' })).toEqual({ failure: 'code_required' });
    expect(await checkSecondStep(services, { ...input, code: generateCode(secret) })).toEqual({
      failure: 'second_factor_unreadable',
    });
  });

  it('is not told so, nor that there is a second factor, with a wrong password', async () => {
    const user = await createUserWithUnreadableFactor();
    const impostor = { email: user.email, password: 'not the password' };
    for (const code of ['', generateCode(user.secret)])
      expect((await trySignIn(impostor, code)).failure).toBe('wrong_credentials');
  });

  it('never has to wait because of codes that could not be checked, and their passwords still count', async () => {
    const user = await createUserWithUnreadableFactor();
    const countBefore = await countAttempts();
    for (let n = 0; n < 7; n++)
      expect((await trySignIn(user, '000000')).failure).toBe('second_factor_unreadable');
    expect(await countAttempts()).toBe(countBefore);
    const impostor = { email: user.email, password: 'not the password' };
    const failures: (string | null)[] = [];
    for (let n = 0; n < 6; n++) failures.push((await trySignIn(impostor)).failure);
    expect(failures).toEqual([...Array(5).fill('wrong_credentials'), 'too_many_attempts']);
    expect((await trySignIn(user, '000000')).failure).toBe('too_many_attempts');
  });

  it.each(['account.confirm', 'account.renewRecoveryCodes', 'account.disableTwoFactor'])(
    'who is still signed in gets 409 with the reason, and nothing changes (%s)',
    async (path) => {
      const { call, password, secret, recoveryCodes, userId } = await createUserWithUnreadableFactor();
      const readState = () =>
        service.database.query(
          `SELECT u.*, (SELECT array_agg(hash) FROM recovery_codes WHERE user_id = u.id) AS hashes
             FROM users u WHERE id = $1`,
          [userId],
        );
      const stateBefore = await readState();
      const codes = [...Array(4).fill('000000'), generateCode(secret), ...recoveryCodes.slice(0, 2)];
      for (const code of codes)
        expect(await call(path, path === 'account.confirm' ? { password, code } : { code })).toMatchObject({
          status: 409,
          error: { code: 'conflict', message: UNREADABLE_SENTENCE },
        });
      expect(await readState()).toEqual(stateBefore);
    },
  );

  it('can sign in with the password alone once it has been reset', async () => {
    const user = await createUserWithUnreadableFactor();
    await resetTwoFactor(service.app.services.db, TEST_ACTOR, { id: user.userId });
    expect((await trySignIn(user)).failure).toBeNull();
  });
});

it('a setup that was begun with another secret has to be begun again, and its codes do not count as wrong', async () => {
  const user = await createSignedInUser(service, 'operator');
  const { secret } = (await user.call('account.beginTwoFactor')).data;
  await sealSecretWithOtherSecret(user.userId, secret);
  for (let n = 0; n < 6; n++)
    expect(await user.call('account.enableTwoFactor', { code: generateCode(secret) })).toMatchObject({
      status: 422,
      error: { code: 'validation_failed', message: 'Start setting up two-factor sign-in first.' },
    });
  const { secret: newSecret } = (await user.call('account.beginTwoFactor')).data;
  const { status } = await user.call('account.enableTwoFactor', { code: generateCode(newSecret) });
  expect(status).toBe(200);
});
