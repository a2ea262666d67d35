import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Reports that a shipment was delivered, and then another status. Returns what is stored about it. */
async function reportAfterDelivery(trackingNumber: string, status: string, subStatus?: string) {
  const entries = [
    { status: 'delivered', time: '2026-08-23T10:00:00Z' },
    { status, sub_status: subStatus, time: '2026-08-24T10:00:00Z' },
  ];
  for (const entry of entries) {
    const body = { event: 'tracking', data: { tracking_number: trackingNumber, ...entry } };
    expect((await service.send('/api/v1/tracks', { body })).status).toBe(200);
  }
  const [row] = await service.database.query<{ status: string; sub_status: string | null }>(
    `SELECT status, sub_status FROM tracking_numbers WHERE tracking_number = '${trackingNumber}'`,
  );
  return [row!.status, row!.sub_status];
}

it.each([
  ['exception', 'Exception_Returned', 'Exception_Returned'],
  ['exception', 'exception_returned', 'Exception_Returned'],
  ['Exception', 'EXCEPTION_RETURNING', 'Exception_Returning'],
  ['exception', 'returned', 'Exception_Returned'],
  ['exception', 'Returning', 'Exception_Returning'],
  ['exception_returned', undefined, 'Exception_Returned'],
])('a return after the delivery is recognised in any spelling: %s, %s', async (status, subStatus, stored) => {
  const number = `RETURN-${status}-${subStatus}`.toUpperCase().replaceAll('_', '-');
  expect(await reportAfterDelivery(number, status, subStatus)).toEqual(['exception', stored]);
});

it('another exception after the delivery changes nothing', async () => {
  expect(await reportAfterDelivery('LOST1', 'exception', 'lost')).toEqual(['delivered', null]);
});

it('a sub-status that belongs to another main status is not shown as one of this status', async () => {
  expect(await reportAfterDelivery('STRAY1', 'delivered', 'exception_returned')).toEqual(['delivered', null]);
  const rows = await service.database.query(
    `SELECT sub_status, provider_status FROM tracking_events
      WHERE tracking_number = 'STRAY1' ORDER BY occurred_at DESC LIMIT 1`,
  );
  expect(rows).toEqual([{ sub_status: null, provider_status: 'exception_returned' }]);
});

it('a return of a status that a user has mapped is recognised in any spelling, too', async () => {
  await service.database.query(
    `INSERT INTO status_mappings (source, provider_status, status, created_by) VALUES ('plain', 'retour', 'exception', 'test')`,
  );
  expect(await reportAfterDelivery('MAPPED1', 'Retour', 'RETURNED')).toEqual(['exception', 'RETURNED']);
});
