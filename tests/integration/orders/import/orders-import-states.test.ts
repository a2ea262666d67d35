import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportService, startImportService } from '../../../support/service/import-service';
import { readStoredOrders } from '../../../support/service/stored-orders';

let service: ImportService;

beforeAll(async () => {
  service = await startImportService();
});
afterAll(() => service.close());

describe('an import', () => {
  it.each([
    ['pending if it has no sale date', {}, 'pending'],
    ['paid if it has a sale date', { sale_date: '1/2/2026' }, 'paid'],
    [
      'shipped if it has a shipping date',
      { sale_date: '1/2/2026', shipped_indicator: '1/5/2026' },
      'shipped',
    ],
    ['shipped if it has a tracking number', { tracking_number: 'LX1' }, 'shipped'],
    ['shipped if its shipped indicator is yes', { shipped_indicator: 'yes' }, 'shipped'],
    ['paid if its shipped indicator is 0', { sale_date: '1/2/2026', shipped_indicator: '0' }, 'paid'],
    ['paid if its shipped indicator is false', { sale_date: '1/2/2026', shipped_indicator: false }, 'paid'],
    ['paid if its shipped indicator is No', { sale_date: '1/2/2026', shipped_indicator: 'No' }, 'paid'],
  ])('gives an order the status %s', async (name, cells, status) => {
    await service.importAndCount({ receipt_id: `status ${name}`, ...cells });
    expect((await service.readOrder(`status ${name}`)).status).toBe(status);
  });

  it('moves the status of an order only forward', async () => {
    await service.importAndCount({
      receipt_id: 'forward',
      sale_date: '1/2/2026',
      shipped_indicator: '1/5/2026',
    });
    await service.importAndCount({ receipt_id: 'forward', sale_date: '1/3/2026' });
    expect(await service.readOrder('forward')).toMatchObject({
      status: 'shipped',
      sale_date: '2026-01-03T05:00:00Z',
    });
    for (const status of ['delivered', 'cancelled']) {
      await service.database.query('UPDATE orders SET status = $1::order_status WHERE receipt_id = $2', [
        status,
        'forward',
      ]);
      await service.importAndCount({ receipt_id: 'forward', shipped_indicator: '1/6/2026' });
      expect((await service.readOrder('forward')).status).toBe(status);
    }
  });

  it('ignores spaces and case in tracking numbers, and adds a shipment for each different number', async () => {
    await service.importAndCount({
      receipt_id: 'shipments',
      tracking_number: 'lx 123 cn',
      carrier_code: 'yanwen',
    });
    await service.importAndCount({ receipt_id: 'shipments', tracking_number: 'LX123CN' });
    await service.importAndCount({ receipt_id: 'shipments', tracking_number: 'LX456CN' });
    const { shipments, tracking_status } = await service.readOrder('shipments');
    expect(shipments.map((shipment) => [shipment.tracking_number, shipment.carrier_code])).toEqual([
      ['LX123CN', 'yanwen'],
      ['LX456CN', null],
    ]);
    expect(tracking_status).toBe('not_found');
  });

  it('gives an order the status that its tracking number already has', async () => {
    await service.database.query(
      `INSERT INTO tracking_numbers (tracking_number, status) VALUES ('EARLY1', 'delivered')`,
    );
    await service.importAndCount({ receipt_id: 'early', sale_date: '1/2/2026', tracking_number: 'early1' });
    expect(await service.readOrder('early')).toMatchObject({
      status: 'delivered',
      tracking_status: 'delivered',
    });
  });

  it.each([
    [['delivered', 'in_transit'], 'in_transit', 'shipped'],
    [['delivered', 'exception'], 'exception', 'shipped'],
    [['delivered', 'delivery_failure'], 'delivery_failure', 'shipped'],
    [['delivered', 'delivered'], 'delivered', 'delivered'],
    [['info_received', 'out_for_delivery'], 'info_received', 'shipped'],
  ])(
    'gives an order whose shipments are %j the tracking status %s and the status %s',
    async (shipmentStatuses, trackingStatus, status) => {
      const receiptId = `sum ${shipmentStatuses.join('-')}`;
      const rows = shipmentStatuses.map((shipmentStatus, n) => ({
        receipt_id: receiptId,
        transaction_id: `${n}`,
        tracking_number: `${shipmentStatus}${n}${receiptId}`,
      }));
      for (const [n, shipmentStatus] of shipmentStatuses.entries()) {
        const trackingNumber = rows[n]!.tracking_number.replace(/\s+/g, '').toUpperCase();
        await service.database.query(
          'INSERT INTO tracking_numbers (tracking_number, status) VALUES ($1, $2::tracking_status)',
          [trackingNumber, shipmentStatus],
        );
      }
      await service.importAndCount(...rows);
      expect(await service.readOrder(receiptId)).toMatchObject({ tracking_status: trackingStatus, status });
    },
  );

  it('stores dates and times as the right UTC instants on days when the clocks change', async () => {
    await service.importAndCount(
      { receipt_id: 'spring', sale_date: '03/08/2026' },
      { receipt_id: 'spring-after', sale_date: '3/8/2026 2:30 AM' },
    );
    await service.importAndCount(
      { receipt_id: 'autumn', sale_date: '11/01/2026' },
      { receipt_id: 'autumn-twice', sale_date: '11/1/2026 1:30 AM' },
    );
    const saleDates = Object.fromEntries(
      (await readStoredOrders(service.database)).map((order) => [order.receipt_id, order.sale_date]),
    );
    expect(saleDates).toMatchObject({
      spring: '2026-03-08T05:00:00Z',
      'spring-after': '2026-03-08T07:30:00Z',
      autumn: '2026-11-01T04:00:00Z',
      'autumn-twice': '2026-11-01T05:30:00Z',
    });
  });
});
