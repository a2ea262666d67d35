import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { runCommand } from '../../support/process/run-command';
import { startTestService, TEST_SECRET } from '../../support/service/test-service';

it('a stopping service is no longer ready, accepts requests until the delay is over, and then none', async () => {
  const service = await startTestService({ SHUTDOWN_DELAY_MS: '5000' });
  let hasStopped = false;
  const stopPromise = service.app.stop().then(() => {
    hasStopped = true;
  });
  const readiness = await service.send('/readyz');
  expect([readiness.status, readiness.json.status]).toEqual([503, 'stopping']);
  const response = await service.send('/api/legos-head');
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  expect(hasStopped).toBe(false);
  await stopPromise;
  await expect(fetch(`${service.url}/readyz`)).rejects.toThrow('fetch failed');
  await service.database.drop();
});

it('a service stays ready when the next version has migrated its database', async () => {
  const service = await startTestService();
  await service.database.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, '', '99991231000000_next', now(), 1)`,
    [randomUUID()],
  );
  expect((await service.send('/readyz')).json).toMatchObject({ status: 'ready', migrations: 'applied' });
  await service.close();
});

it('a service stays ready, and commands work, while the next version migrates its database or has failed to', async () => {
  const service = await startTestService();
  await service.database.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, '', '99991231000000_next')`,
    [randomUUID()],
  );
  expect((await service.send('/readyz')).json).toMatchObject({ status: 'ready', migrations: 'applied' });
  const env = { DATABASE_URL: service.database.url, NEXTAUTH_SECRET: TEST_SECRET };
  const { json: shops } = await runCommand(['account', 'list', '--json'], env);
  expect(shops).toMatchObject([{ id: service.shopId }]);
  // An unfinished migration of this version still counts.
  await service.database.query('UPDATE _prisma_migrations SET finished_at = NULL');
  expect((await service.send('/readyz')).json).toMatchObject({
    status: 'not ready',
    migrations: 'pending',
  });
  const refusal = await runCommand(['account', 'list', '--json'], env);
  expect(refusal.json.error.message).toMatch(/^Migration \d+_\w+ is not finished\./);
  await service.close();
});
