import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let otherShopId: number;
let serial = 0;
let receiptId: string;
let trackingNumber: string;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  const [shop] = await service.database.query<{ id: number }>(
    `INSERT INTO shops (name) VALUES ('Other shop') RETURNING id`,
  );
  otherShopId = shop!.id;
});
afterAll(() => service.close());
beforeEach(() => {
  receiptId = `S${++serial}`;
  trackingNumber = `NS${serial}CN`;
});

const readShopIds = async (trackingNumber: string) => {
  const rows = await service.database.query<{ shop_id: number }>(
    'SELECT shop_id FROM tracking_number_shops WHERE tracking_number = $1 ORDER BY shop_id',
    [trackingNumber],
  );
  return rows.map((row) => row.shop_id);
};
const makeRow = (receipt_id: string, tracking_number?: string) => ({
  receipt_id,
  transaction_id: '1',
  title: 'T',
  ...(tracking_number === undefined ? {} : { tracking_number }),
});
const pasteNumber = (receipt_id: string, tracking_number = trackingNumber) =>
  operator.call('orders.setTracking', {
    shop_id: service.shopId,
    rows: [{ receipt_id, tracking_number }],
  });
const findOrderId = async (receiptId: string) =>
  String((await readStoredOrder(service.database, receiptId)).id);
const removeNumber = async (receiptId: string) =>
  operator.call('orders.removeTracking', {
    id: await findOrderId(receiptId),
    tracking_number: trackingNumber,
  });

const sendCallback = (status: string) =>
  service.send('/api/v1/tracks', { body: { event: 'x', data: { tracking_number: trackingNumber, status } } });

/**
 * After every test, tracking_number_shops must agree with the shipments, and no tracking number may be left that has neither a shop
 * nor an event: carriers would be queried for it.
 */
afterEach(async () => {
  const numberShops = await service.database.query('SELECT * FROM tracking_number_shops ORDER BY 1, 2');
  expect(numberShops).toEqual(
    await service.database.query('SELECT DISTINCT tracking_number, shop_id FROM shipments ORDER BY 1, 2'),
  );
  const unusedNumbers = await service.database.query(
    `SELECT tracking_number FROM tracking_numbers n
      WHERE NOT EXISTS (SELECT FROM tracking_number_shops h WHERE h.tracking_number = n.tracking_number)
        AND NOT EXISTS (SELECT FROM tracking_events e WHERE e.tracking_number = n.tracking_number)`,
  );
  expect(unusedNumbers).toEqual([]);
});

describe('the shops of a tracking number', () => {
  it('are those whose imports contained it', async () => {
    await service.importRows([makeRow(receiptId, trackingNumber)]);
    await service.importRows([makeRow(receiptId, trackingNumber)]);
    expect(await readShopIds(trackingNumber)).toEqual([service.shopId]);
    await service.importRows([makeRow(receiptId, trackingNumber)], { account_id: otherShopId });
    expect(await readShopIds(trackingNumber)).toEqual([service.shopId, otherShopId].sort((a, b) => a - b));
  });

  it('do not change when an import is refused', async () => {
    const { status } = await service.importRows([makeRow(receiptId, trackingNumber), makeRow('', 'NS0CN')]);
    expect(status).toBe(422);
    expect(await readShopIds(trackingNumber)).toEqual([]);
  });

  it('include a shop for which a user pasted it, until its last shipment in that shop is removed', async () => {
    await service.importRows([makeRow(receiptId), makeRow(`${receiptId}b`)]);
    await pasteNumber(receiptId);
    await pasteNumber(`${receiptId}b`);
    // A number with events outlives its last shipment.
    await sendCallback('in_transit');
    await removeNumber(receiptId);
    expect(await readShopIds(trackingNumber)).toEqual([service.shopId]);
    await removeNumber(`${receiptId}b`);
    expect(await readShopIds(trackingNumber)).toEqual([]);
  });

  it('include a shop again once the removed number is restored', async () => {
    await service.importRows([makeRow(receiptId, trackingNumber)]);
    await removeNumber(receiptId);
    await operator.call('orders.restoreTracking', {
      id: await findOrderId(receiptId),
      tracking_number: trackingNumber,
    });
    expect(await readShopIds(trackingNumber)).toEqual([service.shopId]);
  });

  it('no longer include a shop once its import is undone, whether the import created the order or added the shipment to an older one', async () => {
    await service.importRows([makeRow(`${receiptId}old`)]);
    await service.importRows([makeRow(`${receiptId}other`, `${trackingNumber}X`)], {
      account_id: otherShopId,
    });
    await service.importRows([
      makeRow(receiptId, trackingNumber),
      makeRow(`${receiptId}old`, `${trackingNumber}X`),
    ]);
    const [lastImport] = await service.database.query<{ id: string }>(
      'SELECT max(id)::text AS id FROM imports',
    );
    const { id } = lastImport!;
    expect(await readShopIds(trackingNumber)).toEqual([service.shopId]);
    expect(await readShopIds(`${trackingNumber}X`)).toHaveLength(2);
    await operator.call('imports.undoPreview', { id, list: 'undone' });
    expect(await readShopIds(trackingNumber)).toEqual([service.shopId]);
    await operator.call('imports.undo', { id });
    expect(await readShopIds(trackingNumber)).toEqual([]);
    expect(await readShopIds(`${trackingNumber}X`)).toEqual([otherShopId]);
  });
});

it('a callback updates the orders of every shop that has shipments with its number', async () => {
  await service.importRows([makeRow(receiptId, trackingNumber)]);
  await service.importRows([makeRow(`${receiptId}other`, trackingNumber)], { account_id: otherShopId });
  const { json } = await sendCallback('delivered');
  expect(json.data).toMatchObject({ matched_orders: 2, updated_orders: 2 });
  for (const storedReceiptId of [receiptId, `${receiptId}other`]) {
    expect((await readStoredOrder(service.database, storedReceiptId)).status).toBe('delivered');
  }
});
