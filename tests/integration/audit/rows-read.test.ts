import { expect, it } from 'vitest';
import { createSignedInUser } from '../../support/service/signed-in';
import { startTestService } from '../../support/service/test-service';

const SIGN_IN_COUNT = 20_000;

it('a page of the log reads a few rows per entry, no matter how often its users have signed in', async () => {
  const service = await startTestService();
  const { app, database } = service;
  const user = await createSignedInUser(service, 'admin');
  await database.query(
    `INSERT INTO audit_log (actor_kind, actor_id, actor, action, record_type, record_id, after)
     SELECT 'user', $1::int, 'ann@example.com', 'user.sign_in', 'user', $1::int::text, '{"method": "password"}'
       FROM generate_series(1, $2)`,
    [user.userId, SIGN_IN_COUNT],
  );
  await database.query('ANALYZE audit_log');
  const { data } = await user.call('audit.list', { limit: 100 });
  const names = (data.entries as { actor_name: string }[]).map((entry) => entry.actor_name);
  // Connections report what they read when they end.
  await app.stop();
  const [audit] = await database.query<{ rows: number }>(
    `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
       FROM pg_stat_user_tables WHERE relname = 'audit_log'`,
  );
  await database.drop();
  expect(names).toHaveLength(100);
  expect(new Set(names)).toEqual(new Set([user.email.split('@')[0]]));
  expect(audit!.rows).toBeGreaterThan(100);
  expect(audit!.rows).toBeLessThan(2_000);
});
