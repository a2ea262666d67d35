import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { urlOfDatabase, withConnection } from '../../support/database/cluster-database';
import { createTestDatabase } from '../../support/database/test-database';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
/** The service's own role, which only this test uses. */
let roleName: string;

const runAsSuperuser = (...statements: string[]) =>
  withConnection(urlOfDatabase(inject('superuserUrl'), 'postgres'), async (superuser) => {
    for (const statement of statements) await superuser.query(statement);
  });

beforeAll(async () => {
  const database = await createTestDatabase();
  roleName = `login_${database.name}`;
  const owner = new URL(database.url).username;
  await runAsSuperuser(`CREATE ROLE ${roleName} LOGIN PASSWORD 'login' IN ROLE ${owner}`);
  const url = Object.assign(new URL(database.url), { username: roleName, password: 'login' }).href;
  service = await startTestService({ METRICS_PORT: '0' }, { ...database, url });
});
afterAll(async () => {
  await service.close();
  await runAsSuperuser(`DROP ROLE ${roleName}`);
});

const readDatabaseUp = async () => {
  const response = await fetch(`http://127.0.0.1:${service.app.metricsPort}/metrics`);
  return /^brickdesk_database_up (.)$/m.exec(await response.text())?.[1];
};

const endConnections = () =>
  `SELECT pg_terminate_backend(pid, 20_000) FROM pg_stat_activity
    WHERE datname = '${service.database.name}' AND pid <> pg_backend_pid()`;

it.each([
  {
    refusal: 'the login of the service',
    begin: () => [`ALTER ROLE ${roleName} NOLOGIN`, endConnections()],
    end: () => `ALTER ROLE ${roleName} LOGIN`,
  },
  {
    refusal: "the database's name",
    begin: () => [endConnections(), `ALTER DATABASE ${service.database.name} RENAME TO ${roleName}`],
    end: () => `ALTER DATABASE ${roleName} RENAME TO ${service.database.name}`,
  },
])('while the server refuses $refusal, the database counts as unavailable', async ({ begin, end }) => {
  expect(await readDatabaseUp()).toBe('1');
  // The request log writes the calls of the test above by a timer: a connection opened for it would keep the name from being changed.
  await service.app.services.keyCalls.flush();
  await runAsSuperuser(...begin());
  try {
    await expect.poll(readDatabaseUp, { timeout: 20_000 }).toBe('0');
    for (const path of ['/api/legos-cate', '/readyz']) expect((await service.send(path)).status).toBe(503);
    const callback = await service.send('/api/v1/tracks', { body: {} });
    expect([callback.status, callback.json.code]).toEqual([503, 'service_unavailable']);
  } finally {
    await runAsSuperuser(end());
  }
  await expect.poll(readDatabaseUp, { timeout: 20_000 }).toBe('1');
  expect((await service.send('/api/legos-cate')).status).toBe(200);
});
