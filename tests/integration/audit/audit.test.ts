import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;
let shopId: number;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
  shopId = (await admin.call('shops.create', { name: 'Fox and Bricks', currency: 'EUR' })).data.id;
  await admin.call('shops.update', { id: shopId, currency: 'USD' });
});
afterAll(() => service.close());

const listEntries = async (input: Record<string, unknown> = {}) => {
  const response = await admin.call('audit.list', input);
  expect(response.error).toBeNull();
  return response.data.entries as Record<string, unknown>[];
};

it('an audit entry names the actor and the record, and has the changed values before and after', async () => {
  const [entry] = await listEntries({ limit: 1 });
  const [adminUser] = await service.database.query<{ name: string }>('SELECT name FROM users WHERE id = $1', [
    admin.userId,
  ]);
  expect(entry).toMatchObject({
    actor: admin.email,
    actor_name: adminUser!.name,
    action: 'account.update',
    record_type: 'account',
    record_name: 'Fox and Bricks',
    before: { currency: 'EUR' },
    after: { currency: 'USD' },
  });
});

it('an audit entry names an order by its number, and a removed record by its most recent name', async () => {
  await service.importRows([{ receipt_id: '4165098857', buyer: 'A' }]);
  const [order] = await service.database.query<{ id: string }>('SELECT id::text FROM orders');
  await admin.call('orders.addNote', { id: order!.id, text: 'Gift wrap' });
  expect((await listEntries({ action: 'order.add_note' }))[0]).toMatchObject({ record_name: '4165098857' });

  const view = (await admin.call('views.save', { list: 'orders', name: 'Gifts', query: 'q=gift' })).data;
  await admin.call('views.remove', { id: view.id });
  expect((await listEntries({ action: 'view.remove' }))[0]).toMatchObject({ record_name: 'Gifts' });
});

it('an audit entry keeps the names that the record and the actor had, whatever is renamed or removed later', async () => {
  const readOwnName = async () => (await admin.call('account.me')).data.name as string;
  const nameBefore = await readOwnName();
  const view = (await admin.call('views.save', { list: 'orders', name: 'Gifts', query: 'q=gift' })).data;
  await admin.call('views.rename', { id: view.id, name: 'Presents' });
  await admin.call('account.update', { name: 'Ann Fox' });
  await admin.call('views.share', { id: view.id, shared: true });
  await admin.call('views.rename', { id: view.id, name: 'Wrapped' });
  await admin.call('views.remove', { id: view.id });
  const entries = await listEntries({ limit: 6 });
  expect(entries.map(({ action, actor_name, record_name }) => [action, actor_name, record_name])).toEqual([
    ['view.remove', 'Ann Fox', 'Wrapped'],
    ['view.rename', 'Ann Fox', 'Presents'],
    ['view.share', 'Ann Fox', 'Presents'],
    ['user.update', nameBefore, nameBefore],
    ['view.rename', nameBefore, 'Gifts'],
    ['view.save', nameBefore, 'Gifts'],
  ]);
});

it('an entry about a prompt keeps the name that its shop had', async () => {
  const shop = (await admin.call('shops.create', { name: 'Owl Corner' })).data;
  await admin.call('prompts.set', { shop_name: 'Owl Corner', text: 'Be kind.' });
  await admin.call('shops.update', { id: shop.id, name: 'Owl Square' });
  expect((await listEntries({ action: 'prompt.publish', limit: 1 }))[0]).toMatchObject({
    record_name: 'Owl Corner',
  });
});

describe('the filters', () => {
  it('offer the actors in the log, and find their entries', async () => {
    const { data } = await admin.call('audit.actors');
    expect(data).toContainEqual(expect.objectContaining({ actor: `user:${admin.userId}`, kind: 'user' }));
    expect(data).toContainEqual({ actor: 'system', kind: 'system', name: '' });
    expect(data).not.toContainEqual(expect.objectContaining({ kind: 'command' }));
    const ownEntries = await listEntries({ actors: [`user:${admin.userId}`] });
    expect(new Set(ownEntries.map(({ actor }) => actor))).toEqual(new Set([admin.email]));
    const entriesOfBothActors = await listEntries({ actors: [`user:${admin.userId}`, 'system'] });
    expect(new Set(entriesOfBothActors.map(({ actor_kind: kind }) => kind))).toEqual(
      new Set(['user', 'system']),
    );
  });

  it('find entries by action group, record type and record', async () => {
    const shopEntries = await listEntries({ groups: ['shops'] });
    expect(shopEntries.map(({ action }) => action)).toContain('account.create');
    expect(shopEntries.every(({ action }) => String(action).startsWith('account.'))).toBe(true);
    const entriesOfTypes = await listEntries({ record_types: ['account', 'view'] });
    expect(new Set(entriesOfTypes.map(({ record_type: type }) => type))).toEqual(
      new Set(['account', 'view']),
    );
    const entriesOfShop = await listEntries({ record_types: ['account'], record_id: String(shopId) });
    expect(entriesOfShop.map(({ action }) => action)).toEqual(['account.update', 'account.create']);
  });

  it("find entries by day in the reader's time zone, including the last day", async () => {
    // 03:30 UTC on January 2 is still January 1 in New York, the default time zone, but midday on January 2 in Tokyo.
    await service.database.query(
      `INSERT INTO audit_log (created_at, actor_kind, actor, action, record_type, record_id)
       VALUES ('2020-01-02T03:30:00Z', 'system', 'test', 'demo.begin', 'demo', '1')`,
    );
    const countEntriesOn = async (day: string) => (await listEntries({ from: day, to: day })).length;
    expect([await countEntriesOn('2020-01-01'), await countEntriesOn('2020-01-02')]).toEqual([1, 0]);
    await admin.call('account.update', { time_zone: 'Asia/Tokyo' });
    expect([await countEntriesOn('2020-01-01'), await countEntriesOn('2020-01-02')]).toEqual([0, 1]);
  });

  it('refuse a value that they do not offer', async () => {
    for (const input of [
      { groups: ['all'] },
      { actors: ['user:x'] },
      { record_types: ['shop'] },
      { action: 'x' },
    ])
      expect((await admin.call('audit.list', input)).status, JSON.stringify(input)).toBe(422);
  });
});
