import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readTrackingPaste,
  textOfTable,
} from '../../../../../src/components/orders/tracking-paste/tracking-paste';
import { openWorkbookStream } from '../../../../../src/server/core/spreadsheet/workbook-stream';
import { createShop } from '../../../../../src/server/shops/account-service';
import { runBehindLock } from '../../../../support/database/run-behind-lock';
import { createSignedInUser, type SignedInUser } from '../../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let secondShopId: number;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  const addShop = (name: string) => createShop(service.app.services.db, TEST_ACTOR, { name });
  ({ id: secondShopId } = await addShop('Second shop'));
  const { id: archivedShopId } = await addShop('Archived shop');
  const makeRow = (receipt_id: string) => ({ receipt_id, title: 'T', sale_date: '8/22/2026' });
  await service.importRows(['1', '2', 'both', 'left'].map(makeRow));
  for (const [account_id, receiptIds] of [
    [secondShopId, ['3', 'both']],
    [archivedShopId, ['left', 'gone']],
  ] as const)
    await service.send('/api/orders/import', { body: { account_id, rows: receiptIds.map(makeRow) } });
  await service.database.query('UPDATE shops SET archived_at = now() WHERE id = $1', [archivedShopId]);
});
afterAll(() => service.close());

const submitRows = (rows: object[]) => operator.call('trackingPaste.submit', { rows });
const readNumbers = () =>
  service.database.query<{ shop: string; receipt_id: string; number: string }>(
    `SELECT s.name AS shop, o.receipt_id, p.tracking_number AS number
       FROM shipments p JOIN orders o ON o.shop_id = p.shop_id AND o.id = p.order_id JOIN shops s ON s.id = o.shop_id
      ORDER BY number`,
  );

describe('pasted tracking numbers', () => {
  it('are stored in the shops of their orders; bad rows are returned with the shops to choose from', async () => {
    const { status, data } = await submitRows([
      { receipt_id: '1', tracking_number: 'LX1CN', carrier_code: 'yanwen' },
      { receipt_id: '999', tracking_number: 'LX2CN' },
      { receipt_id: '#3', tracking_number: 'LX3CN' },
      { receipt_id: 'both', tracking_number: 'LX4CN' },
      { receipt_id: 'left', tracking_number: 'LX5CN' },
      { receipt_id: 'gone', tracking_number: 'LX6CN' },
    ]);
    expect(status).toBe(200);
    expect(data).toEqual({
      added: 3,
      unchanged: 0,
      orders: 3,
      refused: [
        { row: 1, shops: [] },
        {
          row: 3,
          shops: [
            { id: secondShopId, name: 'Second shop' },
            { id: service.shopId, name: 'Test shop' },
          ],
        },
        { row: 5, shops: [] },
      ],
      shared_numbers: [],
    });
    expect(await readNumbers()).toEqual([
      { shop: 'Test shop', receipt_id: '1', number: 'LX1CN' },
      { shop: 'Second shop', receipt_id: '3', number: 'LX3CN' },
      { shop: 'Test shop', receipt_id: 'left', number: 'LX5CN' },
    ]);
  });

  it('go to the shop that was chosen for them; sending them again changes nothing', async () => {
    const row = { receipt_id: 'both', tracking_number: 'LX4CN', shop_id: secondShopId };
    expect((await submitRows([row])).data).toEqual({
      added: 1,
      unchanged: 0,
      orders: 1,
      refused: [],
      shared_numbers: [],
    });
    expect((await submitRows([row])).data).toEqual({
      added: 0,
      unchanged: 1,
      orders: 1,
      refused: [],
      shared_numbers: [],
    });
    expect(await readNumbers()).toContainEqual({ shop: 'Second shop', receipt_id: 'both', number: 'LX4CN' });
  });

  it('are refused with the shops that have the order number if the chosen shop does not', async () => {
    const rows = ['1', '999'].map((receipt_id) => ({
      receipt_id,
      tracking_number: 'LX9CN',
      shop_id: secondShopId,
    }));
    expect((await submitRows(rows)).data).toMatchObject({
      added: 0,
      refused: [
        { row: 0, shops: [{ id: service.shopId, name: 'Test shop' }] },
        { row: 1, shops: [] },
      ],
    });
  });

  it.each(['#5', '# 5', '5.0', 'AB 12', '#A B12'])(
    'are added to the order whose number is spelled as it was imported: %j',
    async (receipt_id) => {
      await service.importRows([{ receipt_id, title: 'T' }]);
      const row = { receipt_id, tracking_number: 'LX8CN' };
      expect((await submitRows([row])).data.refused).toEqual([]);
      const rows = [row];
      const { error } = await operator.call('orders.setTracking', { shop_id: service.shopId, rows });
      expect(error).toBeNull();
    },
  );

  it('that another order of any shop has are stored, and named with the orders that have them', async () => {
    const row = { receipt_id: '2', tracking_number: 'lx3 cn' };
    const { data } = await submitRows([row, { receipt_id: '1', tracking_number: 'LX10CN' }]);
    expect(data).toMatchObject({ added: 2, shared_numbers: [{ tracking_number: 'LX3CN' }] });
    const [firstOrder, secondOrder] = data.shared_numbers[0].orders;
    expect([firstOrder, secondOrder]).toEqual([
      { id: expect.any(String), receipt_id: '3', shop: 'Second shop' },
      { id: expect.any(String), receipt_id: '2', shop: 'Test shop' },
    ]);
    const { data: order } = await operator.call('orders.one', { id: secondOrder.id });
    expect(order.shipments).toMatchObject([{ tracking_number: 'LX3CN', other_orders: [firstOrder] }]);
  });

  it('whose order is removed while they are being stored are refused; all others are stored', async () => {
    const makeRow = (receipt_id: string) => ({ receipt_id, title: 'T' });
    await service.importRows(['A1', 'A2'].map(makeRow));
    await service.importRows(['B1', 'B2'].map(makeRow), { account_id: secondShopId });
    // Indexing the orders would wait for the lock too.
    await service.app.services.searchIndexer.finishIndexing();
    // The first shop's rows wait for the lock. When it is released, the order that was found in the second shop is gone.
    const [{ status, data }] = await runBehindLock(
      service.database,
      `SELECT FROM orders WHERE receipt_id = 'A1' FOR UPDATE;
       DELETE FROM order_items WHERE order_id = (SELECT id FROM orders WHERE receipt_id = 'B1');
       DELETE FROM orders WHERE receipt_id = 'B1'`,
      () =>
        submitRows(
          ['A1', '9999', 'B1', 'A2', 'B2'].map((receipt_id) => ({
            receipt_id,
            tracking_number: `R${receipt_id}CN`,
          })),
        ),
    );
    expect([status, data]).toEqual([
      200,
      {
        added: 3,
        unchanged: 0,
        orders: 3,
        refused: [
          { row: 1, shops: [] },
          { row: 2, shops: [] },
        ],
        shared_numbers: [],
      },
    ]);
    const numbers = (await readNumbers()).map(({ number }) => number);
    expect(numbers.filter((number) => number.startsWith('R'))).toEqual(['RA1CN', 'RA2CN', 'RB2CN']);
  });

  it('cannot be added by a viewer', async () => {
    const viewer = await createSignedInUser(service, 'viewer');
    const rows = [{ receipt_id: '2', tracking_number: 'LX7CN' }];
    expect((await viewer.call('trackingPaste.submit', { rows })).status).toBe(403);
  });
});

describe('a file of tracking numbers', () => {
  const readFile = (name: string, bytes: Uint8Array) =>
    operator.call('trackingPaste.readFile', { name, file: Buffer.from(bytes).toString('base64') });

  async function workbookOf(rows: readonly (readonly (string | number)[])[]): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    const workbook = openWorkbookStream('Sheet', async (chunk) => void chunks.push(chunk));
    await workbook.writeRows(rows);
    await workbook.end();
    return Buffer.concat(chunks);
  }

  it('can be CSV or a workbook, and keeps all digits of its numbers', async () => {
    const expectedRows = [
      ['Order number', 'Tracking number'],
      ['4165098857', 'LX1CN'],
      ['0041650988', '00340434292135100186'],
    ];
    const csvResponse = await readFile(
      'a.csv',
      Buffer.from(expectedRows.map((row) => `${row.join(';')}\n`).join('')),
    );
    expect(csvResponse.data.rows).toEqual(expectedRows);
    const workbook = await workbookOf([expectedRows[0]!, [4165098857, 'LX1CN'], expectedRows[2]!]);
    expect((await readFile('a.xlsx', workbook)).data.rows).toEqual(expectedRows);
  });

  it('shows which numbers of a workbook have lost their last digits, because they are stored as numbers', async () => {
    const workbook = await workbookOf([
      ['Order number', 'Tracking number'],
      ['1', Number('61299998820821171811')],
      ['2', 1234567890123450],
      [Number('61299998820821171811'), 'LX3CN'],
      [4165098857, 123456789012345],
    ]);
    const { data } = await readFile('a.xlsx', workbook);
    const { rows } = readTrackingPaste(textOfTable(data.rows));
    expect(
      rows.map(({ receipt_id, tracking_number, problem }) => [receipt_id, tracking_number, problem]),
    ).toEqual([
      ['1', '6.129999882082117e+19', 'damaged'],
      ['2', '1.23456789012345e+15', 'damaged'],
      ['6.129999882082117e+19', 'LX3CN', 'damaged'],
      ['4165098857', '123456789012345', null],
    ]);
  });

  it('without rows is refused with a message that says what it should contain', async () => {
    const { status, error } = await readFile('empty.csv', Buffer.from('\n\n'));
    expect([status, error?.message]).toEqual([
      422,
      'empty.csv has no rows. Choose a file with the columns order number and tracking number.',
    ]);
  });
});
