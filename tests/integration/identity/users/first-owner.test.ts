import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureFirstOwner } from '../../../../src/server/identity/users/service';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const createFirstOwner = (password?: string) =>
  ensureFirstOwner(service.app.services.db, { email: 'owner@example.com', password });

it('a common password is refused for the first owner', async () => {
  await expect(createFirstOwner('password1234')).rejects.toThrow(/^ADMIN_PASSWORD: /);
  expect(await service.database.query('SELECT 1 FROM users')).toEqual([]);
});

it('a first start that fails creates no owner whose password nobody has seen, and the next start creates the owner and the key', async () => {
  await service.database.query(
    `ALTER TABLE api_keys ADD CONSTRAINT broken CHECK (name <> 'first key') NOT VALID`,
  );
  await expect(createFirstOwner()).rejects.toThrow();
  await service.database.query('ALTER TABLE api_keys DROP CONSTRAINT broken');
  expect(await createFirstOwner()).toEqual({
    email: 'owner@example.com',
    password: expect.any(String),
    key: expect.stringMatching(/^bd/),
  });
  expect(await createFirstOwner()).toBeNull();
});
