import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countWaitingStatements } from '../../../support/database/test-database';
import { beginTestSession, createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let admin: SignedInUser;
let emailCount = 0;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
});
afterAll(() => service.close());
beforeEach(async () => {
  admin = await createSignedInUser(service, 'admin');
});

const makeEmail = () => `new${++emailCount}@example.com`;
const readAuditEntries = (action: string) =>
  service.database.query(
    `SELECT actor, record_id, before, after, address, request_id FROM audit_log WHERE action = $1 ORDER BY id DESC`,
    [action],
  );

describe('people.create', () => {
  it('returns a generated password that no list shows, and the audit log says who added whom, and from where', async () => {
    const email = makeEmail();
    const { data } = await owner.call('people.create', { email: email.toUpperCase(), role: 'operator' });
    expect(data).toMatchObject({ email, role: 'operator', active: true, two_factor: false });
    expect(data.password.length).toBeGreaterThan(15);
    const [entry] = await readAuditEntries('user.create');
    expect(entry).toMatchObject({
      actor: owner.email,
      record_id: String(data.id),
      after: { email, role: 'operator' },
      address: '127.0.0.1',
      request_id: expect.any(String),
    });
    expect(JSON.stringify(await readAuditEntries('user.create'))).not.toContain(data.password);
    const { data: people } = await owner.call('people.list');
    expect(JSON.stringify(people)).not.toMatch(/password|hash|secret/);
  });

  it.each([
    [{ email: 'no address', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com', role: 'king' }, 'role'],
    [{ email: 'a@example.com', role: 'viewer', password: 'short' }, 'password'],
    [{ email: 'a@example.com', role: 'viewer', password: 'password1234' }, 'password'],
    [{ email: 'longenough1@example.com', role: 'viewer', password: 'longenough1@example.com' }, 'password'],
    [{ email: 'a@example.com', role: 'viewer', password: 'abcabcabcabc' }, 'password'],
    [{ email: 'a@example.com', role: 'viewer', password: 'QWERTYUIOP123' }, 'password'],
    [{ email: 'a@example.com', role: 'viewer', more: 1 }, 'more'],
  ])('refuses %j, naming %s', async (input, path) => {
    const { status, error } = await owner.call('people.create', input);
    expect(status).toBe(422);
    expect(error?.problems.map((problem) => problem.path)).toContain(path);
  });

  it('refuses an e-mail address that is taken, in upper or lower case and even in concurrent requests', async () => {
    const email = makeEmail();
    const createUserWithEmail = () => owner.call('people.create', { email, role: 'viewer' });
    const responses = await Promise.all(Array.from({ length: 8 }, createUserWithEmail));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
    const repeatedCreateResponse = await owner.call('people.create', {
      email: email.toUpperCase(),
      role: 'viewer',
    });
    expect([repeatedCreateResponse.status, repeatedCreateResponse.error?.problems[0]?.path]).toEqual([
      422,
      'email',
    ]);
  });
});

describe('owners', () => {
  it('can be added and changed only by owners', async () => {
    const createResponse = await admin.call('people.create', { email: makeEmail(), role: 'owner' });
    expect(createResponse.status).toBe(403);
    for (const [path, input] of [
      ['people.update', { id: owner.userId, role: 'viewer' }],
      ['people.update', { id: admin.userId, role: 'owner' }],
      ['people.deactivate', { id: owner.userId }],
      ['people.resetPassword', { id: owner.userId }],
      ['people.resetTwoFactor', { id: owner.userId }],
    ] as const) {
      expect((await admin.call(path, input)).status, path).toBe(403);
    }
    expect((await owner.call('account.me')).data.role).toBe('owner');
  });

  it('are the only ones who can require a second factor', async () => {
    const otherUser = await createSignedInUser(service, 'viewer');
    const change = { id: otherUser.userId, two_factor_required: true };
    expect((await admin.call('people.update', change)).status).toBe(403);
    expect((await owner.call('people.update', change)).data).toMatchObject({ two_factor_required: true });
    expect((await otherUser.call('tokens.list')).status).toBe(403);
  });

  it('can never all be removed: one stays, even if two remove each other at the same time', async () => {
    const secondOwner = await createSignedInUser(service, 'owner');
    const responses = await Promise.all([
      owner.call('people.deactivate', { id: secondOwner.userId }),
      secondOwner.call('people.deactivate', { id: owner.userId }),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    // The other request is refused, because it would remove the last owner or because its user is already signed out.
    for (const { status } of responses) expect(status).toBeLessThan(500);
    const [{ count }] = (await service.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM users WHERE role = 'owner' AND deactivated_at IS NULL`,
    )) as [{ count: number }];
    expect(count).toBe(1);
    await service.database.query('UPDATE users SET deactivated_at = NULL WHERE id = $1', [owner.userId]);
    await service.database.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [
      secondOwner.userId,
    ]);
    owner = await createSignedInUser(service, 'owner');
    await service.database.query(
      `UPDATE users SET deactivated_at = now() WHERE role = 'owner' AND id <> $1`,
      [owner.userId],
    );
    expect((await owner.call('people.deactivate', { id: owner.userId })).status).toBe(422);
    expect((await owner.call('people.update', { id: owner.userId, role: 'viewer' })).status).toBe(422);
  });
});

describe('a user', () => {
  it('who is deactivated twice is audited once, and can be reactivated but stays signed out', async () => {
    const otherUser = await createSignedInUser(service, 'viewer');
    const countBefore = (await readAuditEntries('user.deactivate')).length;
    for (let n = 0; n < 2; n++)
      expect((await owner.call('people.deactivate', { id: otherUser.userId })).data.active).toBe(false);
    expect(await readAuditEntries('user.deactivate')).toHaveLength(countBefore + 1);
    expect((await otherUser.call('account.me')).status).toBe(401);
    expect((await owner.call('people.reactivate', { id: otherUser.userId })).data.active).toBe(true);
    expect((await otherUser.call('account.me')).status).toBe(401);
  });

  it('can change their password only with the current one, and is then signed out elsewhere', async () => {
    const otherUser = await createSignedInUser(service, 'viewer');
    const otherSession = await beginTestSession(service, otherUser);
    const changePassword = (current_password: string, new_password: string) =>
      otherUser.call('account.changePassword', { current_password, new_password });
    const wrongPasswordResponse = await changePassword('not mine at all', 'a long and new sentence');
    expect([wrongPasswordResponse.status, wrongPasswordResponse.error?.problems[0]?.path]).toEqual([
      422,
      'current_password',
    ]);
    expect((await otherSession.call('account.me')).status).toBe(200);
    expect((await changePassword(otherUser.password, 'a long and new sentence')).status).toBe(200);
    expect((await otherSession.call('account.me')).status).toBe(401);
    expect((await otherUser.call('account.me')).status).toBe(200);
    expect((await changePassword('a long and new sentence', 'an even longer sentence')).status).toBe(200);
  });

  it('cannot overwrite a password that was reset while their old password was being checked', async () => {
    const otherUser = await createSignedInUser(service, 'viewer');
    const resettingClient = new pg.Client({ connectionString: service.database.url });
    await resettingClient.connect();
    await resettingClient.query('BEGIN');
    await resettingClient.query(
      `UPDATE users SET password_hash = 'reset', password_changed_at = $2 WHERE id = $1`,
      [otherUser.userId, new Date()],
    );
    const passwordChangePromise = otherUser.call('account.changePassword', {
      current_password: otherUser.password,
      new_password: 'a long and new sentence',
    });
    await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBeGreaterThan(0);
    await resettingClient.query('COMMIT');
    await resettingClient.end();
    const { status, error } = await passwordChangePromise;
    expect([status, error?.problems[0]?.path]).toEqual([422, 'current_password']);
    const [storedUser] = await service.database.query('SELECT password_hash FROM users WHERE id = $1', [
      otherUser.userId,
    ]);
    expect(storedUser).toEqual({ password_hash: 'reset' });
  });

  it('who does not exist results in 404', async () => {
    for (const path of ['people.deactivate', 'people.resetPassword', 'people.resetTwoFactor'])
      expect((await owner.call(path, { id: 99_999 })).status, path).toBe(404);
    expect((await owner.call('people.update', { id: 99_999, name: 'x' })).status).toBe(404);
  });
});

describe('the audit log', () => {
  it('is shown page by page, newest first, to users with the permission', async () => {
    const firstPage = await owner.call('audit.list', { limit: 3 });
    expect(firstPage.data.entries).toHaveLength(3);
    const secondPage = await owner.call('audit.list', { limit: 3, cursor: firstPage.data.next });
    const ids = [...firstPage.data.entries, ...secondPage.data.entries].map((entry: { id: string }) =>
      Number(entry.id),
    );
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const viewer = await createSignedInUser(service, 'viewer');
    expect((await viewer.call('audit.list')).status).toBe(403);
  });

  it('cannot be changed or emptied, even directly in the database', async () => {
    for (const sql of ['UPDATE audit_log SET actor = $$x$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(service.database.query(sql)).rejects.toThrow(/append-only/i);
  });
});
