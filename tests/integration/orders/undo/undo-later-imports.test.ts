// What an undo keeps because a later import wrote or used it, and which country code it restores (docs/orders.md, "History and
// undo").
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startUndoService } from './undo-service';

const { service, user, importRows, undo, readOrder } = await startUndoService();
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

it('a value that a later import wrote again stays', async () => {
  await importRows({ name: 'Ann' });
  const bob = await importRows({ name: 'Bob' });
  await importRows({ name: 'Cid' });
  const bobAgain = await importRows({ name: 'Bob' });
  const { undone, kept } = await undo(bob);
  expect(undone).toEqual([]);
  expect(kept).toMatchObject([
    {
      record: 'order',
      reason: 'import',
      by_import: bobAgain,
      fields: [{ name: 'name', before: 'Ann', present: 'Bob' }],
    },
  ]);
  expect(await readOrder()).toMatchObject({ name: 'Bob' });
});

it('a value that a later import wrote again gives way to the earlier one once that import is undone', async () => {
  await importRows({ name: 'Ann' });
  const bob = await importRows({ name: 'Bob' });
  const cid = await importRows({ name: 'Cid' });
  await undo(await importRows({ name: 'Bob' }));
  await undo(cid);
  expect((await undo(bob)).kept).toEqual([]);
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
    const identifyingImport = await importRows({ price: '1.00', transaction_id: 't1' });
    const laterImport = await importRows(laterCells);
    const { kept, undone } = await undo(identifyingImport);
    expect(undone).toEqual([]);
    expect(kept).toMatchObject([{ record: 'item', reason: 'import', by_import: laterImport }]);
    expect((await readOrder()).items).toMatchObject([{ transaction_id: 't1' }]);
    await importRows({ price: '1.00', transaction_id: 't1' });
    await importRows(laterCells);
    expect((await readOrder()).items).toHaveLength(1);
  },
);

it('a transaction id that no later import can have used is removed', async () => {
  await importRows({ price: '1.00' });
  const identifyingImport = await importRows({ price: '1.00', transaction_id: 't1' });
  await undo(await importRows({ title: 'Red fox', transaction_id: 't1' }));
  expect((await undo(identifyingImport)).kept).toEqual([]);
  expect((await readOrder()).items).toMatchObject([{ transaction_id: null, title: 'Fox' }]);
});

const changeAlias = async (procedure: 'addAlias' | 'removeAlias', code: string, alias: string) =>
  expect((await user.call(`countries.${procedure}`, { code, alias })).error).toBeNull();
const readCountry = async () => {
  const { country_name, country_code } = await readOrder();
  return [country_name, country_code];
};

it('a restored country name that has since become an alias gets its code', async () => {
  await importRows({ country_name: 'Undoland' });
  const id = await importRows({ country_name: 'Germany' });
  await changeAlias('addAlias', 'FR', 'Undoland');
  const { undone } = await undo(id);
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

it('an undone country name takes with it the code that it got as an alias', async () => {
  await importRows({ country_name: 'France' });
  const id = await importRows({ country_name: 'Undostan' });
  await changeAlias('addAlias', 'DE', 'Undostan');
  expect((await undo(id)).kept).toEqual([]);
  expect(await readCountry()).toEqual(['France', 'FR']);
});

it('an order has no country code once its restored country name is no longer an alias, or once it has no country name', async () => {
  await changeAlias('addAlias', 'DE', 'Undovia');
  await importRows({});
  const first = await importRows({ country_name: 'Undovia' });
  const second = await importRows({ country_name: 'France' });
  await changeAlias('removeAlias', 'DE', 'Undovia');
  await undo(second);
  expect(await readCountry()).toEqual(['Undovia', null]);
  expect((await undo(first)).kept).toEqual([]);
  expect(await readCountry()).toEqual([null, null]);
});
