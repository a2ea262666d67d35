import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { createShop } from '../../../../src/server/shops/account-service';
import {
  type Cells,
  columnOf,
  commitDraft,
  exportOf,
  readPreview,
  uploadDraft,
} from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
  const { id } = await createShop(service.app.services.db, TEST_ACTOR, { name: 'Fox & Bricks' });
  await service.importRows(
    [
      { receipt_id: 'f1', listing_id: '70', title: 'Fox', currency: 'GBP' },
      { receipt_id: 'f2', listing_id: '70', title: 'Fox', currency: 'GBP' },
      { receipt_id: 'shared', listing_id: '71', title: 'Owl', currency: 'GBP' },
    ],
    { account_id: id },
  );
  await service.importRows([
    { receipt_id: 'shared', listing_id: '80', title: 'Wall', currency: 'USD' },
    { receipt_id: 'own', listing_id: '80', title: 'Wall', currency: 'USD', sale_date: '2026-08-22' },
  ]);
  await service.app.services.searchIndexer.finishIndexing();
});
afterAll(() => service.close());

const findMismatches = async (rows: Cells[]) => {
  const id = await uploadDraft(service, user, rows);
  const { data } = await user.call('imports.preview', { id, part: 'new' });
  return data.mismatches;
};

it('mismatches are reported for a file whose currency, order numbers and listings belong to another shop, but it can be imported', async () => {
  const rows = [
    { receipt: 'f1', listing_id: '70', currency: 'GBP' },
    { receipt: 'f2', listing_id: '71', currency: 'GBP' },
    { receipt: 'n1', listing_id: '72', currency: 'EUR' },
    { receipt: 'n2', listing_id: '80', currency: 'USD' },
  ];
  expect(await findMismatches(rows)).toEqual([
    { kind: 'currency', value: 'GBP', count: 2 },
    { kind: 'currency', value: 'EUR', count: 1 },
    { kind: 'receipts', value: 'Fox & Bricks', count: 2 },
    { kind: 'listings', value: 'Fox & Bricks', count: 2 },
  ]);
  const { data } = await commitDraft(user, await uploadDraft(service, user, rows));
  expect(data).toMatchObject({ new_orders: 4 });
});

it('the preview warns about an unknown column that is left out because the item already has 64 KiB of them', async () => {
  const storedCells = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [n, 'x'.repeat(9_000)]));
  await service.importRows([{ receipt_id: 'full', transaction_id: 't', ...storedCells }]);
  const [header, row] = exportOf([{ receipt: 'full', transaction_id: 't', title: 'Fox' }]);
  const id = await uploadDraft(
    service,
    user,
    stringify([
      [...header!, 'Gift note'],
      [...row!, 'x'.repeat(9_000)],
    ]),
  );
  const { entries } = await readPreview(user, id, 'warnings');
  expect(entries).toMatchObject([
    { row: 1, line: 2, field: 'extra', column: null, cell: null, reason: 'cell.extraFull' },
  ]);
  expect((await commitDraft(user, id)).data).toMatchObject({
    updated_orders: 1,
    changed_orders: 1,
    warnings: 1,
  });
});

it('no mismatch is reported for new orders, nor for the shop’s own orders even if another shop has the same order number', async () => {
  expect(
    await findMismatches([
      { receipt: 'shared', listing_id: '80', currency: 'USD' },
      { receipt: 'own', listing_id: '80', currency: 'USD' },
      { receipt: 'new', listing_id: '81' },
      { receipt: 'new2', currency: 'dollars' },
    ]),
  ).toEqual([]);
});

it('a quantity of 0 causes a warning', async () => {
  const id = await uploadDraft(service, user, [
    { receipt: 'q1', quantity: 0 },
    { receipt: 'q2', quantity: 1 },
  ]);
  const { entries, counts } = await readPreview(user, id, 'warnings');
  expect(counts).toMatchObject({ new_orders: 2, warnings: 1 });
  expect(entries).toMatchObject([{ line: 2, field: 'quantity', cell: '0' }]);
  expect(sentenceOf(entries[0])).toBe('is 0: the item is imported, but counts as not sold');
});

it('suspicious cells are listed with their text until they are fixed', async () => {
  const id = await uploadDraft(service, user, [
    { receipt: 'w1', country: 'Atlantis' },
    { receipt: 'w2', country: 'United States', zip: '2134' },
  ]);
  const { entries } = await readPreview(user, id, 'warnings');
  expect(entries.map(({ cell }: { cell: string }) => cell)).toEqual(['Atlantis', '2134']);
  const fixCell = (row: number, name: 'country' | 'zip', value: string) =>
    user.call('imports.fix', { id, cells: [{ row, column: columnOf(name), value }] });
  expect((await fixCell(1, 'country', 'Germany')).error).toBeNull();
  expect((await fixCell(2, 'zip', '02134')).error).toBeNull();
  const { counts } = await readPreview(user, id, 'warnings');
  expect(counts).toMatchObject({ warnings: 0, new_orders: 2 });
});

it('problems are located in the columns of the fields, not in further columns with the names of fields, and so are fixes', async () => {
  const [header, ...rows] = exportOf([
    { receipt: 'field', price: 'cheap', quantity: 1 },
    { receipt: 'further', price: '4.49', quantity: 1 },
  ]);
  const [fieldRow, furtherRow] = rows as [unknown[], unknown[]];
  const file = [
    [...header!, 'price', 'zip'],
    [...fieldRow, '1.00', 'x'],
    [...furtherRow, 'x'.repeat(10_001), 'x'],
  ];
  const id = await uploadDraft(service, user, stringify(file));
  const { entries } = await readPreview(user, id, 'rejected');
  const positions = entries.map(({ problems }: { problems: { field: string; column: number }[] }) =>
    problems.map(({ field, column }) => [field, column]),
  );
  expect(positions).toEqual([[['price', columnOf('price')]], [['column_33', 33]]]);
  const cells = [
    { row: 1, column: columnOf('price'), value: '5' },
    { row: 2, column: 33, value: '2.00' },
  ];
  expect((await user.call('imports.fix', { id, cells })).status).toBe(200);
  await commitDraft(user, id);
  const prices = await service.database.query(
    `SELECT o.receipt_id, i.price::float, i.extra FROM order_items i JOIN orders o ON o.id = i.order_id
      WHERE o.receipt_id IN ('field', 'further') ORDER BY 1`,
  );
  expect(prices).toEqual([
    { receipt_id: 'field', price: 5, extra: { price: '1.00', zip: 'x' } },
    { receipt_id: 'further', price: 4.49, extra: { price: '2.00', zip: 'x' } },
  ]);
});
