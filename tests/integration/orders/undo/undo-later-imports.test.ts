// What an undo keeps because a later import wrote or used it, and which country code the undo restores (docs/orders.md,
// "History and undo").
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startUndoService } from './undo-service';

const { service, user, importRows, undoImport, readOrder } = await startUndoService();
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

it('an undo keeps a value that a later import wrote again', async () => {
  await importRows({ name: 'Ann' });
  const bobImportId = await importRows({ name: 'Bob' });
  await importRows({ name: 'Cid' });
  const laterBobImportId = await importRows({ name: 'Bob' });
  const { undone, kept } = await undoImport(bobImportId);
  expect(undone).toEqual([]);
  expect(kept).toMatchObject([
    {
      record: 'order',
      reason: 'import',
      by_import: laterBobImportId,
      fields: [{ name: 'name', before: 'Ann', present: 'Bob' }],
    },
  ]);
  expect(await readOrder()).toMatchObject({ name: 'Bob' });
});

it('a value that a later import wrote again can be undone once all later imports are undone', async () => {
  await importRows({ name: 'Ann' });
  const bobImportId = await importRows({ name: 'Bob' });
  const cidImportId = await importRows({ name: 'Cid' });
  await undoImport(await importRows({ name: 'Bob' }));
  await undoImport(cidImportId);
  expect((await undoImport(bobImportId)).kept).toEqual([]);
  expect(await readOrder()).toMatchObject({ name: 'Ann' });
});

it.each([
  ['changed the item', { title: 'Red fox', transaction_id: 't1' }],
  ['changed only the order', { transaction_id: 't1', city: 'Paris' }],
  ['only added a tracking number', { transaction_id: 't1', tracking_number: 'UNDOORDER1' }],
])(
  'a transaction id stays if a later import that has it %s, so that no item is duplicated',
  async (_, laterCells) => {
    await importRows({ price: '1.00' });
    const identifyingImportId = await importRows({ price: '1.00', transaction_id: 't1' });
    const laterImportId = await importRows(laterCells);
    const { kept, undone } = await undoImport(identifyingImportId);
    expect(undone).toEqual([]);
    expect(kept).toMatchObject([{ record: 'item', reason: 'import', by_import: laterImportId }]);
    expect((await readOrder()).items).toMatchObject([{ transaction_id: 't1' }]);
    await importRows({ price: '1.00', transaction_id: 't1' });
    await importRows(laterCells);
    expect((await readOrder()).items).toHaveLength(1);
  },
);

it('a transaction id that only undone imports have used is removed', async () => {
  await importRows({ price: '1.00' });
  const identifyingImportId = await importRows({ price: '1.00', transaction_id: 't1' });
  await undoImport(await importRows({ title: 'Red fox', transaction_id: 't1' }));
  expect((await undoImport(identifyingImportId)).kept).toEqual([]);
  expect((await readOrder()).items).toMatchObject([{ transaction_id: null, title: 'Fox' }]);
});

const changeAlias = async (procedure: 'addAlias' | 'removeAlias', code: string, alias: string) =>
  expect((await user.call(`countries.${procedure}`, { code, alias })).error).toBeNull();
const readCountry = async () => {
  const { country_name, country_code } = await readOrder();
  return [country_name, country_code];
};

it('a restored country name that has since become an alias gets the alias’s country code', async () => {
  await importRows({ country_name: 'Undoland' });
  const id = await importRows({ country_name: 'Germany' });
  await changeAlias('addAlias', 'FR', 'Undoland');
  const { undone } = await undoImport(id);
  expect(undone).toMatchObject([
    {
      fields: [
        { name: 'country_code', before: 'FR', present: 'DE' },
        { name: 'country_name', before: 'Undoland', present: 'Germany' },
      ],
    },
  ]);
  expect(await readCountry()).toEqual(['Undoland', 'FR']);
});

it('undoing a country name also undoes the country code that the order got when the name became an alias', async () => {
  await importRows({ country_name: 'France' });
  const id = await importRows({ country_name: 'Undostan' });
  await changeAlias('addAlias', 'DE', 'Undostan');
  expect((await undoImport(id)).kept).toEqual([]);
  expect(await readCountry()).toEqual(['France', 'FR']);
});

it('an undo leaves an order without a country code if the restored country name is no longer an alias, or if no name is left', async () => {
  await changeAlias('addAlias', 'DE', 'Undovia');
  await importRows({});
  const firstImportId = await importRows({ country_name: 'Undovia' });
  const secondImportId = await importRows({ country_name: 'France' });
  await changeAlias('removeAlias', 'DE', 'Undovia');
  await undoImport(secondImportId);
  expect(await readCountry()).toEqual(['Undovia', null]);
  expect((await undoImport(firstImportId)).kept).toEqual([]);
  expect(await readCountry()).toEqual([null, null]);
});
