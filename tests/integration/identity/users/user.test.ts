import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSessions } from '../../../../src/server/identity/sessions/session-service';
import {
  createPersonalToken,
  revokePersonalToken,
} from '../../../../src/server/identity/tokens/personal-token-service';
import { createUser, setUserActive } from '../../../../src/server/identity/users/service';
import { createSignedInUser } from '../../../support/service/signed-in';
import {
  startTestService,
  TEST_ACTOR,
  TEST_SECRET,
  type TestService,
} from '../../../support/service/test-service';

let service: TestService;
let userCount = 0;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const requestUser = (authorization: string | undefined, headers: Record<string, string> = {}) =>
  service.send('/api/user', {
    headers: { 'X-Api-Key': undefined, Authorization: authorization, ...headers },
  });

async function createUserWithToken(expiresAt = new Date(Date.now() + 60_000)) {
  const email = `holder${++userCount}@example.com`;
  const { db } = service.app.services;
  const user = await createUser(db, TEST_ACTOR, { email, role: 'viewer', name: 'Holder', locale: 'zh' });
  const createdToken = await createPersonalToken(db, TEST_ACTOR, {
    userId: user.id,
    name: 'script',
    expiresAt,
  });
  return { user, token: createdToken.token, tokenId: createdToken.id };
}

describe('GET /api/user', () => {
  it('returns the user, without an envelope, for a personal access token', async () => {
    const { user, token } = await createUserWithToken();
    const response = await requestUser(`Bearer ${token}`);
    expect([response.status, response.json]).toEqual([
      200,
      {
        id: user.id,
        name: 'Holder',
        email: user.email,
        role: 'viewer',
        locale: 'zh',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
    expect((await requestUser(`bearer ${token}`)).status).toBe(200);
    expect((await requestUser(`Bearer ${token}`, { 'X-Api-Key': service.key })).status).toBe(200);
    const headResponse = await service.send('/api/user', {
      method: 'HEAD',
      headers: { 'X-Api-Key': undefined, Authorization: `Bearer ${token}` },
    });
    expect([headResponse.status, headResponse.text]).toEqual([200, '']);
  });

  it('accepts a next-auth token as a bearer token while its session is active', async () => {
    const user = await createSignedInUser(service, 'admin');
    const authorization = `Bearer ${user.cookie.split('=')[1]}`;
    expect((await requestUser(authorization)).json).toMatchObject({ id: user.userId, role: 'admin' });
    await endSessions(service.app.services.db.prisma, user.userId);
    expect((await requestUser(authorization)).status).toBe(401);
  });

  it('ignores the query, and records when the token was used', async () => {
    const { token, tokenId } = await createUserWithToken();
    const response = await service.send('/api/user?x=1', {
      headers: { 'X-Api-Key': undefined, Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    await service.app.services.personalTokenUse.waitForWrites();
    const [row] = await service.database.query<{ last_used_at: Date }>(
      'SELECT last_used_at FROM personal_tokens WHERE id = $1',
      [tokenId],
    );
    expect(row!.last_used_at).not.toBeNull();
  });
});

describe('401 from GET /api/user', () => {
  it.each([
    ['no Authorization header', undefined],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer'],
    ['an empty token', 'Bearer  '],
  ])('names no error, as RFC 6750 recommends, for %s', async (_name, authorization) => {
    const response = await requestUser(authorization);
    expect([response.status, response.json.code]).toEqual([401, 'unauthorized']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Brickdesk", scope="user:read"');
  });

  it('is the response to an X-Api-Key, a cookie, or the key as a bearer token', async () => {
    const user = await createSignedInUser(service, 'owner');
    expect((await service.send('/api/user')).status).toBe(401);
    expect((await requestUser(undefined, { Cookie: user.cookie })).status).toBe(401);
    expect((await requestUser(`Bearer ${service.key}`)).status).toBe(401);
  });

  it.each([
    ['garbage', () => 'garbage'],
    ['a token that was never issued', () => `bdp_${'a'.repeat(46)}`],
    ['a token in five parts', () => 'a..b.c.d'],
    [
      'a token encrypted with another secret',
      () => encode({ token: { sub: '1', sid: crypto.randomUUID() }, secret: `${TEST_SECRET}?` }),
    ],
    [
      'a token of a session that does not exist',
      () => encode({ token: { sub: '1', sid: crypto.randomUUID() }, secret: TEST_SECRET }),
    ],
    ['a token that names no session', () => encode({ token: { sub: '1' }, secret: TEST_SECRET })],
    [
      'an unsigned token',
      () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.`,
    ],
    ['two tokens', () => 'one two'],
    ['a very long token', () => 'x'.repeat(10_000)],
  ])('says invalid_token for %s', async (_name, makeToken) => {
    const response = await requestUser(`Bearer ${await makeToken()}`);
    expect([response.status, response.json.code]).toEqual([401, 'unauthorized']);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
  });

  it('is the response to an expired token and, from the next request on, to a revoked token or that of a deactivated user', async () => {
    const { db } = service.app.services;
    const holderWithExpiredToken = await createUserWithToken(new Date(Date.now() - 1_000));
    expect((await requestUser(`Bearer ${holderWithExpiredToken.token}`)).status).toBe(401);
    const holderWithRevokedToken = await createUserWithToken();
    expect((await requestUser(`Bearer ${holderWithRevokedToken.token}`)).status).toBe(200);
    await revokePersonalToken(db, TEST_ACTOR, {
      userId: holderWithRevokedToken.user.id,
      id: holderWithRevokedToken.tokenId,
    });
    expect((await requestUser(`Bearer ${holderWithRevokedToken.token}`)).status).toBe(401);
    const deactivatedHolder = await createUserWithToken();
    expect((await requestUser(`Bearer ${deactivatedHolder.token}`)).status).toBe(200);
    await setUserActive(db, TEST_ACTOR, { id: deactivatedHolder.user.id }, false);
    expect((await requestUser(`Bearer ${deactivatedHolder.token}`)).status).toBe(401);
  });
});

it('only the hash of a token is stored', async () => {
  const { token } = await createUserWithToken();
  const rows = await service.database.query('SELECT p::text FROM personal_tokens p');
  const auditRows = await service.database.query('SELECT a::text FROM audit_log a');
  expect(JSON.stringify([rows, auditRows])).not.toContain(token.slice(10, 40));
});
