import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteExpiredRecords } from '../../../src/server/inbound/service';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it('the upkeep deletes records that are older than the configured number of days, and no others', async () => {
  for (const n of [1, 2]) await service.send('/api/v1/marketplace', { body: { n } });
  await service.database.query(
    `UPDATE inbound_records SET received_at = now() - interval '31 days' WHERE id % 2 = 0`,
  );
  const [{ count }] = (await service.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM inbound_records WHERE received_at < now() - interval '30 days'`,
  )) as [{ count: number }];
  expect(count).toBeGreaterThan(0);
  expect(await deleteExpiredRecords(service.app.services.db, 30)).toBe(count);
  expect(await deleteExpiredRecords(service.app.services.db, 30)).toBe(0);
  expect((await service.database.query('SELECT 1 FROM inbound_records')).length).toBeGreaterThan(0);
});

it('the events of a deleted callback are kept and no longer refer to its record, even on a cluster, which has no foreign key for this', async () => {
  await service.database.query(
    'ALTER TABLE tracking_events DROP CONSTRAINT IF EXISTS tracking_events_inbound_record_id_fkey',
  );
  const response = await service.send('/api/v1/tracks', {
    body: { event: 'x', data: { tracking_number: 'OLD1', status: 'in_transit' } },
  });
  expect(response.status).toBe(200);
  const readRecordIds = () =>
    service.database.query(`SELECT inbound_record_id FROM tracking_events WHERE tracking_number = 'OLD1'`);
  expect(await readRecordIds()).toEqual([{ inbound_record_id: expect.any(String) }]);
  await service.database.query(`UPDATE inbound_records SET received_at = now() - interval '31 days'`);
  expect(await deleteExpiredRecords(service.app.services.db, 30)).toBeGreaterThan(0);
  expect(await readRecordIds()).toEqual([{ inbound_record_id: null }]);
});
