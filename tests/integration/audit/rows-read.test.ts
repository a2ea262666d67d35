import { expect, it } from 'vitest';
import { countRowsRead } from '../../support/service/rows-read';
import { createSignedInUser } from '../../support/service/signed-in';
import { startTestService } from '../../support/service/test-service';

const SIGN_IN_COUNT = 20_000;

it('a page of the log reads a few rows per entry, no matter how often its users have signed in', async () => {
  const service = await startTestService();
  const user = await createSignedInUser(service, 'admin');
  await service.database.query(
    `INSERT INTO audit_log (actor_kind, actor_id, actor, action, record_type, record_id, after)
     SELECT 'user', $1::int, 'ann@example.com', 'user.sign_in', 'user', $1::int::text, '{"method": "password"}'
       FROM generate_series(1, $2)`,
    [user.userId, SIGN_IN_COUNT],
  );
  await service.database.query('ANALYZE audit_log');
  let names: string[] = [];
  const { audit_log: auditRows } = await countRowsRead(service, ['audit_log'], async () => {
    const { data } = await user.call('audit.list', { limit: 100 });
    names = (data.entries as { actor_name: string }[]).map((entry) => entry.actor_name);
  });
  expect(names).toHaveLength(100);
  expect(new Set(names)).toEqual(new Set([user.email.split('@')[0]]));
  expect(auditRows).toBeGreaterThan(100);
  expect(auditRows).toBeLessThan(2_000);
});
