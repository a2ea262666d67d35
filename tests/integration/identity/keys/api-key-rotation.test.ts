import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeApiKey, updateApiKey } from '../../../../src/server/identity/keys/change-service';
import { rotateApiKey } from '../../../../src/server/identity/keys/rotation-service';
import { authenticateKey, createApiKey } from '../../../../src/server/identity/keys/service';
import { readApiKey } from '../../../../src/server/identity/keys/view-service';
import { killServices, type ReadyService, startService } from '../../../support/process/service-process';
import {
  startTestService,
  TEST_ACTOR,
  TEST_SECRET,
  type TestService,
} from '../../../support/service/test-service';

const HOUR_MS = 3_600_000;

let service: TestService;
/** Another process on the same database. */
let otherProcess: ReadyService;
let apiKey: { id: number; key: string };

beforeAll(async () => {
  service = await startTestService();
  otherProcess = await startService({ DATABASE_URL: service.database.url, NEXTAUTH_SECRET: TEST_SECRET });
}, 60_000);
afterAll(async () => {
  await otherProcess?.stop();
  await killServices();
  await service?.close();
});
beforeEach(async () => {
  apiKey = await createApiKey(getDb(), TEST_ACTOR, { name: 'made', expiresAt: null });
});

const getDb = () => service.app.services.db;
const rotateKey = (graceHours: number, id = apiKey.id) => rotateApiKey(getDb(), TEST_ACTOR, id, graceHours);
const authenticateAt = (key: string, timeMs: number) => authenticateKey(getDb(), key, () => timeMs);
const fetchStatus = async (url: string, key: string) =>
  (await fetch(`${url}/api/legos-cate`, { headers: { 'X-Api-Key': key } })).status;

describe('the new key', () => {
  it('has the name, scopes, ranges and expiry of the old one, and names the key that it replaced', async () => {
    const expiresAt = new Date(Date.now() + 90 * 24 * HOUR_MS);
    const limits = { scopes: ['get_api_legos_head'], addressRanges: ['10.0.0.0/8'] };
    const oldKey = await createApiKey(getDb(), TEST_ACTOR, { name: 'ERP', expiresAt, ...limits });
    const newKey = await rotateKey(2, oldKey.id);
    const view = await readApiKey(service.app.services, newKey.id);
    expect(view).toMatchObject({
      name: 'ERP',
      expires_at: expiresAt.toISOString(),
      rotated_from_id: oldKey.id,
      rotation: null,
      scopes: limits.scopes,
      address_ranges: limits.addressRanges,
    });
    expect(newKey.key).not.toBe(oldKey.key);
    expect(await readApiKey(service.app.services, oldKey.id)).toMatchObject({
      rotation: { to_id: newKey.id, calls_since: 0 },
    });
  });
});

describe('the old key', () => {
  it.each([0.5, 2, 24])('stays valid for a grace period of %s hours, to the millisecond', async (hours) => {
    const newKey = await rotateKey(hours);
    const expiresAtMs = newKey.old.expiresAt.getTime();
    expect(Math.abs(expiresAtMs - Date.now() - hours * HOUR_MS)).toBeLessThan(10_000);
    expect(await authenticateAt(apiKey.key, expiresAtMs - 1)).not.toBeNull();
    expect(await authenticateAt(apiKey.key, expiresAtMs)).toBeNull();
    expect(await authenticateAt(newKey.key, expiresAtMs)).not.toBeNull();
  });

  it('is refused at its next request, in another process too, if there is no grace period', async () => {
    expect(await fetchStatus(otherProcess.url, apiKey.key)).toBe(200);
    const { key } = await rotateKey(0);
    expect([
      await fetchStatus(otherProcess.url, apiKey.key),
      await fetchStatus(service.url, apiKey.key),
    ]).toEqual([401, 401]);
    expect([await fetchStatus(otherProcess.url, key), await fetchStatus(service.url, key)]).toEqual([
      200, 200,
    ]);
    // Even a process whose clock is behind refuses the old key.
    expect(await authenticateAt(apiKey.key, Date.now() - HOUR_MS)).toBeNull();
  });

  it('expires no later than it would have without the rotation', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const expiringKey = await createApiKey(getDb(), TEST_ACTOR, { name: 'soon', expiresAt });
    expect((await rotateKey(24, expiringKey.id)).old.expiresAt).toEqual(expiresAt);
  });

  it('cannot be given more time after the rotation, only less', async () => {
    const { old } = await rotateKey(2);
    const setExpiry = (time: Date | null) =>
      updateApiKey(getDb(), TEST_ACTOR, apiKey.id, { expiresAt: time });
    await expect(setExpiry(null)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(setExpiry(new Date(old.expiresAt.getTime() + 1))).rejects.toThrow(/has replaced this key/);
    await setExpiry(new Date());
    expect(await fetchStatus(service.url, apiKey.key)).toBe(401);
  });

  it('is shown with the number of its calls since the rotation, and the addresses that made them, most recent first', async () => {
    const { keyCalls } = service.app.services;
    const addCall = (address: string, ageMs: number) =>
      keyCalls.add({
        apiKeyId: apiKey.id,
        at: Date.now() - ageMs,
        requestId: 'r',
        method: 'GET',
        route: '/api/legos-cate',
        status: 200,
        durationMs: 1,
        error: null,
        address,
      });
    addCall('203.0.113.1', 60_000);
    await keyCalls.flush();
    await rotateKey(2);
    expect((await readApiKey(service.app.services, apiKey.id)).rotation).toMatchObject({
      calls_since: 0,
      users_since: [],
    });
    // These calls are in the future, so that the database's clock and ours need not agree.
    addCall('203.0.113.2', -60_000);
    addCall('203.0.113.2', -61_000);
    addCall('203.0.113.3', -70_000);
    await keyCalls.flush();
    const { rotation } = await readApiKey(service.app.services, apiKey.id);
    expect(rotation).toMatchObject({
      calls_since: 3,
      users_since: [
        { address: '203.0.113.3', calls: 1 },
        { address: '203.0.113.2', calls: 2 },
      ],
    });
  });
});

describe('a rotation is refused', () => {
  const expectRefusal = async (id: number, messagePattern: RegExp) => {
    await expect(rotateKey(1, id)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(rotateKey(1, id)).rejects.toThrow(messagePattern);
  };

  it('for a key that was already rotated, naming the key that replaced it', async () => {
    const newKey = await rotateKey(2);
    await expectRefusal(apiKey.id, new RegExp(`key ${newKey.id} has already replaced it`));
    await expect(rotateKey(2, newKey.id)).resolves.toMatchObject({ old: { id: newKey.id } });
  });

  it('for a key that is revoked', async () => {
    await revokeApiKey(getDb(), TEST_ACTOR, apiKey.id);
    await expectRefusal(apiKey.id, /has been revoked/);
  });

  it('for a key that has expired', async () => {
    await updateApiKey(getDb(), TEST_ACTOR, apiKey.id, { expiresAt: new Date() });
    await expectRefusal(apiKey.id, /has expired/);
  });

  it('for a key that does not exist', async () => {
    await expect(rotateKey(1, 2_000_000_000)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([-1, 24.01, Number.NaN, Number.POSITIVE_INFINITY])(
    'with a grace period of %s hours',
    async (hours) => {
      await expect(rotateKey(hours)).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );

  it('for all but one of many concurrent requests, so that only one key is created', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => rotateKey(1)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const newKeys = await service.database.query('SELECT 1 FROM api_keys WHERE rotated_from_id = $1', [
      apiKey.id,
    ]);
    expect(newKeys).toHaveLength(1);
  });
});

it('a rotation is audited for both keys, with the values before and after, but without the secrets', async () => {
  const newKey = await rotateKey(2);
  const entries = await service.database.query(
    `SELECT record_id, action, before, after FROM audit_log
      WHERE record_type = 'api_key' AND record_id = ANY($1) ORDER BY id`,
    [[String(apiKey.id), String(newKey.id)]],
  );
  expect(entries.slice(1)).toMatchObject([
    { record_id: String(newKey.id), action: 'api_key.create', after: { rotated_from_id: apiKey.id } },
    {
      record_id: String(apiKey.id),
      action: 'api_key.rotate',
      before: { expires_at: null, rotated_to_id: null },
      after: { expires_at: newKey.old.expiresAt.toISOString(), rotated_to_id: newKey.id, grace_hours: 2 },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain(newKey.key.slice(8));
});
