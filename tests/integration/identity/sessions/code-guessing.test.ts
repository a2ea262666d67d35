import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginTestSession, createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function createUserWithTwoFactor(): Promise<SignedInUser> {
  const user = await createSignedInUser(service, 'operator');
  const { secret } = (await user.call('account.beginTwoFactor')).data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await user.call('account.enableTwoFactor', { code })).status).toBe(200);
  return user;
}

type Call = SignedInUser['call'];

/** Guesses a code four times, which leaves one try without a wait. Returns the statuses. */
async function guessCodes(call: Call): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await call('account.disableTwoFactor', { code: '000000' })).status);
  return statuses;
}

describe('guesses of a code in a session are not forgotten', () => {
  it.each<[action: string, act: (user: SignedInUser) => Promise<unknown>]>([
    [
      'when the right password is entered with a common new one',
      ({ call, password }) =>
        call('account.changePassword', { current_password: password, new_password: 'password1234' }),
    ],
    [
      'when the password is changed',
      ({ call, password }) =>
        call('account.changePassword', {
          current_password: password,
          new_password: 'a long and new sentence',
        }),
    ],
    [
      'when the right password is entered with another guess',
      ({ call, password }) => call('account.confirm', { password, code: '000000' }),
    ],
  ])('%s', async (_action, act) => {
    const user = await createUserWithTwoFactor();
    expect(await guessCodes(user.call)).toEqual(Array(4).fill(422));
    await act(user);
    expect(await guessCodes(user.call)).toContain(429);
  });

  it('in another session of the same user', async () => {
    const user = await createUserWithTwoFactor();
    expect(await guessCodes(user.call)).toEqual(Array(4).fill(422));
    const { call } = await beginTestSession(service, user);
    expect(await guessCodes(call)).toContain(429);
  });
});

it('a refused new password neither resets the count of guessed passwords nor says whether the current one is right', async () => {
  const { call, password } = await createSignedInUser(service, 'operator');
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await call('account.confirm', { password: `guess ${n}` })).status);
  for (const current_password of [password, 'not the password']) {
    const { error } = await call('account.changePassword', {
      current_password,
      new_password: 'password1234',
    });
    expect(error?.problems.map(({ path }) => path)).toEqual(['new_password']);
  }
  for (let n = 4; n < 6; n++)
    statuses.push((await call('account.confirm', { password: `guess ${n}` })).status);
  expect(statuses).toEqual([...Array(5).fill(422), 429]);
});
