import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../src/server/core/lists/cursor';
import { readPages, rowOf, uploadAndImport } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

const ORDER_COUNT = 7;

let service: TestService;
let user: SignedInUser;
/** The import that created the orders, with a warning about each. */
let firstImportId: string;
/** The import that changed them. */
let secondImportId: string;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
  const importOrders = (name: string) =>
    uploadAndImport(
      service,
      user,
      Array.from({ length: ORDER_COUNT }, (_, n) => rowOf(`o${n}`, { name, currency: 'none' })),
    );
  firstImportId = await importOrders('Ann');
  secondImportId = await importOrders('Bob');
});
afterAll(() => service.close());

describe.each([
  ['issues', () => firstImportId],
  ['created', () => firstImportId],
  ['changes', () => secondImportId],
])('the list of %s of an import', (part, importId) => {
  it.each([1, 2, 6, 7, 200])('has each entry on one of its pages of %i', async (limit) => {
    const whole = (await user.call('imports.one', { id: importId(), part })).data;
    expect([whole.total, whole.entries.length, whole.next]).toEqual([ORDER_COUNT, ORDER_COUNT, null]);
    const pages = await readPages(user, 'imports.one', { id: importId(), part, limit });
    expect(pages.length).toBe(Math.ceil(ORDER_COUNT / limit));
    expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries);
  });

  it.each([
    ['a number', '2'],
    ['the cursor of another list', encodeCursor('import.others', ['1'])],
    ['the cursor of a list sorted by text', encodeCursor(`import.${part}`, ['a'])],
    ['a number that is too large', encodeCursor(`import.${part}`, ['9'.repeat(19)])],
  ])('refuses a cursor that it never issued: %s', async (_, cursor) => {
    const { status, error } = await user.call('imports.one', { id: importId(), part, cursor });
    expect([status, error?.problems.map(({ path }) => path)]).toEqual([422, ['cursor']]);
  });

  it('ends after a position that no entry has', async () => {
    const cursor = encodeCursor(`import.${part}`, ['9'.repeat(18)]);
    const { data } = await user.call('imports.one', { id: importId(), part, cursor });
    expect([data.entries, data.next, data.total]).toEqual([[], null, ORDER_COUNT]);
  });
});

it('a page continues after the last entry that was shown, even if an order has been deleted since', async () => {
  const input = { id: firstImportId, part: 'created', limit: 3 };
  const first = (await user.call('imports.one', input)).data;
  await service.database.query(`DELETE FROM orders WHERE receipt_id = 'o1'`);
  const second = (await user.call('imports.one', { ...input, cursor: first.next })).data;
  expect(second.entries.map(({ receipt_id }: { receipt_id: string }) => receipt_id)).toEqual([
    'o3',
    'o4',
    'o5',
  ]);
});
