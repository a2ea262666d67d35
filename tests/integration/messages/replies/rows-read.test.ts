import { expect, it } from 'vitest';
import { countRowsRead } from '../../../support/service/rows-read';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService } from '../../../support/service/test-service';

const REPLY_COUNT = 20_000;

it('the replies about an order number, however it was written, are found without reading all others', async () => {
  const service = await startTestService();
  const user = await createSignedInUser(service, 'viewer');
  await service.database.query(
    `INSERT INTO replies (shop_name, order_number, messages, reply, model, outcome, duration_ms, created_at)
     SELECT 'Test shop', CASE n WHEN 1 THEN '4165' WHEN 2 THEN '#4165.0' WHEN 3 THEN ' ##41 65' ELSE 'R' || n END,
            '[]', 'Hello', 'model', 'answered', 1, now() - interval '30 days' + n * interval '1 minute'
       FROM generate_series(1, $1) n`,
    [REPLY_COUNT],
  );
  await service.database.query('ANALYZE replies');
  const { replies: rows } = await countRowsRead(service, ['replies'], async () => {
    const { data } = await user.call('replies.list', { order_number: '4165' });
    expect(data.replies).toHaveLength(3);
  });
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(REPLY_COUNT / 10);
});
