import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox, type SecretBox } from '../../../../src/server/core/secret-box';
import { hashRecoveryCode } from '../../../../src/server/identity/sessions/totp';
import { changeOwnPassword } from '../../../../src/server/identity/users/own-account-service';
import { resetPassword, setUserActive } from '../../../../src/server/identity/users/service';
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

it('recovery codes are hashed with the deployment’s secret, so that a copy of the database reveals none', async () => {
  const user = await createSignedInUser(service, 'operator');
  const { secret } = (await user.call('account.beginTwoFactor')).data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { data } = await user.call('account.enableTwoFactor', { code });
  const rows = await service.database.query('SELECT hash FROM recovery_codes WHERE user_id = $1', [
    user.userId,
  ]);
  const storedHashes = new Set(rows.map(({ hash }) => (hash as Buffer).toString('hex')));
  expect(storedHashes.size).toBe(10);
  const otherSecrets = createSecretBox('another secret, of the length it needs');
  for (const recoveryCode of data.recovery_codes as string[]) {
    const plainCode = recoveryCode.replace('-', '');
    for (const text of [recoveryCode, plainCode, `${user.userId}:${plainCode}`])
      expect(storedHashes.has(createHash('sha256').update(text).digest('hex'))).toBe(false);
    const isStoredWith = (secrets: SecretBox) =>
      storedHashes.has(Buffer.from(hashRecoveryCode(secrets, user.userId, recoveryCode)).toString('hex'));
    expect([isStoredWith(service.app.services.secrets), isStoredWith(otherSecrets)]).toEqual([true, false]);
  }
});
