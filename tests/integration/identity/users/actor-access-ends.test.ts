import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { createOAuthClient } from '../../../../src/server/identity/oauth/client-service';
import { setUserActive, updateUser } from '../../../../src/server/identity/users/service';
import { runBehindLock } from '../../../support/database/run-behind-lock';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  // Without another owner, none could be deactivated or demoted.
  await createSignedInUser(service, 'owner');
});
afterAll(() => service.close());

const getDb = () => service.app.services.db;
const createOtherUser = async () => ({ id: (await createSignedInUser(service, 'operator')).userId });
const createKey = async () => {
  const { id } = await createApiKey(getDb(), TEST_ACTOR, { name: 'a key', expiresAt: null });
  return { id };
};
const createClient = async () => {
  const redirect_uris = ['https://wiki.example/callback'];
  const { id } = await createOAuthClient(getDb(), TEST_ACTOR, { name: 'Wiki', redirect_uris });
  return { client_id: id };
};

const lockUsersStatement = (...users: SignedInUser[]) =>
  `SELECT FROM users WHERE id IN (${users.map(({ userId }) => userId).join()}) FOR UPDATE`;

/** Calls a procedure, and ends its caller's access after the call was authorized but before it has changed anything. */
async function callWhileAccessEnds(
  caller: SignedInUser,
  endAccess: () => Promise<unknown>,
  path: string,
  input: unknown,
) {
  const [, response] = await runBehindLock(service.database, lockUsersStatement(caller), endAccess, () =>
    caller.call(path, input),
  );
  return response;
}

const readAuditEntries = ({ email }: SignedInUser) =>
  service.database.query(`SELECT action FROM audit_log WHERE actor = $1 AND action <> 'user.sign_in'`, [
    email,
  ]);

describe('an owner who is deactivated while their request is held gets 401, and changes nothing', () => {
  it.each<[path: string, makeInput: () => unknown]>([
    ['people.create', () => ({ email: 'late@example.com', role: 'owner' })],
    ['people.update', async () => ({ ...(await createOtherUser()), role: 'owner' })],
    ['people.deactivate', createOtherUser],
    ['people.reactivate', createOtherUser],
    ['people.resetPassword', createOtherUser],
    ['people.resetTwoFactor', createOtherUser],
    ['keys.create', () => ({ name: 'late', scopes: [], expires_at: null, address_ranges: [] })],
    ['keys.update', async () => ({ ...(await createKey()), name: 'late' })],
    ['keys.rotate', async () => ({ ...(await createKey()), grace_hours: 1 })],
    ['keys.revoke', createKey],
    [
      'clients.create',
      () => ({ name: 'Late', redirect_uris: ['https://late.example/callback'], public: false }),
    ],
    ['clients.rename', async () => ({ ...(await createClient()), name: 'Late' })],
    ['clients.revoke', createClient],
    ['clients.rotateSigningKey', async () => undefined],
  ])('%s', async (path, makeInput) => {
    const caller = await createSignedInUser(service, 'owner');
    const input = await makeInput();
    const deactivate = () => setUserActive(getDb(), TEST_ACTOR, { id: caller.userId }, false);
    const { status } = await callWhileAccessEnds(caller, deactivate, path, input);
    expect([status, await readAuditEntries(caller)]).toEqual([401, []]);
  });
});

it("another owner's password is not reset by an owner who is demoted while the request is held", async () => {
  const [caller, otherOwner] = [
    await createSignedInUser(service, 'owner'),
    await createSignedInUser(service, 'owner'),
  ];
  const demote = () => updateUser(getDb(), TEST_ACTOR, caller.userId, { role: 'admin' });
  const { status } = await callWhileAccessEnds(caller, demote, 'people.resetPassword', {
    id: otherOwner.userId,
  });
  expect([status, (await otherOwner.call('account.me')).status]).toEqual([401, 200]);
});

describe('of two owners who act on each other at the same time, one is refused:', () => {
  it.each([
    ['a third remains, and they remove each other', 'people.deactivate', {}],
    ['they make each other administrators', 'people.update', { role: 'admin' }],
    ["they reset each other's passwords", 'people.resetPassword', {}],
    ["they reset each other's second factors", 'people.resetTwoFactor', {}],
  ])('%s', async (_name, path, change) => {
    const [first, second] = [
      await createSignedInUser(service, 'owner'),
      await createSignedInUser(service, 'owner'),
    ];
    const responses = await runBehindLock(
      service.database,
      lockUsersStatement(first, second),
      () => first.call(path, { id: second.userId, ...change }),
      () => second.call(path, { id: first.userId, ...change }),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 401]);
    expect((await first.call('account.me')).status).toBe(200);
  });
});
