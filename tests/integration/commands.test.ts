import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { loadConfig } from '../../src/server/config';
import { createLog } from '../../src/server/core/log';
import { openServices } from '../../src/server/open-services';
import { importOrders } from '../../src/server/orders/service';
import { type CommandResult, runCommand, spawnCommand } from '../support/run-command';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const US = 'tests/fixtures/sold-order-items-us.csv';
const UK = 'tests/fixtures/sold-order-items-uk.csv';
const ACTOR = `command: ${userInfo().username}`;

let database: TestDatabase;
let env: Record<string, string>;
let folder: string;

const run = (...args: string[]): Promise<CommandResult> => runCommand(args, env);

/** A shop account of this test's own. */
async function account(name: string): Promise<string> {
  const made = await run('account', 'create', '--name', name, '--json');
  return String(made.json.id);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brickdesk-commands-'));
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(48) };
});

afterAll(async () => {
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe('help', () => {
  it.each([
    [
      [],
      /account .*\n {2}api-key .*\n {2}oauth-client .*\n {2}oauth-key .*\n {2}user .*\n {2}token .*\n {2}orders .*\n {2}catalog .*\n {2}prompt .*\n {2}db /,
    ],
    [['account'], /create .*make a shop account/],
    [['account', 'create'], /--shop-id <id>/],
    [['account', 'list'], /list the shop accounts/],
    [['api-key'], /revoke .*revoke a key/],
    [['api-key', 'create'], /--expires <span>/],
    [['api-key', 'list'], /newest first/],
    [['api-key', 'revoke'], /its id/],
    [['user', 'create'], /choices: "owner", "admin",\s+"operator", "viewer"/],
    [['user', 'reset-password'], /--password-stdin/],
    [['orders', 'import'], /\.csv \(UTF-8\) or \.xlsx/],
    [['orders', 'export'], /choices: "ndjson", "csv", default:\s+"ndjson"/],
    [['db', 'migrate'], /pending migrations/],
    [['db', 'status'], /applied, pending or failed/],
  ])('of %j describes it and gives an example', async (command, text) => {
    const { code, out, err } = await runCommand([...command, '--help'], {});
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(text);
    expect(out).toMatch(/Example:\n {2}npm run -s cli -- \w/);
  });
});

describe('a command that cannot be understood', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['account', 'create'], "required option '--name <name>' not specified"],
    [
      ['account', 'create', '--name', ' '],
      "option '--name <name>' argument ' ' is invalid. It must not be empty.",
    ],
    [
      ['account', 'create', '--name', 'a', '--shop-id', 'x'.repeat(51)],
      'It must have at most 50 characters.',
    ],
    [
      ['api-key', 'create', '--name', 'a', '--expires', '90days'],
      "option '--expires <span>' argument '90days' is invalid",
    ],
    [['api-key', 'revoke', '0'], "'0' is invalid for argument 'id'. It must be an id"],
    [['user', 'create', '--email', 'ann', '--role', 'viewer'], 'It must be an e-mail address.'],
    [
      ['user', 'create', '--email', 'a@b.co', '--role', 'king'],
      'Allowed choices are owner, admin, operator, viewer.',
    ],
    [['orders', 'import', '--account', '1'], "missing required argument 'file'"],
    [['orders', 'import', US, '--account', '1.5'], "option '--account <id>' argument '1.5' is invalid"],
  ])('%j ends with code 1 and names what is wrong, on stderr and in the JSON', async (args, message) => {
    const { code, json, err } = await runCommand([...args, '--json'], {});
    expect(code).toBe(1);
    expect(json.error.message).toContain(message);
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('a command without its database', () => {
  it('says so in one line, without a stack', async () => {
    const away = { ...env, DATABASE_URL: 'postgresql://127.0.0.1:1/none' };
    const { code, json, err } = await runCommand(['account', 'list', '--json'], away);
    expect(code).toBe(1);
    expect(json.error.message).toMatch(
      /^The database 127\.0\.0\.1\/none cannot be opened: .*Check DATABASE_URL\.$/,
    );
    expect(err).toBe(`${json.error.message}\n`);
  });

  it('or with a bad setting names the setting', async () => {
    const { code, out, err } = await runCommand(['account', 'list'], { PORT: 'many' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('The configuration is not valid. PORT: must be a whole number from 0 to 65535\n');
  });
});

describe('account', () => {
  it('create makes a shop that list shows, and the audit log tells who made it', async () => {
    const made = await run('account', 'create', '--name', ' Fox shop ', '--shop-id', 'fox-1', '--json');
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.json).toMatchObject({ id: expect.any(Number), name: 'Fox shop', shop_id: 'fox-1' });

    const listed = await run('account', 'list', '--json');
    expect(listed.json).toContainEqual(made.json);
    expect((await run('account', 'list')).out).toMatch(
      /^ID +NAME +SHOP ID +CREATED\n(.*\n)*\d+ +Fox shop +fox-1 +20/,
    );

    const audit = await database.query(
      "SELECT actor_kind, actor FROM audit_log WHERE action = 'account.create' AND record_id = $1",
      [String(made.json.id)],
    );
    expect(audit).toEqual([{ actor_kind: 'command', actor: ACTOR }]);
  });

  it('create refuses a name or a shop_id that is taken, by the option', async () => {
    await run('account', 'create', '--name', 'Taken', '--shop-id', 'taken-1');
    const name = await run('account', 'create', '--name', 'Taken');
    expect([name.code, name.out]).toEqual([1, '']);
    expect(name.err).toMatch(/^--name is taken by account \d+; choose another\n$/);
    const shop = await run('account', 'create', '--name', 'Other', '--shop-id', 'taken-1', '--json');
    expect(shop.json.error).toMatchObject({ code: 'validation_failed' });
    expect(shop.err).toMatch(/^--shop-id is taken/);
  });
});

describe('api-key', () => {
  it('create shows the key once, list never, and revoke ends it', async () => {
    const made = await run('api-key', 'create', '--name', 'ERP bridge', '--expires', '90d', '--json');
    expect(made.json).toMatchObject({ id: expect.any(Number), key: expect.stringMatching(/^bdk_\w{46}$/) });
    const days = (Date.parse(made.json.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);

    const listed = await run('api-key', 'list', '--json');
    expect(listed.out).not.toContain(made.json.key);
    expect(listed.json).toContainEqual(
      expect.objectContaining({ id: made.json.id, name: 'ERP bridge', state: 'active', created_by: ACTOR }),
    );

    const revoked = await run('api-key', 'revoke', String(made.json.id), '--json');
    expect(revoked.json).toEqual({ id: made.json.id, revoked_at: expect.stringMatching(/Z$/) });
    expect((await run('api-key', 'list')).out).toMatch(/ERP bridge +bdk_\w{4}\.\.\.\w{4} +revoked/);
  });

  it('revoke of an unknown key is a failure', async () => {
    const { code, err } = await run('api-key', 'revoke', '2147483647');
    expect([code, err]).toEqual([1, 'No API key has the id 2147483647. "api-key list" shows them.\n']);
  });
});

describe('user', () => {
  it('create shows a generated password once; reset-password takes one from stdin', async () => {
    const made = await run('user', 'create', '--email', 'Ann@Example.com', '--role', 'operator', '--json');
    expect(made.json).toMatchObject({ email: 'ann@example.com', name: 'ann', role: 'operator' });
    expect(made.json.password).toMatch(/^\w{4}(-\w{4}){4}$/);
    const given = ['user', 'reset-password', '--email', 'ann@example.com', '--password-stdin', '--json'];
    const reset = await runCommand(given, env, 'correct horse battery\nmore\n');
    expect(reset.json).toEqual({ id: made.json.id, email: 'ann@example.com', password: null });
    const short = await runCommand(given, env, 'short\n');
    expect([short.code, short.json.error.message]).toEqual([
      1,
      '--password-stdin: the password must have at least 12 characters.',
    ]);
  });

  it('create of an e-mail that exists and reset-password of one that does not are failures', async () => {
    await run('user', 'create', '--email', 'bob@example.com', '--role', 'viewer', '--name', 'Bob');
    const again = await run('user', 'create', '--email', 'bob@example.com', '--role', 'viewer');
    expect([again.code, again.err]).toEqual([
      1,
      'email: is taken: a user with the e-mail bob@example.com exists already\n',
    ]);
    const nobody = await run('user', 'reset-password', '--email', 'nobody@example.com');
    expect([nobody.code, nobody.err]).toEqual([1, 'No user has the e-mail nobody@example.com.\n']);
  });
});

describe('db', () => {
  it('status names the applied migrations, and migrate has nothing to do', async () => {
    const status = await run('db', 'status', '--json');
    expect(status.json).toEqual({
      applied: expect.arrayContaining(['20261121040650_init']),
      pending: [],
      failed: [],
    });
    expect((await run('db', 'status')).out).toMatch(/^applied: \d+\n(.*\n)*pending: 0\nfailed: 0\n$/);
    expect((await run('db', 'migrate', '--json')).json).toEqual({ applied: [] });
  });
});

describe('orders import', () => {
  it.each([
    [
      'US export',
      US,
      { new_orders: 37, updated_orders: 0, order_items_inserted: 40 },
      { updated_orders: 37 },
    ],
    [
      'UK export',
      UK,
      { new_orders: 26, updated_orders: 0, order_items_inserted: 30 },
      { updated_orders: 26 },
    ],
  ])(
    'of the %s counts its orders and items, and doubles nothing the second time',
    async (name, file, first, again) => {
      const id = await account(name);
      const imported = await run('orders', 'import', file, '--account', id, '--json');
      expect([imported.code, imported.err]).toEqual([0, '']);
      expect(imported.json).toMatchObject({ ...first, warnings: [], import_id: expect.any(Number) });
      const repeated = await run('orders', 'import', file, '--account', id, '--json');
      expect(repeated.json).toMatchObject({ new_orders: 0, ...again, order_items_inserted: 0 });

      const [record] = await database.query(
        'SELECT source, actor, file_name, content_hash, outcome::text FROM imports WHERE id = $1',
        [imported.json.import_id],
      );
      const hash = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      expect(record).toEqual({
        source: 'command',
        actor: ACTOR,
        file_name: path.basename(file),
        content_hash: hash,
        outcome: 'succeeded',
      });
    },
  );

  it('of a workbook stores the same as of the CSV file', async () => {
    const rows: string[][] = parse(await readFile(US), { relax_column_count: true });
    const paid = rows[0]!.indexOf('Date Paid');
    const sheet = rows.map((row, index) =>
      row.map((cell, column) => {
        if (index === 0 || column !== paid) return cell === '' ? null : cell;
        const [month, day, year] = cell.split('/').map(Number);
        return { type: Date, value: new Date(Date.UTC(year!, month! - 1, day!)), format: 'mm/dd/yyyy' };
      }),
    );
    const file = path.join(folder, 'orders.xlsx');
    await writeExcelFile(sheet as SheetData).toFile(file);
    const [fromCsv, fromXlsx] = [await account('From CSV'), await account('From XLSX')];
    await run('orders', 'import', US, '--account', fromCsv);
    const imported = await run('orders', 'import', file, '--account', fromXlsx, '--json');
    expect(imported.json).toMatchObject({ new_orders: 37, updated_orders: 0, order_items_inserted: 40 });

    const stored = (id: string) =>
      database.query(
        `SELECT receipt_id, sale_date, sold_on, buyer, order_shipping, zip, country_code,
                (SELECT array_agg((transaction_id, title, price, variations)::text ORDER BY i.id)
                   FROM order_items i WHERE order_id = o.id) AS items
           FROM orders o WHERE account_id = $1 ORDER BY receipt_id`,
        [id],
      );
    expect(await stored(fromXlsx)).toEqual(await stored(fromCsv));
  });

  it('of a file with bad rows stores nothing and lists them by their lines', async () => {
    const [header, ...rows]: string[][] = parse(await readFile(US), { relax_column_count: true });
    const quote = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
    const [first, second, third] = rows.map((row) => [...row]) as [string[], string[], string[]];
    first[25] = 'Size: A3\r\nFinish: Matte';
    second[3] = 'many';
    third[15] = 'tomorrow';
    const file = path.join(folder, 'bad.csv');
    await writeFile(file, [quote(header!), '', quote(first), quote(second), quote(third), ''].join('\r\n'));
    const id = await account('Bad rows');

    const refused = await run('orders', 'import', file, '--account', id, '--json');
    expect(refused.code).toBe(1);
    expect(refused.json.error).toMatchObject({
      message: 'bad.csv has 2 problems; nothing was imported.',
      errors: [
        { path: 'rows.2.quantity', line: 5, message: expect.stringContaining('must be a whole number') },
        { path: 'rows.3.sale_date', line: 6, message: expect.stringContaining('must be a date') },
      ],
      error_count: 2,
    });
    expect(refused.err).toMatch(
      / {2}line 5, quantity: must be a whole number.*\n {2}line 6, sale_date: must be a date/,
    );
    expect((await run('orders', 'export', '--account', id)).out).toBe('');
  });

  it('lists warnings by their lines', async () => {
    const file = path.join(folder, 'warned.csv');
    const rows: string[][] = parse(await readFile(US), { relax_column_count: true });
    const row = [...rows[1]!];
    row[23] = 'Atlantis\u001b[2J';
    await writeFile(
      file,
      [rows[0]!, row].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n'),
    );
    const id = await account('Warned');
    const imported = await run('orders', 'import', file, '--account', id, '--json');
    expect(imported.json.warnings).toEqual([
      { path: 'rows.1.country_name', line: 2, message: expect.stringContaining('is no known country') },
    ]);
    const shown = await run('orders', 'import', file, '--account', id);
    expect(shown.out).toContain('1 warning:\n  line 2, country_name: "Atlantis [2J" is no known country');
    expect(shown.out).not.toContain('\u001b');
  });

  it('refuses an unknown account, a missing file and a file of another kind', async () => {
    const unknown = await run('orders', 'import', US, '--account', '2147483647');
    expect([unknown.code, unknown.out]).toEqual([1, '']);
    expect(unknown.err).toContain('--account: must refer to an existing account; none has the id 2147483647');
    const missing = await run('orders', 'import', 'nowhere.csv', '--account', '1', '--json');
    expect([missing.code, missing.json.error.message]).toEqual([
      1,
      'nowhere.csv cannot be read: there is no such file.',
    ]);
    const other = await run('orders', 'import', 'package.json', '--account', '1');
    expect([other.code, other.out]).toEqual([1, '']);
    const large = await runCommand(['orders', 'import', US, '--account', '1'], {
      ...env,
      IMPORT_MAX_BODY_BYTES: '2048',
    });
    expect([large.code, large.err]).toEqual([1, expect.stringContaining('at most 2 KiB are taken')]);
  });
});

describe('orders export', () => {
  let id: string;

  beforeAll(async () => {
    id = await account('Export');
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
      config: loadConfig(env),
      databaseUrl: database.url,
      secret: env.NEXTAUTH_SECRET!,
      log: createLog('silent'),
    });
    const members = { account_id: Number(id), rows };
    await importOrders(services, { source: 'api', actor: 'test' }, { members }).finally(close);
  });

  it('as ndjson gives each order on a line with its items, exact amounts, UTC instants and its parcels', async () => {
    const { code, out, err } = await run('orders', 'export', '--account', id);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('"order_shipping":123456789012.1234,');
    const order = JSON.parse(lines[0]!);
    expect(order).toMatchObject({
      id: expect.any(Number),
      account_id: Number(id),
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

  it('as csv gives the same, one line an order, with formulas made harmless', async () => {
    const [ndjson, csv] = [
      await run('orders', 'export', '--account', id, '--format', 'ndjson'),
      await run('orders', 'export', '--account', id, '--format', 'csv'),
    ];
    const orders = ndjson.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows: Record<string, string>[] = parse(csv.out, { columns: true });
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

  it('of an unknown account is a failure that writes nothing', async () => {
    const { code, out, err } = await run('orders', 'export', '--account', '2147483647', '--format', 'csv');
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('--account: No account has the id 2147483647. "account list" shows them.\n');
  });

  it('ends quietly when its reader goes away', async () => {
    const child = spawnCommand(['orders', 'export', '--account', id], env);
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, err]).toEqual([0, '']);
  });
});
