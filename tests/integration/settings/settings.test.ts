import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

const CARRIER_KEY = 'carrier-key-of-the-settings-test';
const PROVIDER_KEY = 'provider-key-of-the-settings-test';

/** Stands in for the carrier and the text provider. */
let upstream: Server;
/** The requests that `upstream` has received in the current test. */
let requests: { method: string; url: string; token: string | undefined }[];
let nextResponse: { status: number; body: string } | 'hang';
let service: TestService;
let admin: SignedInUser;

beforeAll(async () => {
  upstream = createServer((req, res) => {
    const token = req.headers.authorization ?? (req.headers['17token'] as string | undefined);
    requests.push({ method: req.method!, url: req.url!, token });
    if (nextResponse !== 'hang')
      res.writeHead(nextResponse.status, { Location: '/elsewhere' }).end(nextResponse.body);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  service = await startTestService({
    TRACK17_KEY: CARRIER_KEY,
    TRACK17_BASE_URL: `${url}/track`,
    OPENAI_API_KEY: PROVIDER_KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    IMPORT_MAX_ROWS: '1234',
    BACKGROUND_JOBS: 'true',
  });
  admin = await createSignedInUser(service, 'admin');
});
afterAll(async () => {
  await service?.close();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  requests = [];
  nextResponse = { status: 200, body: '{"code":0,"data":{}}' };
});

describe('health', () => {
  it('shows versions, migrations, the database and the limits in effect, and calls no other service', async () => {
    const { status, data, error } = await admin.call('settings.health');
    expect(status, error?.message).toBe(200);
    expect(data.versions).toMatchObject({
      node: process.versions.node,
      postgres: expect.stringMatching(/^\d+/),
    });
    expect(data.migrations).toMatchObject({ pending: [], failed: [] });
    expect(data.migrations.applied[0]).toMatch(/_init$/);
    expect(data.backups).toBeNull();
    expect(data.database.bytes).toBeGreaterThan(1_000_000);
    expect(data.database.tables[0].bytes).toBeGreaterThanOrEqual(data.database.tables.at(-1).bytes);
    // How many connections are open and how many callers wait depends on the background jobs that are starting.
    expect(data.database.pools.work).toMatchObject({
      size: 10,
      open: expect.any(Number),
      waiting: expect.any(Number),
    });
    expect(data.limits).toContainEqual(expect.objectContaining({ name: 'IMPORT_MAX_ROWS', value: 1234 }));
    expect(data.upstreams).toEqual({ carrier: '17track', text_provider: expect.any(String) });
    expect(requests).toEqual([]);
  });

  it('says whether secrets are set, and never shows them', async () => {
    const { data } = await admin.call('settings.health');
    const isSetByName = new Map(
      data.secrets.map((secret: { name: string; set: boolean }) => [secret.name, secret.set]),
    );
    expect([
      isSetByName.get('TRACK17_KEY'),
      isSetByName.get('OPENAI_API_KEY'),
      isSetByName.get('YANWEN_ACCOUNT'),
    ]).toEqual([true, true, false]);
    const text = JSON.stringify(data);
    for (const secret of [CARRIER_KEY, PROVIDER_KEY, 'postgres://', 'postgresql://'])
      expect(text).not.toContain(secret);
  });

  it('shows a pending migration', async () => {
    const [lastMigration] = await service.database.query<{ migration_name: string }>(
      'SELECT migration_name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1',
    );
    const name = lastMigration!.migration_name;
    await service.database.query(
      'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1',
      [name],
    );
    expect((await admin.call('settings.health')).data.migrations.pending).toEqual([name]);
    await service.database.query(
      'UPDATE _prisma_migrations SET rolled_back_at = NULL WHERE migration_name = $1',
      [name],
    );
  });

  it('shows the job queues, and when the upkeep was last done', async () => {
    await expect
      .poll(
        async () =>
          (await admin.call('settings.health')).data.queues?.map((queue: { name: string }) => queue.name),
        {
          timeout: 15_000,
        },
      )
      .toContain('upkeep');
    await expect
      .poll(async () => (await admin.call('settings.health')).data.upkeep.last_done, { timeout: 15_000 })
      .toEqual(expect.any(String));
  });
});

describe('the check of other services', () => {
  it('sends one cheap request to each service, with its key', async () => {
    const { data } = await admin.call('settings.checkUpstreams');
    expect(data.carrier).toMatchObject({
      name: '17track',
      reach: 'reachable',
      duration_ms: expect.any(Number),
    });
    expect(data.text_provider.reach).toBe('reachable');
    expect(requests.sort((a, b) => (a.url < b.url ? -1 : 1))).toEqual([
      { method: 'POST', url: '/track/getquota', token: CARRIER_KEY },
      { method: 'GET', url: '/v1/models', token: `Bearer ${PROVIDER_KEY}` },
    ]);
  });

  it.each([
    [{ status: 401, body: PROVIDER_KEY }, 'refused', 'refused'],
    [{ status: 200, body: '{"code":-18010002,"data":{"errors":[]}}' }, 'refused', 'refused'],
    [{ status: 500, body: CARRIER_KEY }, 'failing', 'failing'],
    [{ status: 302, body: '' }, 'failing', 'failing'],
    ['hang' as const, 'timeout', 'timeout'],
  ])('recognises %j and reveals none of its text', async (upstreamResponse, carrierReach, providerReach) => {
    nextResponse = upstreamResponse;
    const { status, data } = await admin.call('settings.checkUpstreams');
    expect([status, data.carrier.reach, data.text_provider.reach]).toEqual([
      200,
      carrierReach,
      providerReach,
    ]);
    // Following a redirect would send the key along.
    expect(requests.map(({ url }) => url)).not.toContain('/elsewhere');
    for (const secret of [CARRIER_KEY, PROVIDER_KEY]) expect(JSON.stringify(data)).not.toContain(secret);
  });

  it('says which services are not configured and which are unreachable', async () => {
    const serviceWithoutCarrier = await startTestService({
      OPENAI_API_KEY: PROVIDER_KEY,
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    try {
      const { data } = await (await createSignedInUser(serviceWithoutCarrier, 'owner')).call(
        'settings.checkUpstreams',
      );
      expect(data.carrier).toEqual({ name: null, reach: 'not_configured', duration_ms: null });
      expect(data.text_provider.reach).toBe('unreachable');
    } finally {
      await serviceWithoutCarrier.close();
    }
  });
});

it('health and the check of other services are denied to operators and viewers', async () => {
  for (const role of ['operator', 'viewer'] as const) {
    const user = await createSignedInUser(service, role);
    expect((await user.call('settings.health')).status).toBe(403);
    expect((await user.call('settings.checkUpstreams')).status).toBe(403);
  }
  expect(requests).toEqual([]);
});
