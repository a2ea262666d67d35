import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOAuthClient } from '../../../../src/server/identity/oauth/client-service';
import { countWaitingStatements } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let nameCount = 0;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Makes the user's last password confirmation older than ten minutes. */
const expireConfirmation = ({ sessionId }: SignedInUser) =>
  service.database.query(
    `UPDATE user_sessions SET confirmed_at = now() - interval '10 minutes 1 second' WHERE id = $1`,
    [sessionId],
  );

const makeKeyInput = () => ({
  name: `step-up ${++nameCount}`,
  scopes: [],
  expires_at: null,
  address_ranges: [],
});
const makeUserInput = () => ({ email: `step-up${++nameCount}@example.com`, role: 'viewer' });

/** Creates another user, as the target of actions. */
const createOtherUser = () => createSignedInUser(service, 'operator');

/** Procedures that grant access, each with a function that returns an acceptable input. */
const PROCEDURES_GRANTING_ACCESS: [path: string, makeInput: () => unknown | Promise<unknown>][] = [
  ['keys.create', makeKeyInput],
  ['keys.update', () => ({ id: 1, name: 'renamed' })],
  ['keys.rotate', () => ({ id: 1, grace_hours: 1 })],
  [
    'clients.create',
    () => ({ name: 'Wiki', redirect_uris: ['https://wiki.example/callback'], public: false }),
  ],
  ['clients.rotateSigningKey', () => undefined],
  ['people.create', makeUserInput],
  ['people.update', async () => ({ id: (await createOtherUser()).userId, role: 'admin' })],
  ['people.reactivate', async () => ({ id: (await createOtherUser()).userId })],
  ['people.resetPassword', async () => ({ id: (await createOtherUser()).userId })],
  ['people.resetTwoFactor', async () => ({ id: (await createOtherUser()).userId })],
  ['tokens.create', () => ({ name: 'script', expires_in_days: 1 })],
  ['account.beginTwoFactor', () => undefined],
];

describe('ten minutes after the password was entered', () => {
  it.each(PROCEDURES_GRANTING_ACCESS)(
    '%s requires the password again, and succeeds once it has been entered',
    async (path, makeInput) => {
      const owner = await createSignedInUser(service, 'owner');
      const input = await makeInput();
      await expireConfirmation(owner);
      const refusal = await owner.call(path, input);
      expect([refusal.status, refusal.error?.code]).toEqual([403, 'confirmation_required']);
      expect((await owner.call('account.confirm', { password: owner.password })).status).toBe(200);
      expect((await owner.call(path, input)).status).toBe(200);
    },
  );

  it('a refused call changes nothing', async () => {
    const owner = await createSignedInUser(service, 'owner');
    await expireConfirmation(owner);
    const keyInput = makeKeyInput();
    await owner.call('keys.create', keyInput);
    expect(await service.database.query('SELECT 1 FROM api_keys WHERE name = $1', [keyInput.name])).toEqual(
      [],
    );
  });

  it('neither revoking access nor reading requires a password', async () => {
    const owner = await createSignedInUser(service, 'owner');
    const { userId } = await createOtherUser();
    const { data: key } = await owner.call('keys.create', makeKeyInput());
    const { id } = await createOAuthClient(service.app.services.db, TEST_ACTOR, {
      name: 'Old',
      redirect_uris: ['https://old.example/callback'],
    });
    await expireConfirmation(owner);
    for (const [path, input] of [
      ['keys.revoke', { id: key.id }],
      ['clients.revoke', { client_id: id }],
      ['people.deactivate', { id: userId }],
      ['account.endOtherSessions', undefined],
      ['people.list', undefined],
    ] as const)
      expect((await owner.call(path, input)).status, path).toBe(200);
  });

  it('a wrong password or none is refused, and confirms nothing', async () => {
    const owner = await createSignedInUser(service, 'owner');
    await expireConfirmation(owner);
    const wrongPasswordResponse = await owner.call('account.confirm', { password: 'not the password' });
    expect([wrongPasswordResponse.status, wrongPasswordResponse.error?.problems[0]?.path]).toEqual([
      422,
      'password',
    ]);
    expect((await owner.call('account.confirm', {})).status).toBe(422);
    expect((await owner.call('keys.create', makeKeyInput())).status).toBe(403);
    const [{ n }] = (await service.database.query(
      `SELECT count(*)::int AS n FROM user_sessions WHERE confirmed_at > now() - interval '1 minute' AND id = $1`,
      [owner.sessionId],
    )) as [{ n: number }];
    expect(n).toBe(0);
  });

  it('a password that is changed while it is being checked is refused, and confirms nothing', async () => {
    const owner = await createSignedInUser(service, 'owner');
    await expireConfirmation(owner);
    const changingClient = new pg.Client({ connectionString: service.database.url });
    await changingClient.connect();
    await changingClient.query('BEGIN');
    await changingClient.query('UPDATE users SET password_changed_at = $2 WHERE id = $1', [
      owner.userId,
      new Date(),
    ]);
    const confirmationPromise = owner.call('account.confirm', { password: owner.password });
    await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBeGreaterThan(0);
    await changingClient.query('COMMIT');
    await changingClient.end();
    const { status, error } = await confirmationPromise;
    expect([status, error?.problems[0]?.path]).toEqual([422, 'password']);
    expect((await owner.call('keys.create', makeKeyInput())).status).toBe(403);
  });

  it('a user with two-factor sign-in must enter a code too, and each code works once', async () => {
    const owner = await createSignedInUser(service, 'owner');
    const { secret } = (await owner.call('account.beginTwoFactor')).data;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await owner.call('account.enableTwoFactor', { code: totp.generate() });
    await service.database.query('UPDATE users SET totp_last_step = NULL WHERE id = $1', [owner.userId]);
    await expireConfirmation(owner);
    const { password } = owner;
    for (const input of [{ password }, { password, code: '000000' }, { code: totp.generate() }]) {
      expect((await owner.call('account.confirm', input)).status).toBe(422);
      expect((await owner.call('keys.create', makeKeyInput())).status).toBe(403);
    }
    const code = totp.generate();
    expect((await owner.call('account.confirm', { password, code })).status).toBe(200);
    expect((await owner.call('keys.create', makeKeyInput())).status).toBe(200);
    expect((await owner.call('account.confirm', { password, code })).status).toBe(422);
  });

  it('a user without a password, who came through an identity provider, must sign in again', async () => {
    const owner = await createSignedInUser(service, 'owner');
    await service.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [owner.userId]);
    expect((await owner.call('keys.create', makeKeyInput())).status).toBe(200);
    await expireConfirmation(owner);
    const response = await owner.call('account.confirm', { password: '' });
    expect([response.status, response.error?.message]).toEqual([
      403,
      'You have no password here. Sign out and sign in again through your organisation.',
    ]);
    expect((await owner.call('keys.create', makeKeyInput())).status).toBe(403);
  });

  it('a stolen session cannot be used to guess the password: after five attempts there is a wait', async () => {
    const owner = await createSignedInUser(service, 'owner');
    await expireConfirmation(owner);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await owner.call('account.confirm', { password: `guess ${n}` })).status);
    expect(statuses).toEqual([...Array(5).fill(422), 429]);
    const rightPasswordResponse = await owner.call('account.confirm', { password: owner.password });
    expect([rightPasswordResponse.status, rightPasswordResponse.error?.message]).toEqual([
      429,
      expect.stringMatching(/^Too many attempts\. Try again in \d+ s\.$/),
    ]);
    await service.database.query('UPDATE sign_in_turns SET next_at = now()');
    expect((await owner.call('account.confirm', { password: owner.password })).status).toBe(200);
  });
});

describe('a session alone', () => {
  it("cannot reset its own user's password or second factor through the procedures for other users", async () => {
    for (const role of ['owner', 'admin'] as const) {
      const user = await createSignedInUser(service, role);
      for (const path of ['people.resetPassword', 'people.resetTwoFactor']) {
        const { status, error } = await user.call(path, { id: user.userId });
        expect([status, error?.code]).toEqual([403, 'forbidden']);
        expect(error?.message).toMatch(/^You cannot do this to your own account\./);
      }
      expect((await user.call('account.me')).status).toBe(200);
    }
  });
});
