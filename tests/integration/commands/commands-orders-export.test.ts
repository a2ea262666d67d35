import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config';
import { createLog } from '../../../src/server/core/log';
import { importOrders } from '../../../src/server/orders/import/service';
import { openServices } from '../../../src/server/runtime/open-services';
import { type CommandLine, openCommandLine } from '../../support/process/command-line';
import { spawnCommand } from '../../support/process/run-command';

let cli: CommandLine;

beforeAll(async () => {
  cli = await openCommandLine();
});
afterAll(() => cli.close());

describe('orders export', () => {
  let shopId: string;

  beforeAll(async () => {
    shopId = await cli.createShop('Export');
    const rows = [
      {
        receipt_id: '1',
        sale_date: '08/22/2026',
        note: '=SUM(A1)',
        buyer: 'a "b", c\nd',
        order_shipping: '123456789012.1234',
        tracking_number: 'ly 1',
        carrier_code: 'yanwen',
        title: 'T',
        sku: '007',
        price: 4.5,
        gift: 'x',
      },
      { receipt_id: '1', title: 'U', tracking_number: 'LY2' },
      { receipt_id: '2', name: '@home', title: 'V', order_shipping: -5 },
    ];
    const { services, close } = openServices({
      config: loadConfig(cli.env),
      databaseUrl: cli.database.url,
      secret: cli.env.NEXTAUTH_SECRET!,
      log: createLog('silent'),
    });
    const members = { account_id: Number(shopId), rows };
    await importOrders(services, { source: 'api', actor: 'test' }, { members }).finally(close);
  });

  it('as ndjson writes one order per line, with its items, shipments, exact amounts and times in UTC', async () => {
    const { code, stdout, stderr } = await cli.run('orders', 'export', '--account', shopId);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('"order_shipping":123456789012.1234,');
    const order = JSON.parse(lines[0]!);
    expect(order).toMatchObject({
      id: expect.any(Number),
      account_id: Number(shopId),
      receipt_id: '1',
      status: 'shipped',
      tracking_status: 'not_found',
      sale_date: '2026-08-22T04:00:00.000Z',
      buyer: 'a "b", c\nd',
      country_code: null,
      tracking_number: 'LY1',
      carrier_code: 'yanwen',
      shipments: [
        { tracking_number: 'LY1', carrier_code: 'yanwen', status: 'not_found' },
        { tracking_number: 'LY2', carrier_code: null, status: 'not_found' },
      ],
      items: [
        { title: 'T', sku: '007', price: 4.5, quantity: null, extra: { gift: 'x' } },
        { title: 'U', extra: {} },
      ],
    });
    expect(order.created_at).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(JSON.parse(lines[1]!)).toMatchObject({ tracking_number: null, shipments: [], order_shipping: -5 });
  });

  it('as csv writes the same orders as ndjson, one row per order, with formulas made harmless', async () => {
    const [ndjsonResult, csvResult] = [
      await cli.run('orders', 'export', '--account', shopId, '--format', 'ndjson'),
      await cli.run('orders', 'export', '--account', shopId, '--format', 'csv'),
    ];
    const orders = ndjsonResult.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows: Record<string, string>[] = parse(csvResult.stdout, { columns: true });
    expect(rows).toHaveLength(orders.length);
    expect(Object.keys(rows[0]!)).toEqual(Object.keys(orders[0]));
    expect(rows[0]).toMatchObject({
      note: "'=SUM(A1)",
      buyer: 'a "b", c\nd',
      order_shipping: '123456789012.1234',
    });
    expect(rows[1]).toMatchObject({ name: "'@home", order_shipping: '-5', tracking_number: '' });
    for (const [index, row] of rows.entries()) {
      expect(JSON.parse(row.items!)).toEqual(orders[index].items);
      expect(JSON.parse(row.shipments!)).toEqual(orders[index].shipments);
      expect(row.created_at).toBe(orders[index].created_at);
    }
  });

  it('with --json writes the same orders as one JSON array, and refuses --format csv', async () => {
    const [ndjsonResult, jsonResult] = [
      await cli.run('orders', 'export', '--account', shopId),
      await cli.run('orders', 'export', '--account', shopId, '--json'),
    ];
    const orders = ndjsonResult.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(JSON.parse(jsonResult.stdout)).toEqual(orders);
    const conflictResult = await cli.run(
      'orders',
      'export',
      '--account',
      shopId,
      '--json',
      '--format',
      'csv',
    );
    expect([conflictResult.code, JSON.parse(conflictResult.stdout).error.message]).toEqual([
      1,
      expect.stringContaining('cannot be used with'),
    ]);
  });

  it('of an unknown account fails and writes nothing', async () => {
    const { code, stdout, stderr } = await cli.run(
      'orders',
      'export',
      '--account',
      '2147483647',
      '--format',
      'csv',
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('--account: No shop has the id 2147483647. "account list" shows them.\n');
  });

  it('ends quietly when its reader goes away', async () => {
    const child = spawnCommand(['orders', 'export', '--account', shopId], cli.env);
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, err]).toEqual([0, '']);
  });
});
