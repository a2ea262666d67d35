import { describe, expect, inject, it as test } from 'vitest';
import { refreshShipments } from '../../../../src/server/tracking/shipments/refresh-service';
import { countRowsRead } from '../../../support/service/rows-read';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';
import { openGate } from '../../../support/stand-ins/carrier-clients';
import { startCarrierStandIn } from '../../../support/stand-ins/carrier-stand-in';

// Skipped on a cluster, where each server counts the rows that it reads from its own shards.
const it = test.skipIf(inject('workers').length > 0);

const DELIVERED_COUNT = 20_000;
const DUE_COUNT = 100;

it('a refresh reads the tracking numbers that are not delivered, no matter how many are', async () => {
  const service = await startTestService();
  const carrier = await startCarrierStandIn();
  await service.database.query(
    `INSERT INTO tracking_numbers (tracking_number, status, status_at)
     SELECT 'LX' || n, CASE WHEN n > $1 THEN 'in_transit' ELSE 'delivered' END::tracking_status, now()
       FROM generate_series(1, $1::int + $2::int) n`,
    [DELIVERED_COUNT, DUE_COUNT],
  );
  await service.database.query('ANALYZE tracking_numbers');
  const { tracking_numbers: rows } = await countRowsRead(service, ['tracking_numbers'], async () => {
    const result = await refreshShipments(service.app.services.db, openGate(carrier), {
      queriedBefore: new Date(),
      days: 60,
      signal: new AbortController().signal,
    });
    expect(result.queried).toBe(DUE_COUNT);
  });
  await carrier.close();
  expect(rows).toBeGreaterThan(DUE_COUNT);
  expect(rows).toBeLessThan(DELIVERED_COUNT / 4);
});

describe('the list of shipments reads only the candidates of', () => {
  const STORED_COUNT = 20_000;
  // So many that PostgreSQL expects to meet enough of them soon among all numbers by time.
  const OLD_COUNT = 1_000;
  const TABLES = ['tracking_numbers', 'tracking_number_shops', 'shipments'] as const;

  /** Stores numbers, the oldest of them in a shop of their own and with a carrier of their own. Returns that shop's id. */
  async function storeNumbers({ database, shopId }: TestService): Promise<number> {
    const [shop] = await database.query<{ id: number }>(
      `INSERT INTO shops (name) VALUES ('Closed shop') RETURNING id`,
    );
    const numberSql = `'LX' || n AS number, CASE WHEN n <= ${OLD_COUNT} THEN ${shop!.id} ELSE ${shopId} END AS shop`;
    await database.query(`INSERT INTO orders (shop_id, receipt_id) SELECT shop, number
      FROM (SELECT ${numberSql} FROM generate_series(1, ${STORED_COUNT}) n) numbers`);
    await database.query(`INSERT INTO tracking_numbers (tracking_number, status, status_at)
      SELECT 'LX' || n, 'delivered', now() - interval '200 days' + n * interval '10 minutes' FROM generate_series(1, ${STORED_COUNT}) n`);
    await database.query(
      `INSERT INTO tracking_number_shops (tracking_number, shop_id) SELECT receipt_id, shop_id FROM orders`,
    );
    await database.query(`INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code)
      SELECT shop_id, id, receipt_id, CASE WHEN shop_id = ${shop!.id} THEN 'Rare-Post' ELSE 'usps' END FROM orders`);
    await database.query('ANALYZE');
    return shop!.id;
  }

  interface Case {
    name: string;
    filterOf: (closedShopId: number, otherShopId: number) => object;
    expectedCount: number;
    maxRows: number;
  }

  it.each<Case>([
    {
      name: 'a shop with few, old shipments',
      filterOf: (shop) => ({ shops: [shop] }),
      expectedCount: 20,
      maxRows: STORED_COUNT / 2,
    },
    {
      name: 'a carrier with few, old shipments',
      filterOf: () => ({ carrier: 'rare-post' }),
      expectedCount: 20,
      maxRows: STORED_COUNT / 2,
    },
    {
      // Counting a shop's numbers and finding out which candidates are among them each read all of them once.
      name: 'a carrier with few, old shipments in another shop, each at most once',
      filterOf: (_, shop) => ({ carrier: 'RARE-POST', shops: [shop] }),
      expectedCount: 0,
      maxRows: 2.5 * STORED_COUNT,
    },
    {
      name: 'a carrier that no shipment has',
      filterOf: () => ({ carrier: 'nobody' }),
      expectedCount: 0,
      maxRows: STORED_COUNT / 2,
    },
  ])('$name', async ({ filterOf, expectedCount, maxRows }) => {
    const service = await startTestService();
    const user = await createSignedInUser(service, 'viewer');
    const closedShopId = await storeNumbers(service);
    const rows = await countRowsRead(service, TABLES, async () => {
      const filter = filterOf(closedShopId, service.shopId);
      const { data } = await user.call('shipments.list', { ...filter, limit: 20 });
      expect(data.shipments).toHaveLength(expectedCount);
      expect(data.next === null).toBe(expectedCount === 0);
    });
    expect(rows.tracking_numbers + rows.tracking_number_shops + rows.shipments).toBeLessThan(maxRows);
  });
});
