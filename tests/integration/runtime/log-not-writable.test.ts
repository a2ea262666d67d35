import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { runCommand } from '../../support/process/run-command';
import { killServices, spawnService } from '../../support/process/service-process';
import { findFreePort } from '../../support/service/free-port';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killServices);
afterAll(() => database.drop());

it('a service whose log cannot be written starts, responds to requests that fail, and stops', async () => {
  const environment = { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(40) };
  const port = await findFreePort();
  const service = spawnService({ ...environment, PORT: String(port), LOG_LEVEL: 'info' }, 'server', [
    'sh',
    '-c',
    'exec "$@" > /dev/full',
    'sh',
  ]);
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  const createdKey = await runCommand(['api-key', 'create', '--name', 'log', '--json'], environment);
  await database.query('ALTER TABLE products RENAME TO products_away');
  for (let n = 0; n < 3; n++) {
    const response = await fetch(`${url}/api/legos-sku`, {
      headers: { 'X-Api-Key': createdKey.json.key },
      signal: AbortSignal.timeout(10_000),
    });
    expect([response.status, (await response.json()).code]).toEqual([500, 'internal_error']);
  }
  expect(await isReady()).toBe(true);
  service.signal('SIGTERM');
  expect([await service.endPromise, service.stderr()]).toEqual([{ code: 0, signal: null }, '']);
});
