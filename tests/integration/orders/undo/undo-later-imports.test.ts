// What an undo keeps because a later import wrote or used it, and the country's code (docs/orders.md, "History and undo").
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startOneOrder } from './one-order';

const { service, user, importRows, undo, readOrder } = await startOneOrder();
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

it('a value that a later import wrote again stays', async () => {
  await importRows({ name: 'Ann' });
  const bob = await importRows({ name: 'Bob' });
  await importRows({ name: 'Cid' });
  const again = await importRows({ name: 'Bob' });
  const { undone, kept } = await undo(bob);
  expect(undone).toEqual([]);
  expect(kept).toMatchObject([
    {
      record: 'order',
      reason: 'import',
      by_import: again,
      fields: [{ name: 'name', before: 'Ann', present: 'Bob' }],
    },
  ]);
  expect(await readOrder()).toMatchObject({ name: 'Bob' });
});

it('a value that a later import wrote again is restored once that import is undone', async () => {
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
])('a transaction id stays if a later import %s by it, so that no item is doubled', async (_, later) => {
  await importRows({ price: '1.00' });
  const identifying = await importRows({ price: '1.00', transaction_id: 't1' });
  const identified = await importRows(later);
  const { kept, undone } = await undo(identifying);
  expect(undone).toEqual([]);
  expect(kept).toMatchObject([{ record: 'item', reason: 'import', by_import: identified }]);
  expect((await readOrder()).items).toMatchObject([{ transaction_id: 't1' }]);
  await importRows({ price: '1.00', transaction_id: 't1' });
  await importRows(later);
  expect((await readOrder()).items).toHaveLength(1);
});

it('a transaction id that no later import can have used is taken back', async () => {
  await importRows({ price: '1.00' });
  const identifying = await importRows({ price: '1.00', transaction_id: 't1' });
  await undo(await importRows({ title: 'Red fox', transaction_id: 't1' }));
  expect((await undo(identifying)).kept).toEqual([]);
  expect((await readOrder()).items).toMatchObject([{ transaction_id: null, title: 'Fox' }]);
});

const callCountries = async (procedure: 'addAlias' | 'removeAlias', code: string, alias: string) =>
  expect((await user.call(`countries.${procedure}`, { code, alias })).error).toBeNull();
const readCountry = async () => {
  const { country_name, country_code } = await readOrder();
  return [country_name, country_code];
};

it('a restored country name that has become an alias since gets its code', async () => {
  await importRows({ country_name: 'Undoland' });
  const id = await importRows({ country_name: 'Germany' });
  await callCountries('addAlias', 'FR', 'Undoland');
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

it('the code of a name that an import wrote and a user made an alias does not outlast the name', async () => {
  await importRows({ country_name: 'France' });
  const id = await importRows({ country_name: 'Undostan' });
  await callCountries('addAlias', 'DE', 'Undostan');
  expect((await undo(id)).kept).toEqual([]);
  expect(await readCountry()).toEqual(['France', 'FR']);
});

it('a restored country name that is no alias any more, or none at all, has no code', async () => {
  await callCountries('addAlias', 'DE', 'Undovia');
  await importRows({});
  const first = await importRows({ country_name: 'Undovia' });
  const second = await importRows({ country_name: 'France' });
  await callCountries('removeAlias', 'DE', 'Undovia');
  await undo(second);
  expect(await readCountry()).toEqual(['Undovia', null]);
  expect((await undo(first)).kept).toEqual([]);
  expect(await readCountry()).toEqual([null, null]);
});
