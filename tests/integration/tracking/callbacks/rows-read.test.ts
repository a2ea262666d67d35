import { expect, it } from 'vitest';
import { countRowsRead } from '../../../support/service/rows-read';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService } from '../../../support/service/test-service';

const CALLBACK_COUNT = 20_000;

it.each([
  ['failed', { outcome: 'failed' }],
  ['had nothing readable', { outcome: 'nothing' }],
  ['report a tracking number', { tracking_number: 'LX1' }],
  ['left a tracking number out', { tracking_number: 'OUT1' }],
])('the callbacks that %s are found without reading all others', async (_, filter) => {
  const service = await startTestService();
  const user = await createSignedInUser(service, 'viewer');
  // The oldest are a failed one and one with nothing readable.
  await service.database.query(
    `INSERT INTO inbound_records (kind, method, body, received_at, processed_at, result)
     SELECT 'tracks', 'POST', '{}', now() - interval '30 days' + n * interval '1 minute', CASE WHEN n > 0 THEN now() END,
            CASE WHEN n > 1 THEN jsonb_build_object('form', 'plain', 'tracking_numbers', jsonb_build_array('LX' || n - 1))
                 WHEN n = 1 THEN '{"form": "plain", "tracking_numbers": [], "left_out": [{"tracking_number": "OUT1"}]}' END
       FROM generate_series(0, $1) n`,
    [CALLBACK_COUNT],
  );
  await service.database.query('ANALYZE inbound_records');
  const { inbound_records: rows } = await countRowsRead(service, ['inbound_records'], async () => {
    const { data } = await user.call('callbacks.list', filter);
    expect(data.records).toHaveLength(1);
  });
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(CALLBACK_COUNT / 10);
});
