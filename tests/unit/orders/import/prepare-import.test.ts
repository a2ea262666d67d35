import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createReason, problemAt } from '../../../../src/server/core/errors/reason';
import { prepareImport } from '../../../../src/server/orders/import/prepare';
import { createExportRow, HEADER } from '../../../support/fixtures';
import { contentsOf, importedContents, prepareText, refusedPaths } from '../../../support/prepared-imports';

const ROW = { receipt_id: '1' };
const problemPathsOf = (json: string): string[] => prepareText(json).problems.map((problem) => problem.path);
const bodyWith = (members: Record<string, unknown>) =>
  JSON.stringify({ account_id: 1, rows: [ROW], ...members });

describe('the body', () => {
  it.each([
    ['not JSON', '{'],
    ['empty', ''],
    ['an array', '[]'],
    ['a string', '"rows"'],
    ['null', 'null'],
  ])('that is %s is refused', (_, json) => {
    expect(problemPathsOf(json)).toEqual(['']);
  });

  it('that is not UTF-8 is refused with that reason', () => {
    const preparedImport = prepareImport({ body: Uint8Array.of(0x7b, 0xff, 0x7d) }, 10);
    expect(preparedImport.problems[0]!.reason).toBe('body.encoding');
  });

  it('may begin with a byte order mark', () => {
    expect(prepareText(`\uFEFF${bodyWith({})}`).problemCount).toBe(0);
  });

  it('accepts account_id, rows and excel_format, and no other member', () => {
    expect(prepareText(bodyWith({ excel_format: false })).problemCount).toBe(0);
    expect(problemPathsOf(bodyWith({ shop: 1, file: 'x' }))).toEqual(['shop', 'file']);
    expect(
      problemPathsOf('{"account_id":1,"rows":[{"receipt_id":"1"}],"__proto__":1,"constructor":2}').sort(),
    ).toEqual(['__proto__', 'constructor']);
  });

  it('with a member name that cannot be stored is refused, and the path of the problem can be stored', () => {
    const [path] = problemPathsOf(bodyWith({ [`a\u0000\ud800${'x'.repeat(1_000)}`]: 1 }));
    expect(path!.isWellFormed() && !path!.includes('\u0000')).toBe(true);
    expect(path!.length).toBeLessThan(100);
  });

  it.each([undefined, null, '1', 1.5, true, 0, -1, 2 ** 53, [1]])(
    'needs a positive integer as account_id, not %j',
    (value) => {
      expect(problemPathsOf(bodyWith({ account_id: value }))).toEqual(['account_id']);
    },
  );

  it('accepts 1.0 as an integer', () => {
    expect(prepareText('{"account_id":1.0,"rows":[{"receipt_id":"1"}]}').shopId).toBe(1);
  });

  it.each([undefined, null, [], {}, 'rows', 1])('needs at least one row, not %j', (value) => {
    expect(problemPathsOf(bodyWith({ rows: value }))).toEqual(['rows']);
  });

  it.each([null, 'true', 1, 0])('may leave excel_format out, but not set it to %j', (value) => {
    expect(problemPathsOf(bodyWith({ excel_format: value }))).toEqual(['excel_format']);
  });

  it('is refused with wrong members and wrong rows reported together', () => {
    expect(problemPathsOf(bodyWith({ account_id: '1', more: 1, rows: [{}] })).sort()).toEqual([
      'account_id',
      'more',
      'rows.0.receipt_id',
    ]);
  });
});

describe('any bad row', () => {
  it('causes the request to be rejected, and each problem names the field and the index of the row as sent', () => {
    const rows = [
      ROW,
      { receipt_id: '2', quantity: 'x', price: '12,00' },
      [],
      { receipt_id: 2 ** 53, other: {} },
      7,
    ];
    expect(refusedPaths(rows).sort()).toEqual([
      'rows.1.price',
      'rows.1.quantity',
      'rows.2.receipt_id',
      'rows.3.other',
      'rows.3.receipt_id',
      'rows.4',
    ]);
  });

  it('is named by an index that counts the header as 0, and counts skipped rows too', () => {
    const rows = [HEADER, [], createExportRow({ 24: '1' }), createExportRow({ 24: '2', 15: 'yesterday' })];
    expect(refusedPaths(rows, true)).toEqual(['rows.3.sale_date']);
  });

  it('is counted, and the first hundred problems are listed', () => {
    const { problems, problemCount } = prepareText(bodyWith({ rows: Array(250).fill({}) }));
    expect(problemCount).toBe(250);
    expect(problems.map((problem) => problem.path)).toEqual(
      Array.from({ length: 100 }, (_, index) => `rows.${index}.receipt_id`),
    );
  });
});

describe('the limit on rows', () => {
  const bodyWithRows = (count: number) => bodyWith({ rows: Array(count).fill(ROW) });

  it('is the configured number', () => {
    expect(prepareText(bodyWithRows(3), 3).problemCount).toBe(0);
    expect(prepareText(bodyWithRows(4), 3).problems).toEqual([
      problemAt('rows', createReason('rows.most', { count: 3 })),
    ]);
  });

  it("does not count an export's header", () => {
    const bodyWithSheet = (count: number) =>
      bodyWith({ excel_format: true, rows: [HEADER, ...Array(count).fill(createExportRow({ 24: '1' }))] });
    expect(prepareText(bodyWithSheet(3), 3).problemCount).toBe(0);
    expect(prepareText(bodyWithSheet(4), 3).problemCount).toBe(1);
  });
});

describe('rows', () => {
  it('may be a mix of named rows and arrays if excel_format is false', () => {
    const { items } = importedContents([
      { receipt_id: '1', title: 'Fox &amp; Co' },
      createExportRow({ 24: '1', 1: 'Bear &amp; Co' }),
    ]);
    expect(items.map((item) => item.title)).toEqual(['Fox &amp; Co', 'Bear & Co']);
  });

  it('may also have the fields tracking_number, carrier_code and note', () => {
    const { orders, shipments } = importedContents([
      { receipt_id: '1', note: 'Gift', tracking_number: 'LX1', carrier_code: 'yanwen' },
    ]);
    expect(orders[0]).toMatchObject({ note: 'Gift', carrier_code: 'yanwen', status: 'shipped' });
    expect(shipments).toEqual([{ ord: 0, receipt_id: '1', tracking_number: 'LX1', carrier_code: 'yanwen' }]);
  });

  it("keep unknown names and columns past 32 in the item's extra", () => {
    const { items } = importedContents([
      { receipt_id: '1', gift: true },
      createExportRow({ 24: '1', 33: 'x' }, 34),
    ]);
    expect(items.map((item) => item.extra)).toEqual([{ gift: true }, { column_33: 'x' }]);
  });

  it('that are only a header import nothing, without a problem', () => {
    expect(importedContents([HEADER], true)).toEqual({ orders: [], items: [], shipments: [], warnings: [] });
  });
});

describe('warnings', () => {
  it('name the row and field, and do not stop the import', () => {
    const { warnings } = importedContents([ROW, { receipt_id: '1', sold_on: 'Monday' }]);
    expect(warnings).toEqual([
      { row: 1, ...problemAt('rows.1.sold_on', createReason('cell.noDate', { value: 'Monday' })) },
    ]);
  });

  it('are all counted, but only a thousand are listed', () => {
    const preparedImport = prepareText(
      bodyWith({ rows: Array(1_500).fill({ receipt_id: '1', sold_on: 'Monday' }) }),
    );
    expect(preparedImport).toMatchObject({ problemCount: 0, warningCount: 1_500 });
    expect(preparedImport.warnings).toHaveLength(1_000);
  });
});

describe('unknown fields of more than 64 KiB', () => {
  /** Returns unknown fields that take up this many bytes as PostgreSQL's JSON text. */
  const fieldsOf = (bytes: number, name: string) => {
    const cells: Record<string, string> = {};
    for (let remaining = bytes; remaining > 0; remaining -= 10_000) {
      const field = `${name}${remaining}`;
      cells[field] = 'x'.repeat(Math.min(remaining, 10_000) - field.length - 8);
    }
    return cells;
  };
  const LIMIT = 65_536;

  it('are measured as PostgreSQL writes them, which is without exponents', () => {
    const members = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, 1e-300]));
    expect(refusedPaths([{ receipt_id: '1', ...members }])).toEqual(['rows.0.extra']);
  });

  it('in one row are refused, naming the row and `extra`; 64 KiB are not', () => {
    expect(importedContents([{ receipt_id: '1', ...fieldsOf(LIMIT, 'a') }]).warnings).toEqual([]);
    const { problems, orderCount } = prepareText(
      bodyWith({ rows: [ROW, { receipt_id: '1', ...fieldsOf(LIMIT + 1, 'a') }] }),
    );
    expect(problems).toEqual([problemAt('rows.1.extra', createReason('cell.extraSize', { count: LIMIT }))]);
    expect(orderCount).toBe(0);
    // Each of these characters is one UTF-16 unit, three bytes in UTF-8 and six if JSON has to escape it.
    for (const character of ['\u0001', '中'])
      expect(
        refusedPaths([
          { receipt_id: '1', ...Object.fromEntries([1, 2, 3].map((n) => [n, character.repeat(9_000)])) },
        ]),
      ).toEqual(['rows.0.extra']);
  });

  it('in several rows of one item are stored up to the limit, with a warning for each row whose fields are left out', () => {
    const row = { receipt_id: '1', transaction_id: '7' };
    const fields = {
      first: fieldsOf(40_000, 'a'),
      large: fieldsOf(30_000, 'b'),
      small: fieldsOf(20_000, 'c'),
    };
    const { items, warnings } = importedContents([
      { ...row, ...fields.first },
      { ...row, ...fields.large, title: 'Fox' },
      { ...row, ...fields.small },
      // Values that are replaced do not count twice.
      { ...row, ...fields.first },
    ]);
    expect(items).toMatchObject([{ title: 'Fox', extra: { ...fields.first, ...fields.small } }]);
    expect(items[0]!.extra).not.toHaveProperty(Object.keys(fields.large)[0]!);
    expect(warnings).toEqual([
      { row: 1, ...problemAt('rows.1.extra', createReason('cell.extraFull', { count: LIMIT })) },
    ]);
  });
});

describe('the import history', () => {
  it('gets the SHA-256 of the body, refused or not, and the number of rows sent', () => {
    for (const json of [bodyWith({}), bodyWith({ rows: [{}, {}] }), '{']) {
      const preparedImport = prepareText(json);
      expect(preparedImport.contentHash).toBe(createHash('sha256').update(json).digest('hex'));
    }
    expect(prepareText(bodyWith({ rows: [{}, {}] })).rowCount).toBe(2);
    // The header of an export does not count as a row.
    expect(prepareText(bodyWith({ rows: [[], []], excel_format: true })).rowCount).toBe(1);
  });

  it('gets the hash of the file if the rows come from one', () => {
    const members = { account_id: 1, rows: [ROW] };
    expect(prepareImport({ members, contentHash: 'ab12' }, 10).contentHash).toBe('ab12');
    expect(prepareImport({ members }, 10).contentHash).toBe(
      createHash('sha256').update(JSON.stringify(members)).digest('hex'),
    );
  });
});

it('a body and its parsed members have the same result', () => {
  const members = {
    account_id: 1,
    excel_format: true,
    rows: [HEADER, createExportRow({ 24: '#1', 4: '$5.00' })],
  };
  const preparedFromMembers = prepareImport({ members }, 10);
  expect(contentsOf(preparedFromMembers)).toEqual(contentsOf(prepareText(JSON.stringify(members))));
  expect(preparedFromMembers.contentHash).toBe(prepareText(JSON.stringify(members)).contentHash);
});

it('a batch holds whole orders with all their items, wherever in the request their rows are', () => {
  const createOrderRow = (nth: number) => ({
    receipt_id: String(nth + 1),
    transaction_id: '1',
    title: 'Fox',
  });
  const firstItems = Array.from({ length: 5_001 }, (_, nth) => createOrderRow(nth));
  const rows = [...firstItems, ...firstItems.map((row) => ({ ...row, transaction_id: '2' }))];
  const preparedImport = prepareText(JSON.stringify({ account_id: 1, rows }));
  const idsOf = (batch: Uint8Array) =>
    (JSON.parse(new TextDecoder().decode(batch)) as { receipt_id: string }[]).map(
      (order) => order.receipt_id,
    );
  expect(preparedImport.orders.map((batch) => idsOf(batch).length)).toEqual([5_000, 1]);
  expect(preparedImport.items.map((batch) => idsOf(batch).length)).toEqual([10_000, 2]);
  for (const [nth, batch] of preparedImport.items.entries())
    expect(new Set(idsOf(batch))).toEqual(new Set(idsOf(preparedImport.orders[nth]!)));
});
