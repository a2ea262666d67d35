import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readDeliveries } from '../../../src/server/overview/deliveries-service';
import { COUNTRY_COLUMNS } from '../../../src/server/overview/schema';
import { AFTER_WEEK, startOverviewService, WEEK } from '../../support/service/overview-service';
import { createSignedInUser } from '../../support/service/signed-in';

const backOffice = startOverviewService();

describe('the deliveries', () => {
  const sendCallback = (tracking_number: string, status: string, time: string) =>
    backOffice.service.send('/api/v1/tracks', {
      body: { event: 'x', data: { tracking_number, status, time } },
    });
  const readDeliveriesIn = (range: object = WEEK, now = AFTER_WEEK) =>
    readDeliveries(backOffice.service.app.services.db, { ...WEEK, ...range }, Date.parse(now));

  it('are listed by country with the median days in transit, on the page and in the download', async () => {
    const makeShipmentCells = (country_name: string, tracking_number: string) => ({
      country_name,
      tracking_number,
    });
    await backOffice.importOrders([
      backOffice.createOrderRow('8/2/2026', '1', makeShipmentCells('Germany', 'D1')),
      backOffice.createOrderRow('8/8/2026', '1', makeShipmentCells('Germany', 'D2')),
      backOffice.createOrderRow('8/9/2026', '1', makeShipmentCells('Germany', 'D3')),
      backOffice.createOrderRow('8/9/2026', '1', makeShipmentCells('France', 'F1')),
      backOffice.createOrderRow('8/8/2026', '1', {
        ...makeShipmentCells('France', 'F2'),
        status: 'cancelled',
      }),
    ]);
    await backOffice.service.database.query(
      `UPDATE orders SET status = 'cancelled' WHERE id = (SELECT order_id FROM shipments WHERE tracking_number = 'F2')`,
    );
    for (const [trackingNumber, shippedAt, deliveredAt] of [
      ['D1', '2026-08-03T10:00:00Z', '2026-08-07T10:00:00Z'],
      ['D2', '2026-08-09T10:00:00Z', '2026-08-11T10:00:00Z'],
      ['D3', '2026-08-09T22:00:00Z', '2026-08-14T10:00:00Z'],
      ['F1', '2026-08-10T10:00:00Z', '2026-08-14T10:00:00Z'],
    ] as const) {
      await sendCallback(trackingNumber, 'InfoReceived', '2026-08-01T10:00:00Z');
      await sendCallback(trackingNumber, 'InTransit', shippedAt);
      await sendCallback(trackingNumber, 'Delivered', deliveredAt);
    }
    // F2 was never seen in transit, so it has no delivery time.
    await sendCallback('F2', 'Delivered', '2026-08-12T10:00:00Z');
    const data = await readDeliveriesIn();
    expect(data).toMatchObject({
      time: { value: 4, before: 4, change: 0 },
      deliveries: 3,
    });
    expect(data.countries).toEqual([
      {
        country: 'DE',
        orders: { value: 2, compared: 2, before: 1, change: 1 },
        time: { value: 3.3, compared: 3.3, before: 4, change: -0.175 },
        deliveries: 2,
      },
      {
        country: 'FR',
        orders: { value: 1, compared: 1, before: 0, change: null },
        time: { value: 4, compared: 4, before: null, change: null },
        deliveries: 1,
      },
    ]);
    const viewer = await createSignedInUser(backOffice.service, 'viewer');
    const downloadTable = async (language: string, input: object = WEEK) => {
      const query = new URLSearchParams({ format: 'csv', language, input: JSON.stringify(input) });
      for (const column of COUNTRY_COLUMNS) query.append('column', column);
      const response = await fetch(`${backOffice.service.url}/api/downloads/countries?${query}`, {
        headers: { Cookie: viewer.cookie },
      });
      expect(response.status).toBe(200);
      return parse(await response.text(), { bom: true }) as string[][];
    };
    // The file contains the page's figures, in the reader's language.
    expect(await downloadTable('en')).toEqual([
      ['Country', 'Orders', 'Change', 'Delivery time (days)', 'Change in time', 'Deliveries'],
      ['Germany', '2', '100%', '3.3', '-17.5%', '2'],
      ['France', '1', '', '4', '', '1'],
    ]);
    expect((await downloadTable('zh')).map(([country]) => country)).toEqual(['国家/地区', '德国', '法国']);
    expect(await downloadTable('en', { ...WEEK, shops: [backOffice.poundShopId] })).toHaveLength(1);
    expect((await readDeliveriesIn({ shops: [backOffice.poundShopId] })).countries).toEqual([]);
    expect(await readDeliveriesIn({ shops: [backOffice.poundShopId] })).toMatchObject({
      time: null,
      deliveries: 0,
    });
    const dataOnSecondDay = await readDeliveriesIn({}, '2026-08-09T16:00:00Z');
    expect(dataOnSecondDay.countries[0]).toMatchObject({ orders: { value: 2, compared: 1, before: 0 } });
  });
});
