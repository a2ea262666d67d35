import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { encodeCursor } from '../../../../src/server/core/lists/cursor';
import {
  type Cells,
  commitDraft,
  readPages,
  readPreview,
  uploadDraft,
} from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder, readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

/** Returns what an import could leave behind, as JSON: orders, imports, recorded changes and tracking numbers. */
const readStoredJson = async () =>
  JSON.stringify([
    await readStoredOrders(service.database),
    await service.database.query('SELECT * FROM imports ORDER BY id'),
    await service.database.query('SELECT * FROM import_changes ORDER BY id'),
    await service.database.query('SELECT * FROM tracking_numbers ORDER BY 1'),
  ]);

it.each(['us', 'uk'] as const)(
  'the preview of the %s fixture stores nothing, and shows what the commit then does',
  async (name) => {
    const file = readFileSync(`tests/fixtures/sold-order-items-${name}.csv`);
    // An import is marked as searchable shortly after its response.
    await service.app.services.searchIndexer.finishIndexing();
    const jsonBefore = await readStoredJson();
    const id = await uploadDraft(service, user, file);
    const { counts, entries, fingerprint } = await readPreview(user, id, 'new');
    expect(await readStoredJson()).toBe(jsonBefore);

    const { data } = await user.call('imports.commit', { id, fingerprint });
    expect(data).toMatchObject({
      new_orders: counts.new_orders,
      order_items_inserted: counts.order_items_inserted,
    });
    expect(data.new_orders).toBe(name === 'us' ? 37 : 26);
    for (const entry of entries) {
      const order = await readStoredOrder(service.database, entry.receipt_id);
      const { status, buyer, currency, country_code } = order;
      expect(entry).toMatchObject({ status, buyer, currency, country_code, items: order.items.length });
      expect(entry.line).toBeGreaterThan(entry.row);
    }
    const secondDraftId = await uploadDraft(service, user, file);
    const { counts: secondCounts } = await readPreview(user, secondDraftId, 'unchanged');
    expect(secondCounts).toMatchObject({
      new_orders: 0,
      changed_orders: 0,
      unchanged_orders: counts.new_orders,
    });
  },
);

it('an order that would change is shown with its new items and each changed field before and after; other orders are listed as unchanged', async () => {
  const rows: Cells[] = [
    {
      receipt: 'u1',
      transaction_id: '1',
      title: 'Fox',
      quantity: 1,
      price: '4.49',
      name: 'Ann',
      sale_date: '8/22/2026',
    },
    { receipt: 'u2', transaction_id: '2', title: 'Owl', quantity: 1 },
  ];
  await commitDraft(user, await uploadDraft(service, user, rows));
  const changedRows: Cells[] = [
    { ...rows[0], quantity: 2, name: 'Anne' },
    { receipt: 'u1', transaction_id: '3', title: 'Elk' },
    rows[1]!,
  ];
  const id = await uploadDraft(service, user, changedRows);
  const { entries, counts } = await readPreview(user, id, 'updated');
  expect(counts).toMatchObject({ updated_orders: 2, changed_orders: 1, unchanged_orders: 1, new_orders: 0 });
  expect(entries).toEqual([
    {
      row: 1,
      line: 2,
      order_id: expect.any(String),
      receipt_id: 'u1',
      fields: [{ name: 'name', before: 'Ann', after: 'Anne' }],
      items: [
        {
          created: false,
          transaction_id: '1',
          title: 'Fox',
          sku: null,
          fields: [{ name: 'quantity', before: 1, after: 2 }],
        },
        { created: true, transaction_id: '3', title: 'Elk', sku: null, fields: [] },
      ],
      shipments: [],
    },
  ]);
  expect((await readPreview(user, id, 'unchanged')).entries).toEqual([
    { row: 3, line: 4, order_id: expect.any(String), receipt_id: 'u2' },
  ]);
  await commitDraft(user, id);
  const order = await readStoredOrder(service.database, 'u1');
  expect([order.name, order.items.map((item) => item.quantity)]).toEqual(['Anne', [2, null]]);
});

it.each([1, 33, 50, 70, 120, 200])('%i entries per page: each entry is on one page', async (limit) => {
  const rows = Array.from({ length: 120 }, (_, n): Cells => ({ receipt: `p${n}`, transaction_id: `${n}` }));
  const id = await uploadDraft(service, user, [...rows, { receipt: 'bad', quantity: 'two' }]);
  const pages = await readPages(user, 'imports.preview', { id, part: 'new', limit });
  expect(pages.map((page) => [page.entries.length, page.total])).toEqual(
    Array.from({ length: Math.ceil(120 / limit) }, (_, n) => [Math.min(limit, 120 - n * limit), 120]),
  );
  expect(pages.flatMap((page) => page.entries).map(({ receipt_id }) => receipt_id)).toEqual(
    rows.map((row) => row.receipt),
  );
  const last = await user.call('imports.preview', {
    id,
    part: 'rejected',
    limit,
    cursor: encodeCursor('preview', ['1']),
  });
  expect([last.data.entries, last.data.next, last.data.total]).toEqual([[], null, 1]);
});

it.each([
  ['a number', '2'],
  ['the cursor of another list', encodeCursor('import.issues', ['1'])],
  ['a position below 0', encodeCursor('preview', ['-1'])],
])('a preview refuses a cursor that it never issued: %s', async (_, cursor) => {
  const id = await uploadDraft(service, user, [{ receipt: 'q' }]);
  const { status, error } = await user.call('imports.preview', { id, part: 'new', cursor });
  expect([status, error?.problems.map(({ path }) => path)]).toEqual([422, ['cursor']]);
});

it('paging through a preview does not run the import again', async () => {
  const rows = Array.from({ length: 60 }, (_, n): Cells => ({ receipt: `t${n}`, transaction_id: `${n}` }));
  const id = await uploadDraft(service, user, rows);
  const readPage = async (cursor?: string) =>
    (await user.call('imports.preview', { id, part: 'new', cursor })).data;
  const firstPage = await readPage();
  expect([firstPage.entries.length, firstPage.total]).toEqual([50, 60]);
  // If the import ran again for the second page, it would find this order.
  await service.importRows([{ receipt_id: 't59', transaction_id: '59' }]);
  const { entries, total } = await readPage(firstPage.next);
  expect([total, entries.at(-1).receipt_id]).toEqual([60, 't59']);
});

it('unknown countries and damaged identifiers cause warnings that name the cell, but do not stop the import', async () => {
  await commitDraft(
    user,
    await uploadDraft(service, user, [{ receipt: 'z0', transaction_id: '1', sku: '00731' }]),
  );
  const rows: Cells[] = [
    { receipt: 'w1', country: 'Atlantis' },
    { receipt: 'w2', country: 'United States', zip: '2134' },
    { receipt: 'w3', transaction_id: '1.91E+18' },
    { receipt: 'w4', listing_id: '1912345678901200' },
    { receipt: 'w5', sku: '2-Jan' },
    { receipt: 'w6', sku: '731' },
  ];
  const id = await uploadDraft(service, user, rows);
  const { entries, counts } = await readPreview(user, id, 'warnings');
  expect(counts.warnings).toBe(6);
  const warnings = entries.map((warning: { line: number; field: string; column: number }) => [
    warning.line,
    warning.column,
    warning.field,
  ]);
  expect(warnings).toEqual([
    [2, 23, 'country_name'],
    [3, 22, 'zip'],
    [4, 13, 'transaction_id'],
    [5, 14, 'listing_id'],
    [6, 32, 'sku'],
    [7, 32, 'sku'],
  ]);
  expect(sentenceOf(entries[5])).toContain('00731');
  const { data } = await commitDraft(user, id);
  expect(data).toMatchObject({ new_orders: 6, warnings: 6 });
  const { data: issues } = await user.call('imports.one', { id: data.import_id, part: 'issues' });
  expect(issues.total).toBe(6);
});

it('whatever the rows, the preview shows the counts that the commit then returns', async () => {
  const row = fc.record({
    receipt: fc.constantFrom('q1', 'q2', 'q3', 'q4', ''),
    transaction_id: fc.constantFrom('1', '2', '', ''),
    title: fc.constantFrom('T', 'U', ''),
    quantity: fc.constantFrom('', 1, 2, 'x'),
    price: fc.constantFrom('', '1', '2.5', '12,00'),
    name: fc.constantFrom('', 'Ann', 'Bob'),
    country: fc.constantFrom('', 'Germany', 'Atlantis'),
    shipped: fc.constantFrom('', '8/22/2026'),
    zip: fc.constantFrom('', '02134', '2134'),
  });
  let commitCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      if (rows.every((cells) => Object.values(cells).every((cell) => cell === ''))) return;
      const id = await uploadDraft(service, user, rows);
      const { counts, fingerprint } = await readPreview(user, id, 'new');
      expect(counts.accepted_rows + counts.bad_rows + counts.held_rows).toBe(counts.rows);
      const { data, error } = await user.call('imports.commit', { id, fingerprint });
      if (counts.accepted_rows === 0) {
        expect(error?.code).toBe('validation_failed');
        return;
      }
      commitCount++;
      expect(data).toMatchObject({
        new_orders: counts.new_orders,
        updated_orders: counts.updated_orders,
        changed_orders: counts.changed_orders,
        order_items_inserted: counts.order_items_inserted,
        order_items_changed: counts.order_items_changed,
        warnings: counts.warnings,
        held_back: counts.bad_rows + counts.held_rows,
      });
      expect(counts.changed_orders + counts.unchanged_orders).toBe(data.updated_orders);
    }),
    { numRuns: 60 },
  );
  expect(commitCount).toBeGreaterThan(15);
}, 120_000);
