import { expect, inject, it as test } from 'vitest';
import { refreshShipments } from '../../../../src/server/tracking/shipments/refresh-service';
import { countRowsRead } from '../../../support/service/rows-read';
import { startTestService } from '../../../support/service/test-service';
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
