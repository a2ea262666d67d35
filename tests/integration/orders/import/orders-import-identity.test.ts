import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportService, startImportService } from '../../../support/service/import-service';

let service: ImportService;

beforeAll(async () => {
  service = await startImportService();
});
afterAll(() => service.close());

describe('an import', () => {
  it('ignores a leading # in an order number', async () => {
    expect(await service.importAndCount({ receipt_id: '#3001' })).toEqual([1, 0, 1]);
    expect(await service.importAndCount({ receipt_id: '3001' })).toEqual([0, 1, 0]);
  });

  it.each([
    ['41 00 1', '41001', '#41001', '41001.0', ' # 41001 '],
    ['AB 12', 'AB12', '#AB12', 'A B12'],
  ])('finds the order %j again however its number is written', async (firstSpelling, ...otherSpellings) => {
    expect(await service.importAndCount({ receipt_id: firstSpelling, transaction_id: '1' })).toEqual([
      1, 0, 1,
    ]);
    for (const receipt_id of otherSpellings)
      expect([receipt_id, await service.importAndCount({ receipt_id, transaction_id: '1' })]).toEqual([
        receipt_id,
        [0, 1, 0],
      ]);
  });

  it('treats an id sent as a number like the same digits sent as text', async () => {
    await service.importAndCount({ receipt_id: 4165098857, transaction_id: 5159655655 });
    expect(await service.importAndCount({ receipt_id: '4165098857', transaction_id: '5159655655' })).toEqual([
      0, 1, 0,
    ]);
  });

  it('creates one order from several rows with the same order number', async () => {
    const rows = [1, 2, 3].map((n) => ({ receipt_id: 'one', transaction_id: `${n}` }));
    expect(await service.importAndCount(...rows)).toEqual([1, 0, 3]);
  });

  it('creates one item from a transaction that appears twice in an order, and the later row wins', async () => {
    const duplicateRows = [
      { receipt_id: 'twice', transaction_id: 't', title: 'first', quantity: 1 },
      { receipt_id: 'twice', transaction_id: 't', title: 'last', quantity: '' },
    ];
    expect(await service.importAndCount(...duplicateRows)).toEqual([1, 0, 1]);
    expect((await service.readOrder('twice')).items[0]).toMatchObject({ title: 'last', quantity: 1 });
  });

  it('keeps the same transaction in two orders apart', async () => {
    expect(
      await service.importAndCount(
        { receipt_id: 'apart-1', transaction_id: 't' },
        { receipt_id: 'apart-2', transaction_id: 't' },
      ),
    ).toEqual([2, 0, 2]);
  });

  it('never merges rows without a transaction within a request, and matches them by position in later requests', async () => {
    const row = { receipt_id: 'anonymous', listing_id: '1', title: 'Same' };
    expect(await service.importAndCount(row, row, row)).toEqual([1, 0, 3]);
    expect(await service.importAndCount(row, row, row)).toEqual([0, 1, 0]);
    expect(await service.importAndCount(row, row, row, row)).toEqual([0, 1, 1]);
    expect(await service.importAndCount(row)).toEqual([0, 1, 0]);
    expect((await service.readOrder('anonymous')).items).toHaveLength(4);
  });

  it('distinguishes items without a transaction by listing, SKU, title and variations', async () => {
    const baseRow = { receipt_id: 'kinds', listing_id: '1', sku: 'A', title: 'T', variations: 'V' };
    const otherRows = [{ listing_id: '2' }, { sku: 'B' }, { title: 'U' }, { variations: 'W' }].map(
      (difference) => ({
        ...baseRow,
        ...difference,
      }),
    );
    expect(await service.importAndCount(baseRow, ...otherRows)).toEqual([1, 0, 5]);
    expect(await service.importAndCount(...otherRows.reverse(), baseRow)).toEqual([0, 1, 0]);
  });

  it('adds a transaction id to an item stored without one if a later row is otherwise identical, instead of duplicating the item', async () => {
    const row = { receipt_id: 'later', listing_id: '1', title: 'Same', quantity: 2 };
    await service.importAndCount(row, row);
    expect(
      await service.importAndCount({ ...row, transaction_id: 'a' }, { ...row, transaction_id: 'b' }),
    ).toEqual([0, 1, 0]);
    expect(await service.readItems('later', 'transaction_id')).toEqual(['a', 'b']);
    expect(await service.importAndCount(row, row)).toEqual([0, 1, 0]);
    expect(await service.importAndCount({ ...row, transaction_id: 'c' })).toEqual([0, 1, 1]);
  });

  it('matches an item without a transaction again even if a spreadsheet has reduced its SKU of zeros to a single zero', async () => {
    await service.importAndCount({ receipt_id: 'all-zeros', sku: '000', title: 'T' });
    expect(await service.importAndCount({ receipt_id: 'all-zeros', sku: 0, title: 'T' })).toEqual([0, 1, 0]);
    expect(await service.readItems('all-zeros', 'sku')).toEqual(['000']);
    expect(await service.importAndCount({ receipt_id: 'all-zeros', title: 'T' })).toEqual([0, 1, 1]);
  });

  it('matches repeated rows to the same items, even if one of them matched an older item the first time', async () => {
    await service.importAndCount({ receipt_id: 'beside', transaction_id: 't', title: 'Same' });
    const rows = [1, 2].map((quantity) => ({ receipt_id: 'beside', title: 'Same', quantity }));
    expect(await service.importAndCount(...rows)).toEqual([0, 1, 1]);
    expect(await service.readItems('beside', 'quantity')).toEqual([1, 2]);
    expect(await service.importAndCount(...rows)).toEqual([0, 1, 0]);
    expect(await service.readItems('beside', 'quantity')).toEqual([1, 2]);
  });

  it('keeps a row with a new transaction apart from a row without one in the same request', async () => {
    const row = { receipt_id: 'both', title: 'Same' };
    await service.importAndCount(row);
    expect(await service.importAndCount({ ...row, transaction_id: 'a' }, row)).toEqual([0, 1, 1]);
    expect(await service.importAndCount({ ...row, transaction_id: 'a' }, row)).toEqual([0, 1, 0]);
  });

  it('keeps the same order number in two shops apart', async () => {
    const [otherShop] = await service.database.query<{ id: number }>(
      `INSERT INTO shops (name) VALUES ('Other') RETURNING id`,
    );
    await service.importAndCount({ receipt_id: 'shared' });
    const body = { account_id: otherShop!.id, rows: [{ receipt_id: 'shared' }] };
    expect((await service.send('/api/orders/import', { body })).json.data.new_orders).toBe(1);
  });

  it('counts every order that was already stored as updated, whether it changes or not', async () => {
    await service.importAndCount({ receipt_id: 'named', note: 'a' });
    expect(await service.importAndCount({ receipt_id: 'named', note: 'a' })).toEqual([0, 1, 0]);
    expect(
      await service.importAndCount({ receipt_id: 'named', note: 'b' }, { receipt_id: 'named-new' }),
    ).toEqual([1, 1, 1]);
  });
});
