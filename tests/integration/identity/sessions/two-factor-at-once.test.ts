import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBehindLock } from '../../../support/database/run-behind-lock';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function createUserWithTwoFactor() {
  const user = await createSignedInUser(service, 'operator');
  const { secret } = (await user.call('account.beginTwoFactor')).data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { data } = await user.call('account.enableTwoFactor', { code });
  return { ...user, recoveryCodes: data.recovery_codes as string[] };
}

const lockUserStatement = ({ userId }: SignedInUser) => `SELECT FROM users WHERE id = ${userId} FOR UPDATE`;

/** Returns how many recovery codes a user has, used or not, and which changes of the second factor are audited. */
async function readState({ userId }: SignedInUser) {
  const [state] = await service.database.query(
    `SELECT totp_enabled_at IS NOT NULL AS is_on,
            (SELECT count(*)::int FROM recovery_codes WHERE user_id = u.id) AS recovery_code_count,
            (SELECT array_agg(action ORDER BY id) FROM audit_log
              WHERE record_type = 'user' AND record_id = u.id::text
                AND action IN ('two_factor.disable', 'two_factor.renew_codes')) AS actions
       FROM users u WHERE id = $1`,
    [userId],
  );
  return state;
}

describe.each(['account.disableTwoFactor', 'account.renewRecoveryCodes'])(
  'a request whose code was checked before it waits (%s)',
  (path) => {
    it('is refused if two-factor sign-in is turned off meanwhile, and leaves no trace', async () => {
      const user = await createUserWithTwoFactor();
      const [firstResponse, secondResponse] = await runBehindLock(
        service.database,
        lockUserStatement(user),
        () => user.call('account.disableTwoFactor', { code: user.recoveryCodes[0] }),
        () => user.call(path, { code: user.recoveryCodes[1] }),
      );
      expect(firstResponse.status).toBe(200);
      expect(secondResponse).toMatchObject({
        status: 422,
        error: { code: 'validation_failed', message: 'Two-factor sign-in is not on.' },
      });
      expect(await readState(user)).toEqual({
        is_on: false,
        recovery_code_count: 0,
        actions: ['two_factor.disable'],
      });
    });

    it('is refused like a wrong code if the second factor is replaced meanwhile', async () => {
      const user = await createUserWithTwoFactor();
      const [, response] = await runBehindLock(
        service.database,
        lockUserStatement(user),
        () =>
          service.database.query(`UPDATE users SET totp_secret = totp_secret || '\\x00' WHERE id = $1`, [
            user.userId,
          ]),
        () => user.call(path, { code: user.recoveryCodes[0] }),
      );
      expect(response).toMatchObject({
        status: 422,
        error: { problems: [{ path: 'code', message: 'is wrong; use the newest code from the app' }] },
      });
      expect(await readState(user)).toEqual({ is_on: true, recovery_code_count: 10, actions: null });
    });
  },
);
