import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, runCommand } from '../../../support/process/run-command';
import { startTestService, TEST_SECRET, type TestService } from '../../../support/service/test-service';

let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  env = { DATABASE_URL: service.database.url, NEXTAUTH_SECRET: TEST_SECRET };
});
afterAll(() => service?.close());

const run = (...args: string[]): Promise<CommandResult> => runCommand(['api-key', ...args], env);

const fetchStatus = async (key: string, path = '/api/legos-cate') =>
  (await service.send(path, { headers: { 'X-Api-Key': key } })).status;

it('a key created with scopes and addresses is limited to them', async () => {
  const result = await run(
    ...[
      'create',
      '--name',
      'bound',
      '--json',
      '--scope',
      'get_api_legos_cate',
      '--scope',
      'get_api_legos_sku',
    ],
    ...['--address', '127.0.0.1', '--address', '10.0.0.0/8'],
  );
  expect(result.json).toMatchObject({
    scopes: ['get_api_legos_cate', 'get_api_legos_sku'],
    address_ranges: ['127.0.0.1', '10.0.0.0/8'],
  });
  const { key } = result.json;
  expect([
    await fetchStatus(key),
    await fetchStatus(key, '/api/legos-sku'),
    await fetchStatus(key, '/api/legos-head'),
  ]).toEqual([200, 200, 403]);
  const otherNetworkResult = await run('create', '--name', 'far', '--json', '--address', '203.0.113.0/24');
  expect(await fetchStatus(otherNetworkResult.json.key)).toBe(403);
});

it('rename renames a key, and list shows its new name', async () => {
  const { json } = await run('create', '--name', 'before', '--json');
  expect((await run('rename', String(json.id), '--name', 'after')).stdout).toBe(
    `API key ${json.id} is now called "after".\n`,
  );
  expect((await run('list')).stdout).toMatch(new RegExp(`^${json.id} +after `, 'm'));
});

it('a rotated key stays valid for the grace period, and its request log shows the calls that are still made with it', async () => {
  const oldKey = (await run('create', '--name', 'ERP', '--json')).json;
  const rotateResult = await run('rotate', String(oldKey.id), '--grace', '2h', '--json');
  const newKey = rotateResult.json;
  expect(newKey).toMatchObject({ rotated_from_id: oldKey.id, expires_at: null });
  expect(Date.parse(newKey.old_expires_at) - Date.now()).toBeGreaterThan(7_000_000);
  expect([await fetchStatus(oldKey.key, '/api/logistics?order=1'), await fetchStatus(newKey.key)]).toEqual([
    422, 200,
  ]);
  await service.app.services.keyCalls.flush();

  const { json: calls } = await run('calls', String(oldKey.id), '--json');
  expect(calls).toMatchObject([
    {
      route: '/api/logistics',
      status: 422,
      error: {
        code: 'validation_failed',
        message: '…: is not a known field; the known fields are tracking_number, order_number',
        errors: [
          { path: '…', message: 'is not a known field; the known fields are tracking_number, order_number' },
        ],
      },
    },
  ]);
  expect(Object.keys(calls[0].error).toSorted()).toEqual(['code', 'errors', 'message']);
  expect((await run('calls', String(oldKey.id))).stdout).toMatch(
    /422 +GET \/api\/logistics .* …: is not a known field/,
  );
  expect((await run('calls', String(newKey.id), '--errors')).stdout).toMatch(
    /has no refused or failed calls/,
  );
  const listedKey = (await run('list', '--json')).json.find(({ id }: { id: number }) => id === oldKey.id);
  expect(listedKey).toMatchObject({ rotation: { to_id: newKey.id, calls_since: 1 } });

  const resultWithoutGrace = await run('rotate', String(newKey.id), '--grace', '0');
  expect(resultWithoutGrace.stdout).toContain(`Key ${newKey.id} is refused from the next request on.`);
  expect(await fetchStatus(newKey.key)).toBe(401);
}, 60_000);

it('a grace period of 0 may have a unit', async () => {
  const { json } = await run('create', '--name', 'zero', '--json');
  const { code, stdout } = await run('rotate', String(json.id), '--grace', '0h');
  expect([code, stdout]).toEqual([0, expect.stringContaining('is refused from the next request on.')]);
});

describe('a command that is refused', () => {
  it.each([
    [
      ['create', '--name', 'x', '--scope', 'get_api_user'],
      /^--scope get_api_user: must be the name of an operation/,
    ],
    [['create', '--name', 'x', '--address', 'home'], /must be an address or a range such as 10\.0\.0\.0\/8/],
    [['rotate', '1', '--grace', '25h'], /must be at most 24h/],
    [['rotate', '1'], /required option '--grace <span>' not specified/],
    [['rename', '999999', '--name', 'x'], /No API key has the id 999999/],
    [['calls', '999999'], /No API key has the id 999999/],
  ])('%j says why', async (args, messagePattern) => {
    const { code, stderr } = await run(...args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(messagePattern);
  });
});
