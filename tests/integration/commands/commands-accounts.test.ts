import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_ACTOR, type CommandLine, openCommandLine } from '../../support/process/command-line';
import { spawnCommand } from '../../support/process/run-command';

let cli: CommandLine;
let shopId: string;

beforeAll(async () => {
  cli = await openCommandLine();
  shopId = await cli.createShop('Old shop');
  await cli.database.query(
    `INSERT INTO orders (shop_id, receipt_id) SELECT $1, n::text FROM generate_series(1, 3) n`,
    [shopId],
  );
});
afterAll(() => cli.close());

it('account export writes the shop and its orders to stdout, and the audit log names who exported them', async () => {
  const child = spawnCommand(['account', 'export', '--account', shopId], cli.env);
  const lines = gunzipSync(await buffer(child.stdout))
    .toString()
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).table)).toEqual([
    'shops',
    'orders',
    'orders',
    'orders',
    undefined,
  ]);
  expect(JSON.parse(lines.at(-1)!).rows).toMatchObject({ shops: 1, orders: 3 });
  const auditEntries = await cli.database.query(
    `SELECT actor FROM audit_log WHERE action = 'account.export' AND record_id = $1`,
    [shopId],
  );
  expect(auditEntries).toEqual([{ actor: COMMAND_ACTOR }]);
});

it('account export of a shop that does not exist says so and writes nothing', async () => {
  const { code, stdout, stderr } = await cli.run('account', 'export', '--account', '999');
  expect([code, stdout, stderr]).toEqual([1, '', 'No shop has the id 999.\n']);
});

it('account delete requires the name of the shop, and deletes the shop with all its orders', async () => {
  const wrongNameResult = await cli.run('account', 'delete', '--account', shopId, '--name', 'New shop');
  expect([wrongNameResult.code, wrongNameResult.stderr]).toEqual([
    1,
    '--name must be the name of the shop: Old shop\n',
  ]);
  expect(await cli.database.query('SELECT 1 FROM orders')).toHaveLength(3);
  const deleteResult = await cli.run('account', 'delete', '--account', shopId, '--name', 'Old shop');
  expect([deleteResult.code, deleteResult.stdout]).toEqual([
    0,
    `Deleted account ${shopId} "Old shop" and all its data.\n`,
  ]);
  expect(await cli.database.query('SELECT 1 FROM orders')).toEqual([]);
  const secondDeleteResult = await cli.run('account', 'delete', '--account', shopId, '--name', 'Old shop');
  expect([secondDeleteResult.code, secondDeleteResult.stderr]).toEqual([
    1,
    `No shop has the id ${shopId}.\n`,
  ]);
});
