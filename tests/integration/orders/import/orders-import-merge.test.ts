import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportService, startImportService } from '../../../support/service/import-service';

let service: ImportService;

beforeAll(async () => {
  service = await startImportService();
});
afterAll(() => service.close());

describe('an import', () => {
  it('never erases a stored value with a blank cell, but replaces it with another value', async () => {
    const fullRow = {
      receipt_id: 'blank',
      transaction_id: 't',
      buyer: 'Ann',
      zip: '123',
      quantity: 2,
      price: '4.49',
      title: 'T',
      note: 'N',
    };
    await service.importAndCount(fullRow);
    await service.importAndCount({
      receipt_id: 'blank',
      transaction_id: 't',
      buyer: '',
      zip: null,
      quantity: ' ',
      price: null,
      title: '',
      note: '',
    });
    expect(await service.readOrder('blank')).toMatchObject({
      buyer: 'Ann',
      zip: '123',
      note: 'N',
      items: [{ quantity: 2, price: 4.49, title: 'T' }],
    });
    await service.importAndCount({ ...fullRow, buyer: 'Bob', quantity: 0, price: 0 });
    expect(await service.readOrder('blank')).toMatchObject({
      buyer: 'Bob',
      items: [{ quantity: 0, price: 0, title: 'T' }],
    });
  });

  it('uses the first non-zero amount in the rows of an order, and never replaces an amount with zero', async () => {
    const makeRow = (n: number, cells: Record<string, unknown>) => ({
      receipt_id: 'amounts',
      transaction_id: `${n}`,
      ...cells,
    });
    await service.importAndCount(
      makeRow(1, { order_shipping: 0, order_sales_tax: '' }),
      makeRow(2, { order_shipping: '5', order_sales_tax: 0 }),
      makeRow(3, { order_shipping: 7 }),
    );
    expect(await service.readOrder('amounts')).toMatchObject({ order_shipping: 5, order_sales_tax: 0 });
    await service.importAndCount(makeRow(1, { order_shipping: '0.00', order_sales_tax: '1.25' }));
    expect(await service.readOrder('amounts')).toMatchObject({ order_shipping: 5, order_sales_tax: 1.25 });
    await service.importAndCount(makeRow(1, { order_shipping: 6 }));
    expect(await service.readOrder('amounts')).toMatchObject({ order_shipping: 6, order_sales_tax: 1.25 });
  });

  it('takes the other fields of an order from the first row that has them', async () => {
    await service.importAndCount(
      { receipt_id: 'first', city: '' },
      { receipt_id: 'first', city: 'Bonn' },
      { receipt_id: 'first', city: 'Köln' },
    );
    expect((await service.readOrder('first')).city).toBe('Bonn');
  });

  it('never replaces a zip or SKU with the same text without its leading zeros', async () => {
    await service.importAndCount({ receipt_id: 'zeros', transaction_id: 't', zip: '02134', sku: '00042' });
    await service.importAndCount({ receipt_id: 'zeros', transaction_id: 't', zip: 2134, sku: '42' });
    expect(await service.readOrder('zeros')).toMatchObject({ zip: '02134', items: [{ sku: '00042' }] });
    await service.importAndCount({ receipt_id: 'zeros', transaction_id: 't', zip: '2135', sku: '43' });
    expect(await service.readOrder('zeros')).toMatchObject({ zip: '2135', items: [{ sku: '43' }] });
  });

  it('stores a zip or SKU of 0 where there was none', async () => {
    await service.importAndCount({ receipt_id: 'zero', transaction_id: 't' });
    await service.importAndCount({ receipt_id: 'zero', transaction_id: 't', zip: '0', sku: '0' });
    expect(await service.readOrder('zero')).toMatchObject({ zip: '0', items: [{ sku: '0' }] });
  });

  it('matches an item without a transaction again even if a spreadsheet stripped the leading zeros of its SKU', async () => {
    await service.importAndCount({ receipt_id: 'stripped', sku: '007', title: 'T' });
    expect(await service.importAndCount({ receipt_id: 'stripped', sku: 7, title: 'T' })).toEqual([0, 1, 0]);
    expect(await service.readItems('stripped', 'sku')).toEqual(['007']);
  });

  it('adds and replaces members of extra, and keeps the others', async () => {
    await service.importAndCount({ receipt_id: 'extra', transaction_id: 't', a: 1, b: 'x' });
    await service.importAndCount({ receipt_id: 'extra', transaction_id: 't', b: 'y', c: true });
    expect(await service.readItems('extra', 'extra')).toEqual([{ a: 1, b: 'y', c: true }]);
  });

  describe('keeps at most 64 KiB of extra:', () => {
    const fieldsOf = (name: string, count: number, character = 'x') =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [name + n, character.repeat(9_000)]));
    const row = { receipt_id: 'full', transaction_id: 't' };
    const readWarnings = () =>
      service.database.query(
        `SELECT s.path, s.reason FROM import_issues s
          WHERE s.import_id = (SELECT max(id) FROM imports) AND s.severity = 'warning'`,
      );
    const FULL = { path: 'rows.0.extra', reason: 'cell.extraFull' };
    const countHistoryBytes = async () =>
      (
        await service.database.query(
          `SELECT coalesce(sum(octet_length(before::text) + octet_length(after::text)), 0)::int AS bytes FROM import_changes
            WHERE import_id = (SELECT max(id) FROM imports)`,
        )
      )[0]!.bytes;

    it('what an import adds beyond it is left out with a warning, and the rest is imported', async () => {
      await service.importAndCount({ ...row, ...fieldsOf('a', 5) });
      expect(await service.importAndCount({ ...row, ...fieldsOf('b', 5), title: 'Fox' })).toEqual([0, 1, 0]);
      expect(await service.readItems('full', 'title')).toEqual(['Fox']);
      expect(await service.readItems('full', 'extra')).toEqual([fieldsOf('a', 5)]);
      expect(await readWarnings()).toEqual([FULL]);
      // Replaced values do not count twice.
      await service.importAndCount({ ...row, ...fieldsOf('a', 5, 'y') });
      expect(await service.readItems('full', 'extra')).toEqual([fieldsOf('a', 5, 'y')]);
      expect(await readWarnings()).toEqual([]);
    });

    it('an item that had more before stays as it is, and is imported again without a large history', async () => {
      const extra = fieldsOf('old', 20);
      await service.importAndCount({ ...row, receipt_id: 'old', title: 'Fox' });
      await service.database.query(
        `UPDATE order_items i SET extra = $1 FROM orders o WHERE o.id = i.order_id AND o.receipt_id = 'old'`,
        [JSON.stringify(extra)],
      );
      const importAgain = (cells: object) =>
        service.importAndCount({ ...row, receipt_id: 'old', ...cells } as never);
      expect(await importAgain({ old7: extra.old7 })).toEqual([0, 1, 0]);
      expect(await readWarnings()).toEqual([]);
      expect(await importAgain({ old7: 'changed', title: 'Owl' })).toEqual([0, 1, 0]);
      expect(await readWarnings()).toEqual([FULL]);
      expect(await countHistoryBytes()).toBeLessThan(1_000);
      expect(await service.readItems('old', 'title')).toEqual(['Owl']);
      expect(await service.readItems('old', 'extra')).toEqual([extra]);
    });
  });

  it('records each changed value before and after', async () => {
    await service.importAndCount({ receipt_id: 'undo', transaction_id: 't', city: 'Bonn', title: 'Old' });
    await service.importAndCount({ receipt_id: 'undo', transaction_id: 't', city: 'Köln', title: 'New' });
    const changes = await service.database.query(
      `SELECT record, before, after FROM import_changes WHERE import_id = (SELECT max(id) FROM imports) ORDER BY record`,
    );
    expect(changes).toEqual([
      { record: 'order', before: { city: 'Bonn' }, after: { city: 'Köln' } },
      { record: 'item', before: { title: 'Old' }, after: { title: 'New' } },
    ]);
  });

  it('is recorded as the import that created its orders and items', async () => {
    await service.importAndCount({ receipt_id: 'created' });
    const [lastImport] = await service.database.query<{ id: number }>(
      'SELECT max(id)::int AS id FROM imports',
    );
    expect(await service.readOrder('created')).toMatchObject({
      import_id: lastImport!.id,
      items: [{ import_id: lastImport!.id }],
    });
  });
});
