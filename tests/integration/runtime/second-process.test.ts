import { afterAll, beforeAll, expect, it } from 'vitest';
import { revokeApiKey } from '../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { endOtherSessions, endSession } from '../../../src/server/identity/sessions/session-service';
import { resetTwoFactor } from '../../../src/server/identity/sessions/two-factor-service';
import {
  createPersonalToken,
  revokePersonalToken,
} from '../../../src/server/identity/tokens/personal-token-service';
import { resetPassword, setUserActive, updateUser } from '../../../src/server/identity/users/service';
import { killServices, type ReadyService, startService } from '../../support/process/service-process';
import { createSignedInUser } from '../../support/service/signed-in';
import {
  startTestService,
  TEST_ACTOR,
  TEST_SECRET,
  type TestService,
} from '../../support/service/test-service';

/** One service in this process and one in another, on the same database: access removed in one must be gone in the other. */
let thisService: TestService;
let otherService: ReadyService;

beforeAll(async () => {
  thisService = await startTestService();
  otherService = await startService({ DATABASE_URL: thisService.database.url, NEXTAUTH_SECRET: TEST_SECRET });
}, 60_000);
afterAll(async () => {
  await otherService?.stop();
  await killServices();
  await thisService?.close();
});

const requestStatus = async (path: string, headers: Record<string, string>) =>
  (await fetch(otherService.url + path, { headers })).status;

it('a revoked API key is refused by the other process at its next request', async () => {
  const { db } = thisService.app.services;
  const { id, key } = await createApiKey(db, TEST_ACTOR, { name: 'k', expiresAt: null });
  expect(await requestStatus('/api/legos-cate', { 'X-Api-Key': key })).toBe(200);
  await revokeApiKey(db, TEST_ACTOR, id);
  expect(await requestStatus('/api/legos-cate', { 'X-Api-Key': key })).toBe(401);
});

it('a revoked token, the session of a user with a new role and the tokens of a deactivated user are refused by the other process at the next request', async () => {
  const { db } = thisService.app.services;
  const user = await createSignedInUser(thisService, 'viewer');
  const expiresAt = new Date(Date.now() + 60_000);
  const createToken = () =>
    createPersonalToken(db, TEST_ACTOR, { userId: user.userId, name: 't', expiresAt });
  const [firstToken, secondToken] = [await createToken(), await createToken()];
  const readBearerStatus = (token: string) =>
    requestStatus('/api/user', { Authorization: `Bearer ${token}` });
  const readCookieStatus = () => requestStatus('/api/trpc/account.me', { Cookie: user.cookie });

  expect([
    await readBearerStatus(firstToken.token),
    await readBearerStatus(secondToken.token),
    await readCookieStatus(),
  ]).toEqual([200, 200, 200]);
  await revokePersonalToken(db, TEST_ACTOR, { userId: user.userId, id: firstToken.id });
  expect([await readBearerStatus(firstToken.token), await readBearerStatus(secondToken.token)]).toEqual([
    401, 200,
  ]);
  await updateUser(db, TEST_ACTOR, user.userId, { role: 'operator' });
  expect([await readBearerStatus(secondToken.token), await readCookieStatus()]).toEqual([200, 401]);
  await setUserActive(db, TEST_ACTOR, { id: user.userId }, false);
  expect(await readBearerStatus(secondToken.token)).toBe(401);
});

it.each<[string, (userId: number, sessionId: string) => Promise<unknown>]>([
  ['it is ended', (_userId, sessionId) => endSession(thisService.app.services.db, sessionId)],
  [
    'it is ended from another session',
    (userId) =>
      endOtherSessions(
        thisService.app.services.db,
        TEST_ACTOR,
        userId,
        '00000000-0000-0000-0000-000000000000',
      ),
  ],
  [
    'its user’s password is reset',
    (userId) => resetPassword(thisService.app.services.db, TEST_ACTOR, { id: userId }),
  ],
  [
    'its user’s second factor is reset',
    (userId) => resetTwoFactor(thisService.app.services.db, TEST_ACTOR, { id: userId }),
  ],
  [
    'its user is deactivated',
    (userId) => setUserActive(thisService.app.services.db, TEST_ACTOR, { id: userId }, false),
  ],
])(
  'a session is over in the other process at its next request, as a cookie and as a bearer token, once %s',
  async (_name, endAccess) => {
    const user = await createSignedInUser(thisService, 'viewer');
    const token = user.cookie.split('=')[1]!;
    const readStatuses = async () => [
      await requestStatus('/api/trpc/account.me', { Cookie: user.cookie }),
      await requestStatus('/api/user', { Authorization: `Bearer ${token}` }),
    ];
    expect(await readStatuses()).toEqual([200, 200]);
    await endAccess(user.userId, user.sessionId);
    expect(await readStatuses()).toEqual([401, 401]);
  },
);

it('a permission that the new role does not have is gone in the other process at its next request', async () => {
  const user = await createSignedInUser(thisService, 'admin');
  const readPeopleStatus = () => requestStatus('/api/trpc/people.list', { Cookie: user.cookie });
  expect(await readPeopleStatus()).toBe(200);
  // Changes only the role; updateUser would also end the session. No process caches roles.
  await thisService.database.query(`UPDATE users SET role = 'viewer' WHERE id = $1`, [user.userId]);
  expect(await readPeopleStatus()).toBe(403);
});
