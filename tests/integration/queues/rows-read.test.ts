import { expect, inject, it as test } from 'vitest';
import { countRowsRead } from '../../support/service/rows-read';
import { createSignedInUser } from '../../support/service/signed-in';
import { startTestService } from '../../support/service/test-service';

// Skipped on a cluster, where each server counts the rows that it reads from its own shards.
const it = test.skipIf(inject('workers').length > 0);

const OLD_ROW_COUNT = 20_000;

it('the overview reads the exceptions of the last day, no matter how many older ones there are', async () => {
  const service = await startTestService();
  const user = await createSignedInUser(service, 'viewer');
  await service.importRows([{ receipt_id: 'new', tracking_number: 'LX0' }]);
  await service.database.query(
    `INSERT INTO tracking_numbers (tracking_number, status, status_at)
     SELECT 'LX' || n, 'exception', now() - interval '3 days' FROM generate_series(1, $1) n`,
    [OLD_ROW_COUNT],
  );
  await service.database.query(
    `UPDATE tracking_numbers SET status = 'exception', status_at = now() WHERE tracking_number = 'LX0'`,
  );
  await service.database.query(`UPDATE orders SET tracking_status = 'exception'`);
  await service.database.query('ANALYZE tracking_numbers');
  const { tracking_numbers: rows } = await countRowsRead(service, ['tracking_numbers'], async () => {
    const { data } = await user.call('overview.read', { from: '2026-08-21', to: '2026-08-23' });
    expect(data.new_entries.exception).toBe(1);
  });
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(OLD_ROW_COUNT / 10);
});

it('the counts of the queues read no translations and drafts of an order whose reply is to review', async () => {
  const service = await startTestService();
  const user = await createSignedInUser(service, 'viewer');
  await service.importRows([{ receipt_id: 'asked' }]);
  await service.database.query(
    `INSERT INTO replies (kind, shop_name, shop_id, order_id, messages, reply, model, outcome, duration_ms, requested_by, language)
     SELECT CASE WHEN n = 0 THEN 'draft' ELSE 'translation' END::reply_kind, 'Test shop', o.shop_id, o.id, '[]', 'Hello', 'model',
            'answered', 1, 'Ann', CASE WHEN n > 0 THEN 'zh' END
       FROM orders o, generate_series(0, $1) n`,
    [OLD_ROW_COUNT],
  );
  await service.database.query('ANALYZE replies');
  const { replies: rows } = await countRowsRead(service, ['replies'], async () => {
    const { data } = await user.call('queues.counts', {});
    expect(data.queues).toContainEqual({ queue: 'to_review', open: 1 });
  });
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(OLD_ROW_COUNT / 10);
});
