import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service?.close());

const createKey = async (fields: Record<string, unknown> = {}) =>
  (await admin.call('keys.create', { name: 'ERP bridge', ...fields })).data;

const fetchStatus = async (key: string, path = '/api/legos-cate') =>
  (await service.send(path, { headers: { 'X-Api-Key': key } })).status;

/** Returns the audit entries about a key, oldest first. */
const readAuditEntries = (id: number) =>
  service.database.query(
    `SELECT actor, action, before, after, address FROM audit_log
      WHERE record_type = 'api_key' AND record_id = $1 ORDER BY id`,
    [String(id)],
  );

describe('roles', () => {
  it.each(['owner', 'admin', 'operator', 'viewer'] as const)(
    'only owners and admins may manage keys: %s',
    async (role) => {
      const { id } = await createKey();
      const user = await createSignedInUser(service, role);
      const calls: [string, unknown?][] = [
        ['keys.list'],
        ['keys.operations'],
        ['keys.calls', { id }],
        ['keys.create', { name: 'x' }],
        ['keys.update', { id, name: 'y' }],
        ['keys.rotate', { id, grace_hours: 1 }],
        ['keys.revoke', { id }],
      ];
      const mayManage = role === 'owner' || role === 'admin';
      for (const [path, input] of calls) {
        const { status, error } = await user.call(path, input);
        expect([path, status, error?.code]).toEqual([
          path,
          mayManage ? 200 : 403,
          mayManage ? undefined : 'forbidden',
        ]);
      }
    },
  );

  it('keys and operations cannot be listed without a session, from another site, or with a key', async () => {
    for (const path of ['keys.list', 'keys.operations']) {
      expect((await service.send(`/api/trpc/${path}`)).status).toBe(401);
      expect((await admin.call(path, undefined, { Cookie: 'next-auth.session-token=x' })).status).toBe(401);
      expect((await admin.call(path, undefined, { Origin: 'https://evil.example' })).status).toBe(403);
    }
  });
});

describe('keys.create', () => {
  it('returns a working key, which no list shows again', async () => {
    const createdKey = await createKey({ expires_at: '2099-01-01T00:00:00+08:00' });
    expect(createdKey).toMatchObject({
      name: 'ERP bridge',
      state: 'active',
      expires_at: '2098-12-31T16:00:00.000Z',
      created_by: admin.email,
      scopes: [],
      address_ranges: [],
      rotation: null,
    });
    expect(await fetchStatus(createdKey.key)).toBe(200);
    const { data: keys } = await admin.call('keys.list');
    expect(keys[0]).toMatchObject({
      id: createdKey.id,
      prefix: createdKey.key.slice(0, 8),
      last_four: createdKey.key.slice(-4),
    });
    expect(JSON.stringify(keys)).not.toContain(createdKey.key.slice(8, -4));
    expect(await readAuditEntries(createdKey.id)).toMatchObject([
      { actor: admin.email, action: 'api_key.create', after: { name: 'ERP bridge' }, address: '127.0.0.1' },
    ]);
  });

  it('sets the requested limits, without duplicates', async () => {
    const createdKey = await createKey({
      scopes: ['get_api_legos_head', 'get_api_legos_cate', 'get_api_legos_head'],
      address_ranges: ['127.0.0.1', '127.0.0.1'],
    });
    expect(createdKey).toMatchObject({
      scopes: ['get_api_legos_cate', 'get_api_legos_head'],
      address_ranges: ['127.0.0.1'],
    });
    expect([await fetchStatus(createdKey.key), await fetchStatus(createdKey.key, '/api/legos-hair')]).toEqual(
      [200, 403],
    );
  });

  it.each([
    ['a scope that names no operation', { scopes: ['get_api_legos_head', 'get_api_nothing'] }, 'scopes.1'],
    ['a scope that takes no key', { scopes: ['get_api_user'] }, 'scopes.0'],
    ['an invalid range', { address_ranges: ['10.0.0.0/40'] }, 'address_ranges.0'],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['no name', { name: ' ' }, 'name'],
  ])('refuses %s with 422', async (_, input, path) => {
    const { status, error } = await admin.call('keys.create', { name: 'x', ...input });
    expect([status, error?.problems.map((problem) => problem.path)]).toEqual([422, [path]]);
  });
});

describe('a change', () => {
  it.each<[string, Record<string, unknown>, object, object]>([
    ['name', { name: 'new' }, { name: 'ERP bridge' }, { name: 'new' }],
    [
      'expiry',
      { expires_at: '2099-01-01T00:00:00Z' },
      { expires_at: null },
      { expires_at: '2099-01-01T00:00:00.000Z' },
    ],
    ['scopes', { scopes: ['get_api_legos_head'] }, { scopes: [] }, { scopes: ['get_api_legos_head'] }],
    [
      'address ranges, sent together with unchanged fields,',
      { name: 'ERP bridge', scopes: [], expires_at: null, address_ranges: ['10.0.0.0/8'] },
      { address_ranges: [] },
      { address_ranges: ['10.0.0.0/8'] },
    ],
  ])(
    'of the %s is returned, and is audited once even if sent twice, with the values before and after',
    async (_, input, before, after) => {
      const { id } = await createKey();
      for (let round = 0; round < 2; round++) {
        const { status, data } = await admin.call('keys.update', { id, ...input });
        expect(status).toBe(200);
        expect(data).toMatchObject(after);
      }
      const entries = (await readAuditEntries(id)).slice(1);
      expect(entries).toMatchObject([{ actor: admin.email, action: 'api_key.update' }]);
      expect([entries[0]!.before, entries[0]!.after]).toEqual([before, after]);
    },
  );

  it('is all or nothing', async () => {
    const { id } = await createKey();
    const { status, error } = await admin.call('keys.update', { id, name: 'new', scopes: ['fly'] });
    expect([status, error?.problems.map(({ path }) => path)]).toEqual([422, ['scopes.0']]);
    expect((await admin.call('keys.list')).data.find((key: { id: number }) => key.id === id).name).toBe(
      'ERP bridge',
    );
  });

  it('of the expiry to now ends the key at its next request, and a later expiry makes the key valid again', async () => {
    const { id, key } = await createKey();
    await admin.call('keys.update', { id, expires_at: new Date().toISOString() });
    expect(await fetchStatus(key)).toBe(401);
    await admin.call('keys.update', { id, expires_at: '2099-01-01T00:00:00Z' });
    expect(await fetchStatus(key)).toBe(200);
  });

  it('of a revoked key is refused with 422, except for its name, and revoking the key again changes nothing', async () => {
    const { id, key } = await createKey();
    const { data: revokedKey } = await admin.call('keys.revoke', { id });
    expect(revokedKey).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) });
    expect(await fetchStatus(key)).toBe(401);
    for (const [name, input] of [
      ['update', { expires_at: '2099-01-01T00:00:00Z' }],
      ['update', { scopes: ['get_api_legos_head'] }],
      ['update', { name: 'another', address_ranges: ['10.0.0.0/8'] }],
      ['rotate', { grace_hours: 1 }],
    ] as const)
      expect([name, (await admin.call(`keys.${name}`, { id, ...input })).status]).toEqual([name, 422]);
    expect((await admin.call('keys.update', { id, name: 'old bridge', scopes: [] })).status).toBe(200);
    expect((await admin.call('keys.revoke', { id })).data.revoked_at).toBe(revokedKey.revoked_at);
    expect((await readAuditEntries(id)).map(({ action }) => action)).toEqual([
      'api_key.create',
      'api_key.revoke',
      'api_key.update',
    ]);
  });

  it('of a key that does not exist results in 404', async () => {
    const id = 2_000_000_000;
    for (const [name, input] of [
      ['update', { name: 'x' }],
      ['revoke', {}],
      ['rotate', { grace_hours: 0 }],
      ['calls', {}],
    ] as const)
      expect([name, (await admin.call(`keys.${name}`, { id, ...input })).status]).toEqual([name, 404]);
  });
});

it('keys.rotate returns the new key, and the list shows when the old one expires and who still uses it', async () => {
  const oldKey = await createKey();
  const { data: newKey } = await admin.call('keys.rotate', { id: oldKey.id, grace_hours: 2 });
  expect(newKey).toMatchObject({ name: 'ERP bridge', rotated_from_id: oldKey.id, old: { id: oldKey.id } });
  expect([await fetchStatus(oldKey.key), await fetchStatus(newKey.key)]).toEqual([200, 200]);
  await service.app.services.keyCalls.flush();
  const { data: keys } = await admin.call('keys.list');
  const listedKey = keys.find(({ id }: { id: number }) => id === oldKey.id);
  expect(listedKey).toMatchObject({
    expires_at: newKey.old.expires_at,
    rotation: { to_id: newKey.id, calls_since: 1, users_since: [{ address: '127.0.0.1', calls: 1 }] },
  });
});

it('keys.calls returns the calls page by page, or only those with errors', async () => {
  const { id, key } = await createKey();
  for (const path of ['/api/legos-cate', '/api/logistics?x=1', '/api/legos-head'])
    await fetchStatus(key, path);
  await service.app.services.keyCalls.flush();
  const { data: firstPage } = await admin.call('keys.calls', { id, limit: 2 });
  expect(firstPage.calls).toMatchObject([{ route: '/api/legos-head' }, { route: '/api/logistics' }]);
  const { data: secondPage } = await admin.call('keys.calls', { id, limit: 2, cursor: firstPage.next });
  expect(secondPage).toMatchObject({
    calls: [{ route: '/api/legos-cate', status: 200, error: null }],
    next: null,
  });
  const { data: errorPage } = await admin.call('keys.calls', { id, errors_only: true });
  expect(errorPage.calls).toMatchObject([
    { status: 422, error: { code: 'validation_failed', problems: [{ path: '…' }] } },
  ]);
});

it('keys.calls returns the English sentences of calls that the previous release logged', async () => {
  const { id } = await createKey();
  const error = {
    code: 'validation_failed',
    message: 'rows.0.…: must not be blank',
    errors: [{ path: 'rows.0.…', message: 'must not be blank' }],
  };
  await service.database.query(
    `INSERT INTO api_key_calls (api_key_id, created_at, request_id, method, route, status, duration_ms, error)
     VALUES ($1, now(), 'old', 'POST', '/api/orders/import', 422, 1, $2)`,
    [id, JSON.stringify(error)],
  );
  const { data } = await admin.call('keys.calls', { id });
  expect(data.calls).toMatchObject([{ request_id: 'old', error }]);
  expect(Object.keys(data.calls[0].error).toSorted()).toEqual(['code', 'errors', 'message']);
});

it('keys.operations names each operation that accepts a key, as the API document does', async () => {
  const { json: document } = await service.send('/docs/api/openapi.json');
  const documentedOperations = Object.values<
    Record<string, { operationId: string; summary: string; security: object[] }>
  >(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ security }) => 'ApiKey' in security[0]!)
    .map(({ operationId: name, summary }) => ({ name, summary }));
  const { data } = await admin.call('keys.operations');
  expect(data).toEqual(documentedOperations.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
});
