import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedInAs } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let viewer: SignedIn;
let other: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  service = await startTestService();
  viewer = await signedInAs(service, 'viewer');
  other = await signedInAs(service, 'operator');
  admin = await signedInAs(service, 'admin');
});
afterAll(() => service.close());

const save = (name: string, fields: object = {}, user = viewer) =>
  user.call('views.save', { list: 'orders', name, query: 'status=paid', ...fields });
const namesOf = async (user: SignedIn, list = 'orders') =>
  (await user.call('views.list', { list })).data.map((view: { name: string }) => view.name);
const firstPath = (response: { error: { problems: { path: string }[] } | null }) =>
  response.error?.problems[0]?.path;

it('views belong to their owner and list until they are shared', async () => {
  const { data } = await save('Mine');
  expect(data).toMatchObject({ list: 'orders', query: 'status=paid', shared: false, mine: true });
  expect([await namesOf(viewer), await namesOf(viewer, 'products'), await namesOf(other)]).toEqual([
    ['Mine'],
    [],
    [],
  ]);
  await viewer.call('views.share', { id: data.id, shared: true });
  const { data: seen } = await other.call('views.list', { list: 'orders' });
  expect(seen).toMatchObject([{ name: 'Mine', mine: false, shared: true }]);
  await viewer.call('views.share', { id: data.id, shared: false });
  expect(await namesOf(other)).toEqual([]);
});

it('views saved again under the same name get the new query, even concurrently, and are audited once per change', async () => {
  const responses = await Promise.all([save('Again'), save('Again'), save('Again')]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
  expect((await save('Again', { query: '' })).data.query).toBe('');
  const entries = await service.database.query(
    `SELECT before, after FROM audit_log WHERE action = 'view.save' AND record_id = $1 ORDER BY id`,
    [String(responses[0]!.data.id)],
  );
  expect(entries).toMatchObject([
    { before: null, after: { query: 'status=paid' } },
    { before: { query: 'status=paid' }, after: { query: '' } },
  ]);
});

it('only their owner can rename, share and remove views; others get 404, or 403 if a view is shared', async () => {
  const { data } = await save('Private');
  const { data: shown } = await save('Shown');
  await viewer.call('views.share', { id: shown.id, shared: true });
  for (const [path, input] of [
    ['views.rename', { name: 'x' }],
    ['views.share', { shared: true }],
    ['views.remove', {}],
  ] as const) {
    expect((await other.call(path, { id: data.id, ...input })).status, path).toBe(404);
    expect((await other.call(path, { id: shown.id, ...input })).status, path).toBe(403);
    expect((await viewer.call(path, { id: 99_999, ...input })).status, path).toBe(404);
  }
  expect((await admin.call('views.rename', { id: shown.id, name: 'x' })).status).toBe(403);
  expect((await viewer.call('views.rename', { id: data.id, name: 'Renamed' })).data.name).toBe('Renamed');
  const taken = await viewer.call('views.rename', { id: data.id, name: 'Shown' });
  expect([taken.status, firstPath(taken)]).toEqual([422, 'name']);
  for (const { id } of [data, shown]) expect((await viewer.call('views.remove', { id })).status).toBe(200);
  expect(await namesOf(viewer)).toEqual(['Again', 'Mine']);
});

it('admins can also remove the shared views of others, but not the private ones', async () => {
  const { data } = await save('Removed');
  expect((await admin.call('views.remove', { id: data.id })).status).toBe(404);
  await viewer.call('views.share', { id: data.id, shared: true });
  expect((await admin.call('views.remove', { id: data.id })).status).toBe(200);
  expect((await viewer.call('views.remove', { id: data.id })).status).toBe(404);
  const [entry] = await service.database.query(
    `SELECT actor, before FROM audit_log WHERE action = 'view.remove' ORDER BY id DESC`,
  );
  expect(entry).toMatchObject({ actor: admin.email, before: { name: 'Removed', shared: true } });
});

it('views are pinned by each user separately while visible, at most eight per list', async () => {
  const user = await signedInAs(service, 'viewer');
  const mine = (await save('Pinned by two', {}, user)).data;
  await user.call('views.share', { id: mine.id, shared: true });
  const pinnedOf = async (user: SignedIn) =>
    (await user.call('views.list', { list: 'orders' })).data
      .filter((view: { pinned: boolean }) => view.pinned)
      .map((view: { name: string }) => view.name);
  expect((await other.call('views.pin', { id: mine.id, pinned: true })).data.pinned).toBe(true);
  expect([await pinnedOf(other), await pinnedOf(user)]).toEqual([['Pinned by two'], []]);
  for (let n = 1; n <= 8; n++) {
    const { data } = await save(`Pin ${n}`, {}, user);
    for (const _ of [1, 2])
      expect((await user.call('views.pin', { id: data.id, pinned: true })).status).toBe(200);
  }
  const ninth = await user.call('views.pin', { id: mine.id, pinned: true });
  expect([ninth.status, firstPath(ninth)]).toEqual([422, 'id']);
  const elsewhere = (await save('Elsewhere', { list: 'products' }, user)).data;
  expect((await user.call('views.pin', { id: elsewhere.id, pinned: true })).status).toBe(200);
  await user.call('views.share', { id: mine.id, shared: false });
  expect(await pinnedOf(other)).toEqual([]);
  expect((await other.call('views.pin', { id: mine.id, pinned: true })).status).toBe(404);
  await user.call('views.pin', { id: (await save('Pin 1', {}, user)).data.id, pinned: false });
  expect(await pinnedOf(user)).toHaveLength(7);
});

it.each([
  [{ list: 'Orders!' }, 'list'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ query: 'x'.repeat(4_001) }, 'query'],
  [{ query: 'a\u0000' }, 'query'],
  [{ more: 1 }, 'more'],
])('saving a view refuses %j, naming %s', async (change, path) => {
  const response = await save('Fine', change);
  expect([response.status, firstPath(response)]).toEqual([422, path]);
});

it('there are at most two hundred views per user, even if several are saved at the same time', async () => {
  const user = await signedInAs(service, 'viewer');
  await service.database.query(
    `INSERT INTO saved_views (user_id, list, name, query) SELECT $1, 'orders', n::text, '' FROM generate_series(1, 198) n`,
    [user.userId],
  );
  const responses = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(name, {}, user)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
  expect((await save('1', { query: 'changed' }, user)).status).toBe(200);
});
