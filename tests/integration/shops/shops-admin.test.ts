import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;
let operator: SignedInUser;
let shopCount = 0;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

const firstProblemPathOf = (response: { error: { problems: { path: string }[] } | null }) =>
  response.error?.problems[0]?.path;
const makeShop = (name = `Shop ${++shopCount}`, shop_id?: string) =>
  admin.call('shops.create', { name, shop_id });
const readAuditEntries = (id: number) =>
  service.database.query(
    `SELECT action, before, after FROM audit_log WHERE record_type = 'account' AND record_id = $1 ORDER BY id`,
    [String(id)],
  );

it('the list of shops shows how much data each shop has', async () => {
  await service.importRows([{ receipt_id: '1' }, { receipt_id: '2' }]);
  await service.send('/api/shop-statistics', { body: { shop_id: 'test-shop', date: '2026-01-01' } });
  const { data } = await operator.call('shops.list');
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    id: service.shopId,
    name: 'Test shop',
    shop_id: 'test-shop',
    archived_at: null,
    orders: 2,
    last_import: { outcome: 'succeeded', new_orders: 2, rows: 2 },
    statistic_days: 1,
    has_prompt: false,
  });
});

it('the shops that pages offer to choose from are those of the list, without the counts of their data', async () => {
  const [listed, named] = [await operator.call('shops.list'), await operator.call('shops.names')];
  expect(named.data).toEqual(
    listed.data.map(
      ({ orders, last_import, statistic_days, has_prompt, ...shop }: Record<string, unknown>) => shop,
    ),
  );
  expect(named.data).toHaveLength(1);
});

it('admins can create, rename, archive and restore shops and change their shop_id; the audit log has the values before and after', async () => {
  const { data } = await makeShop('Made', ' made-1 ');
  expect(data).toMatchObject({ name: 'Made', shop_id: 'made-1', orders: 0, last_import: null });
  const { id } = data;
  expect((await admin.call('shops.update', { id, name: 'Renamed' })).data.name).toBe('Renamed');
  expect((await admin.call('shops.update', { id, shop_id: null })).data.shop_id).toBeNull();
  for (let n = 0; n < 2; n++) {
    const { data: archivedShop } = await admin.call('shops.archive', { id });
    expect(archivedShop.archived_at).not.toBeNull();
  }
  expect((await admin.call('shops.restore', { id })).data.archived_at).toBeNull();
  const entries = await readAuditEntries(id);
  expect(entries.map(({ action }) => action)).toEqual([
    'account.create',
    'account.update',
    'account.update',
    'account.archive',
    'account.restore',
  ]);
  expect(entries[1]).toMatchObject({
    before: { name: 'Made', shop_id: 'made-1' },
    after: { name: 'Renamed', shop_id: 'made-1', archived: false },
  });
});

it('names and shop_ids stay unique even with concurrent calls, and a refusal names the field', async () => {
  await makeShop('Taken', 'taken-1');
  const { data: otherShop } = await makeShop('Other');
  for (const [response, path] of [
    [await makeShop('Taken'), 'name'],
    [await makeShop('Free', 'taken-1'), 'shop_id'],
    [await admin.call('shops.update', { id: otherShop.id, name: 'Taken' }), 'name'],
    [await admin.call('shops.update', { id: otherShop.id, shop_id: 'taken-1' }), 'shop_id'],
  ] as const)
    expect([response.status, firstProblemPathOf(response)]).toEqual([422, path]);
  const createResponses = await Promise.all([makeShop('Race'), makeShop('Race'), makeShop('Race')]);
  expect(createResponses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  const { data: secondShop } = await makeShop();
  const responses = await Promise.all(
    [otherShop.id, secondShop.id].map((id) => admin.call('shops.update', { id, shop_id: 'race-1' })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
});

it.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ shop_id: '' }, 'shop_id'],
  [{ shop_id: 'x'.repeat(51) }, 'shop_id'],
  [{ shop_id: 'a\u0000' }, 'shop_id'],
  [{ more: 1 }, 'more'],
])('creating a shop refuses %j, naming %s', async (fields, path) => {
  const response = await admin.call('shops.create', { name: 'Fine', ...fields });
  expect([response.status, firstProblemPathOf(response)]).toEqual([422, path]);
});

it('an archived shop still accepts imports, and comes last in the list', async () => {
  const { data } = await makeShop();
  await admin.call('shops.archive', { id: data.id });
  const { status } = await service.importRows([{ receipt_id: '77' }], { account_id: data.id });
  expect(status).toBe(200);
  const { data: shops } = await operator.call('shops.list');
  expect(shops.at(-1)).toMatchObject({ id: data.id, orders: 1 });
});

it('the API accepts imports for a shop as soon as it is created', async () => {
  const { data } = await makeShop();
  expect((await service.importRows([{ receipt_id: '78' }], { account_id: data.id })).status).toBe(200);
});

it('operators cannot change shops, and an unknown shop results in 404', async () => {
  const calls = [
    ['create', { name: 'No' }],
    ['update', { id: 1 }],
    ['archive', { id: 1 }],
    ['restore', { id: 1 }],
  ] as const;
  for (const [procedure, input] of calls)
    expect((await operator.call(`shops.${procedure}`, input)).status).toBe(403);
  for (const procedure of ['update', 'archive', 'restore'])
    expect((await admin.call(`shops.${procedure}`, { id: 99_999 })).status).toBe(404);
});

it('a time zone typed in lower case is stored as the database spells it, under the same name', async () => {
  const create = (time_zone: string) =>
    admin.call('shops.create', { name: `Shop ${++shopCount}`, time_zone });
  const { data: shop } = await create('asia/shanghai');
  expect(shop.time_zone).toBe('Asia/Shanghai');
  expect((await create('asia/kolkata')).data.time_zone).toBe('Asia/Kolkata');
  const { data: changedShop } = await admin.call('shops.update', { id: shop.id, time_zone: 'EUROPE/berlin' });
  expect(changedShop.time_zone).toBe('Europe/Berlin');
  await operator.call('account.update', { time_zone: 'utc' });
  expect((await operator.call('account.me')).data.time_zone).toBe('UTC');
});
