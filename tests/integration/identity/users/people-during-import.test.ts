import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowserSession, signIn } from '../../../support/browser/browser-session';
import { insertShop } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let importer: SignedInUser;
/** A transaction that holds an import by the importer, as a running import and a preview do. */
let importingClient: pg.Client;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
  importer = await createSignedInUser(service, 'operator');
  const shopId = await insertShop(service.database.url, 'Shop with an import');
  importingClient = new pg.Client({ connectionString: service.database.url });
  await importingClient.connect();
  await importingClient.query('BEGIN');
  await importingClient.query(
    `INSERT INTO imports (shop_id, source, outcome, actor, user_id, content_hash)
     VALUES ($1, 'spreadsheet', 'running', $2, $3, repeat('0', 64))`,
    [shopId, importer.email, importer.userId],
  );
});
afterAll(async () => {
  await importingClient?.end();
  await service?.close();
});

it('while an import or a preview of a user runs, they can sign in, get a new role or password, and be deactivated', async () => {
  const signInResponse = await signIn(createBrowserSession(service.url), importer);
  expect(signInResponse.status).toBe(200);
  const { userId: id } = importer;
  for (const [path, input] of [
    ['people.update', { id, role: 'admin' }],
    ['people.update', { id, role: 'owner' }],
    // Locks all owners.
    ['people.update', { id, role: 'operator' }],
    ['people.resetPassword', { id }],
    ['people.resetTwoFactor', { id }],
    ['people.deactivate', { id }],
    ['people.reactivate', { id }],
  ] as const)
    expect((await owner.call(path, input)).status, path).toBe(200);
});
