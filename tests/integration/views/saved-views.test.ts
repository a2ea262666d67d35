import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;
let otherUser: SignedInUser;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  otherUser = await createSignedInUser(service, 'operator');
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());

const saveView = (name: string, fields: object = {}, user = viewer) =>
  user.call('views.save', { list: 'orders', name, query: 'status=paid', ...fields });
const readNames = async (user: SignedInUser, list = 'orders') =>
  (await user.call('views.list', { list })).data.map((view: { name: string }) => view.name);
const firstProblemPathOf = (response: { error: { problems: { path: string }[] } | null }) =>
  response.error?.problems[0]?.path;

it('views are listed only where they were saved, and only for their owner until they are shared', async () => {
  const { data } = await saveView('Mine');
  expect(data).toMatchObject({ list: 'orders', query: 'status=paid', shared: false, mine: true });
  expect([await readNames(viewer), await readNames(viewer, 'products'), await readNames(otherUser)]).toEqual([
    ['Mine'],
    [],
    [],
  ]);
  await viewer.call('views.share', { id: data.id, shared: true });
  const { data: visibleViews } = await otherUser.call('views.list', { list: 'orders' });
  expect(visibleViews).toMatchObject([{ name: 'Mine', mine: false, shared: true }]);
  await viewer.call('views.share', { id: data.id, shared: false });
  expect(await readNames(otherUser)).toEqual([]);
});

it('saving a view again, even simultaneously, replaces its query, and is audited only if it changes something', async () => {
  const responses = await Promise.all([saveView('Again'), saveView('Again'), saveView('Again')]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
  expect((await saveView('Again', { query: '' })).data.query).toBe('');
  const entries = await service.database.query(
    `SELECT before, after FROM audit_log WHERE action = 'view.save' AND record_id = $1 ORDER BY id`,
    [String(responses[0]!.data.id)],
  );
  expect(entries).toMatchObject([
    { before: null, after: { query: 'status=paid' } },
    { before: { query: 'status=paid' }, after: { query: '' } },
  ]);
});

it('users cannot rename, share or remove another user’s views: they get 404, or 403 if the view is shared', async () => {
  const { data } = await saveView('Private');
  const { data: sharedView } = await saveView('Shown');
  await viewer.call('views.share', { id: sharedView.id, shared: true });
  for (const [procedure, input] of [
    ['views.rename', { name: 'x' }],
    ['views.share', { shared: true }],
    ['views.remove', {}],
  ] as const) {
    expect((await otherUser.call(procedure, { id: data.id, ...input })).status, procedure).toBe(404);
    expect((await otherUser.call(procedure, { id: sharedView.id, ...input })).status, procedure).toBe(403);
    expect((await viewer.call(procedure, { id: 99_999, ...input })).status, procedure).toBe(404);
  }
  expect((await admin.call('views.rename', { id: sharedView.id, name: 'x' })).status).toBe(403);
  expect((await viewer.call('views.rename', { id: data.id, name: 'Renamed' })).data.name).toBe('Renamed');
  const renameResponse = await viewer.call('views.rename', { id: data.id, name: 'Shown' });
  expect([renameResponse.status, firstProblemPathOf(renameResponse)]).toEqual([422, 'name']);
  for (const { id } of [data, sharedView])
    expect((await viewer.call('views.remove', { id })).status).toBe(200);
  expect(await readNames(viewer)).toEqual(['Again', 'Mine']);
});

it('admins can also remove another user’s shared views, but not the private ones', async () => {
  const { data } = await saveView('Removed');
  expect((await admin.call('views.remove', { id: data.id })).status).toBe(404);
  await viewer.call('views.share', { id: data.id, shared: true });
  expect((await admin.call('views.remove', { id: data.id })).status).toBe(200);
  expect((await viewer.call('views.remove', { id: data.id })).status).toBe(404);
  const [entry] = await service.database.query(
    `SELECT actor, before FROM audit_log WHERE action = 'view.remove' ORDER BY id DESC`,
  );
  expect(entry).toMatchObject({ actor: admin.email, before: { name: 'Removed', shared: true } });
});

it('each user can pin up to eight visible views per list, independently of other users', async () => {
  const user = await createSignedInUser(service, 'viewer');
  const pinnedView = (await saveView('Pinned by two', {}, user)).data;
  await user.call('views.share', { id: pinnedView.id, shared: true });
  const readPinnedNames = async (user: SignedInUser) =>
    (await user.call('views.list', { list: 'orders' })).data
      .filter((view: { pinned: boolean }) => view.pinned)
      .map((view: { name: string }) => view.name);
  expect((await otherUser.call('views.pin', { id: pinnedView.id, pinned: true })).data.pinned).toBe(true);
  expect([await readPinnedNames(otherUser), await readPinnedNames(user)]).toEqual([['Pinned by two'], []]);
  for (let n = 1; n <= 8; n++) {
    const { data } = await saveView(`Pin ${n}`, {}, user);
    for (const _ of [1, 2])
      expect((await user.call('views.pin', { id: data.id, pinned: true })).status).toBe(200);
  }
  const ninthResponse = await user.call('views.pin', { id: pinnedView.id, pinned: true });
  expect([ninthResponse.status, firstProblemPathOf(ninthResponse)]).toEqual([422, 'id']);
  const productView = (await saveView('Elsewhere', { list: 'products' }, user)).data;
  expect((await user.call('views.pin', { id: productView.id, pinned: true })).status).toBe(200);
  await user.call('views.share', { id: pinnedView.id, shared: false });
  expect(await readPinnedNames(otherUser)).toEqual([]);
  expect((await otherUser.call('views.pin', { id: pinnedView.id, pinned: true })).status).toBe(404);
  await user.call('views.pin', { id: (await saveView('Pin 1', {}, user)).data.id, pinned: false });
  expect(await readPinnedNames(user)).toHaveLength(7);
});

it.each([
  [{ list: 'Orders!' }, 'list'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ query: 'x'.repeat(4_001) }, 'query'],
  [{ query: 'a\u0000' }, 'query'],
  [{ more: 1 }, 'more'],
])('saving a view refuses %j, naming %s', async (change, path) => {
  const response = await saveView('Fine', change);
  expect([response.status, firstProblemPathOf(response)]).toEqual([422, path]);
});

it('there are at most two hundred views per user, even if several are saved at the same time', async () => {
  const user = await createSignedInUser(service, 'viewer');
  await service.database.query(
    `INSERT INTO saved_views (user_id, list, name, query) SELECT $1, 'orders', n::text, '' FROM generate_series(1, 198) n`,
    [user.userId],
  );
  const responses = await Promise.all(['a', 'b', 'c', 'd'].map((name) => saveView(name, {}, user)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
  expect((await saveView('1', { query: 'changed' }, user)).status).toBe(200);
});
