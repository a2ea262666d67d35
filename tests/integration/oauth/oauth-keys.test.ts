import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSecretBox } from '../../../src/server/core/secret-box';
import { deleteExpiredOAuthRecords } from '../../../src/server/identity/oauth/record-service';
import {
  ensureSigningKey,
  loadSigningKeys,
  readSigningKeyVersion,
  rotateSigningKey,
} from '../../../src/server/identity/oauth/signing-key-service';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const readKeys = () => service.database.query<{ id: string }>('SELECT id FROM oauth_signing_keys');

it('servers that start at the same time create a single key', async () => {
  await service.database.query('DELETE FROM oauth_signing_keys');
  await Promise.all(Array.from({ length: 5 }, () => ensureSigningKey(service.app.services)));
  expect(await readKeys()).toHaveLength(1);
});

it('a key is stored encrypted and bound to its id', async () => {
  const { services } = service.app;
  const [key] = await loadSigningKeys(services);
  const [row] = await service.database.query<{ encrypted: Buffer }>(
    'SELECT encrypted FROM oauth_signing_keys WHERE id = $1',
    [key!.kid],
  );
  expect(row!.encrypted.toString('latin1')).not.toContain(key!.d);
  expect(() => services.secrets.open('oauth-signing-key', 'another id', row!.encrypted)).toThrow();
});

it('a changed secret leads to a new key, not to a failure, and the log says which tokens that concerns', async () => {
  const otherServices = {
    ...service.app.services,
    secrets: createSecretBox('another secret, of the length it needs'),
  };
  expect(await loadSigningKeys(otherServices)).toEqual([]);
  expect(service.readLog()).toContain(
    'a signing key was sealed with another secret, so the id tokens that it signed can no longer be verified (access tokens stay ' +
      "valid); if this data was restored or moved, stop the service and put the old deployment's secret in place (docs/backups.md)",
  );
  await ensureSigningKey(otherServices);
  expect(await loadSigningKeys(otherServices)).toHaveLength(1);
});

it('a rotation retires the previous key, which stays published for 30 days and no longer', async () => {
  const { services } = service.app;
  const versionBefore = await readSigningKeyVersion(services.db);
  const [previousKey] = await loadSigningKeys(services);
  const { id, retiredIds } = await rotateSigningKey(services, TEST_ACTOR);
  expect(await readSigningKeyVersion(services.db)).not.toBe(versionBefore);
  expect((await loadSigningKeys(services))[0]!.kid).toBe(id);
  expect(retiredIds).toContain(previousKey!.kid);
  const readPublishedIds = async () => (await loadSigningKeys(services)).map(({ kid }) => kid);
  const backdateRetirement = (interval: string) =>
    service.database.query('UPDATE oauth_signing_keys SET retired_at = retired_at - $1::interval', [
      interval,
    ]);
  await backdateRetirement('29 days 23 hours 59 minutes');
  expect(await readPublishedIds()).toEqual([id, previousKey!.kid]);
  await backdateRetirement('1 minute');
  expect(await readPublishedIds()).toEqual([id]);
});

it('a rotation with a secret that is not that of the servers is refused and changes nothing', async () => {
  const otherServices = {
    ...service.app.services,
    secrets: createSecretBox('another secret, of the length it needs'),
  };
  const readState = () => service.database.query('SELECT id, retired_at FROM oauth_signing_keys ORDER BY id');
  await service.database.query('DELETE FROM oauth_signing_keys');
  await ensureSigningKey(service.app.services);
  const stateBefore = await readState();
  await expect(rotateSigningKey(otherServices, TEST_ACTOR)).rejects.toMatchObject({
    code: 'conflict',
    reason: { reason: 'client.otherSecret' },
  });
  expect(await readState()).toEqual(stateBefore);
  // The first key of a database may be created with any secret.
  await service.database.query('DELETE FROM oauth_signing_keys');
  expect((await rotateSigningKey(otherServices, TEST_ACTOR)).retiredIds).toEqual([]);
  await service.database.query('DELETE FROM oauth_signing_keys');
  await ensureSigningKey(service.app.services);
});

it('one address may send 600 token requests per minute', async () => {
  const requestToken = () =>
    fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'nobody',
        client_secret: 'x',
      }),
    });
  const countByStatus = new Map<number, number>();
  for (let batch = 0; batch < 13; batch++) {
    for (const response of await Promise.all(Array.from({ length: 50 }, requestToken))) {
      countByStatus.set(response.status, (countByStatus.get(response.status) ?? 0) + 1);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await response.body?.cancel();
    }
  }
  expect(Object.fromEntries(countByStatus)).toEqual({ 401: 600, 429: 50 });
});

it('the upkeep deletes only expired OAuth records', async () => {
  await service.database.query(
    `INSERT INTO oauth_records (model, id_hash, payload, expires_at)
     VALUES ('AccessToken', sha256('old'), '{}', now() - interval '1 hour'),
            ('AccessToken', sha256('new'), '{}', now() + interval '1 hour')`,
  );

  await deleteExpiredOAuthRecords(service.app.services.db);
  const rows = await service.database.query(
    `SELECT id_hash = sha256('new') AS is_unexpired FROM oauth_records WHERE model = 'AccessToken'`,
  );
  expect(rows).toEqual([{ is_unexpired: true }]);
});
