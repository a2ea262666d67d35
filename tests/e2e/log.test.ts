import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database';
import { killServices, startService } from '../support/process/service-process';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killServices);
afterAll(() => database.drop());

it('standard output has only the text for people and lines of JSON, whatever the pages print', async () => {
  const environment = { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(40), LOG_LEVEL: 'info' };
  // The first start also prints the owner's password.
  await (await startService(environment)).stop();
  const service = await startService(environment, ['dist/main.js']);
  // The text for people is indented.
  expect((await fetch(`${service.url}/docs/api`)).status).toBe(200);
  expect((await fetch(`${service.url}/no-such-page`)).status).toBe(404);
  await service.stop();
  const otherLines = service
    .stdout()
    .split('\n')
    .filter((line) => line !== '' && !/^(?:\{.*\}| {2}.*)$/.test(line));
  expect(otherLines).toEqual(['Stopping: running requests finish first.', 'Stopped.']);
});
