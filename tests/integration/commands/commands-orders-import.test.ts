import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { COMMAND_ACTOR, type CommandLine, openCommandLine } from '../../support/process/command-line';
import { runCommand } from '../../support/process/run-command';

const US_FILE = 'tests/fixtures/sold-order-items-us.csv';
const UK_FILE = 'tests/fixtures/sold-order-items-uk.csv';

let cli: CommandLine;

beforeAll(async () => {
  cli = await openCommandLine();
});
afterAll(() => cli.close());

describe('orders import', () => {
  it.each([
    [
      'US export',
      US_FILE,
      { new_orders: 37, updated_orders: 0, order_items_inserted: 40 },
      { updated_orders: 37 },
    ],
    [
      'UK export',
      UK_FILE,
      { new_orders: 26, updated_orders: 0, order_items_inserted: 30 },
      { updated_orders: 26 },
    ],
  ])(
    'of the %s counts its orders and items, and duplicates nothing the second time',
    async (name, file, firstCounts, secondCounts) => {
      const id = await cli.createShop(name);
      const result = await cli.run('orders', 'import', file, '--account', id, '--json');
      expect([result.code, result.stderr]).toEqual([0, '']);
      expect(result.json).toMatchObject({ ...firstCounts, warnings: [], import_id: expect.any(Number) });
      const secondResult = await cli.run('orders', 'import', file, '--account', id, '--json');
      expect(secondResult.json).toMatchObject({ new_orders: 0, ...secondCounts, order_items_inserted: 0 });

      const [importRecord] = await cli.database.query(
        'SELECT source, actor, file_name, content_hash, outcome::text FROM imports WHERE id = $1',
        [result.json.import_id],
      );
      const hash = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      expect(importRecord).toEqual({
        source: 'command',
        actor: COMMAND_ACTOR,
        file_name: path.basename(file),
        content_hash: hash,
        outcome: 'succeeded',
      });
    },
  );

  it('of a workbook stores the same orders as an import of the CSV file', async () => {
    const rows: string[][] = parse(await readFile(US_FILE), { relax_column_count: true });
    const paidColumn = rows[0]!.indexOf('Date Paid');
    const sheet = rows.map((row, index) =>
      row.map((cell, column) => {
        if (index === 0 || column !== paidColumn) return cell === '' ? null : cell;
        const [month, day, year] = cell.split('/').map(Number);
        return { type: Date, value: new Date(Date.UTC(year!, month! - 1, day!)), format: 'mm/dd/yyyy' };
      }),
    );
    const file = path.join(cli.folder, 'orders.xlsx');
    await writeExcelFile(sheet as SheetData).toFile(file);
    const [csvShopId, xlsxShopId] = [await cli.createShop('From CSV'), await cli.createShop('From XLSX')];
    await cli.run('orders', 'import', US_FILE, '--account', csvShopId);
    const result = await cli.run('orders', 'import', file, '--account', xlsxShopId, '--json');
    expect(result.json).toMatchObject({ new_orders: 37, updated_orders: 0, order_items_inserted: 40 });

    const readOrders = (id: string) =>
      cli.database.query(
        `SELECT receipt_id, sale_date, sold_on, buyer, order_shipping, zip, country_code,
                (SELECT array_agg((transaction_id, title, price, variations)::text ORDER BY i.id)
                   FROM order_items i WHERE i.shop_id = o.shop_id AND i.order_id = o.id) AS items
           FROM orders o WHERE shop_id = $1 ORDER BY receipt_id`,
        [id],
      );
    expect(await readOrders(xlsxShopId)).toEqual(await readOrders(csvShopId));
  });

  it('of a file with bad rows stores nothing, and lists the problems by line', async () => {
    const [header, ...rows]: string[][] = parse(await readFile(US_FILE), { relax_column_count: true });
    const quote = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
    const [firstRow, secondRow, thirdRow] = rows.map((row) => [...row]) as [string[], string[], string[]];
    firstRow[25] = 'Size: A3\r\nFinish: Matte';
    secondRow[3] = 'many';
    thirdRow[15] = 'tomorrow';
    const file = path.join(cli.folder, 'bad.csv');
    await writeFile(
      file,
      [quote(header!), '', quote(firstRow), quote(secondRow), quote(thirdRow), ''].join('\r\n'),
    );
    const id = await cli.createShop('Bad rows');

    const refusal = await cli.run('orders', 'import', file, '--account', id, '--json');
    expect(refusal.code).toBe(1);
    expect(refusal.json.error).toMatchObject({
      message: 'bad.csv has 2 problems; nothing was imported.',
      errors: [
        { path: 'rows.2.quantity', line: 5, message: expect.stringContaining('must be a whole number') },
        { path: 'rows.3.sale_date', line: 6, message: expect.stringContaining('must be a date') },
      ],
      error_count: 2,
    });
    expect(refusal.stderr).toMatch(
      / {2}line 5, quantity: must be a whole number.*\n {2}line 6, sale_date: must be a date/,
    );
    expect((await cli.run('orders', 'export', '--account', id)).stdout).toBe('');
  });

  it('lists warnings by line, without control characters', async () => {
    const file = path.join(cli.folder, 'warned.csv');
    const rows: string[][] = parse(await readFile(US_FILE), { relax_column_count: true });
    const row = [...rows[1]!];
    row[23] = 'Atlantis\u001b[2J';
    await writeFile(
      file,
      [rows[0]!, row].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n'),
    );
    const id = await cli.createShop('Warned');
    const result = await cli.run('orders', 'import', file, '--account', id, '--json');
    expect(result.json.warnings).toEqual([
      { path: 'rows.1.country_name', line: 2, message: expect.stringContaining('is not a known country') },
    ]);
    const textResult = await cli.run('orders', 'import', file, '--account', id);
    expect(textResult.stdout).toContain(
      '1 warning:\n  line 2, country_name: "Atlantis [2J" is not a known country',
    );
    expect(textResult.stdout).not.toContain('\u001b');
  });

  it('refuses an unknown account, a missing file, a file of another kind and a file over the size limit', async () => {
    const unknownAccountResult = await cli.run('orders', 'import', US_FILE, '--account', '2147483647');
    expect([unknownAccountResult.code, unknownAccountResult.stdout]).toEqual([1, '']);
    expect(unknownAccountResult.stderr).toContain(
      '--account: must refer to an existing shop; none has the id 2147483647',
    );
    const missingFileResult = await cli.run('orders', 'import', 'nowhere.csv', '--account', '1', '--json');
    expect([missingFileResult.code, missingFileResult.json.error.message]).toEqual([
      1,
      'nowhere.csv cannot be read: there is no such file.',
    ]);
    const otherFileResult = await cli.run('orders', 'import', 'package.json', '--account', '1');
    expect([otherFileResult.code, otherFileResult.stdout]).toEqual([1, '']);
    const largeFileResult = await runCommand(['orders', 'import', US_FILE, '--account', '1'], {
      ...cli.env,
      IMPORT_MAX_BODY_BYTES: '2048',
    });
    expect([largeFileResult.code, largeFileResult.stderr]).toEqual([
      1,
      expect.stringContaining('the limit is 2 KiB'),
    ]);
  });
});
