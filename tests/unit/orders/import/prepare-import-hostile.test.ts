import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FIELD_NAMES } from '../../../../src/server/orders/column-map';
import { prepareImport } from '../../../../src/server/orders/import/prepare';
import { HEADER } from '../../../support/fixtures';
import { contentsOf, importedContents, prepareText } from '../../../support/prepared-imports';
import { leastCpuMs } from '../../../support/process/cpu-time';

const createNestedJson = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
/** Returns the JSON of members with different names, without braces. */
const createMembers = (count: number, cell: unknown = 1) =>
  Array.from({ length: count }, (_, n) => `"m${n}":${cell}`).join(',');
const bodyWith = (...rows: string[]) => `{"account_id":1,"rows":[${rows.join(',')}]}`;
const problemPathsOf = (json: string): string[] => prepareText(json).problems.map((problem) => problem.path);

describe('hostile JSON is refused, with the path of the problem:', () => {
  it.each([
    ['a deeply nested body', createNestedJson(100_000), ''],
    [
      'a deeply nested member',
      `{"account_id":1,"rows":[{"receipt_id":"1"}],"more":${createNestedJson(100_000)}}`,
      '',
    ],
    [
      'a deeply nested account_id',
      `{"account_id":${createNestedJson(100_000)},"rows":[{"receipt_id":"1"}]}`,
      '',
    ],
    ['a deeply nested cell', bodyWith(`{"receipt_id":"1","title":${createNestedJson(100_000)}}`), ''],
    [
      'a deeply nested object',
      bodyWith(`{"receipt_id":"1","x":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`),
      '',
    ],
    ['a body with too many members', `{${createMembers(100_001)}}`, ''],
    ['a row with too many members', bodyWith('[]', `{"receipt_id":"1",${createMembers(100_000)}}`), ''],
    ['a cell with too many members', bodyWith(`{"receipt_id":"1","x":{${createMembers(100_001)}}}`), ''],
    ['an id beyond 2^53', bodyWith('{"receipt_id":4165098857416509885}'), 'rows.0.receipt_id'],
    ['an infinite number', bodyWith('{"receipt_id":"1","price":1e400}'), 'rows.0.price'],
    ['an infinite number in extra', bodyWith('{"receipt_id":"1","x":-1e400}'), 'rows.0.x'],
    ['U+0000', bodyWith('{"receipt_id":"1\\u0000"}'), 'rows.0.receipt_id'],
    ['half a surrogate pair', bodyWith('{"receipt_id":"1","title":"\\ud83d"}'), 'rows.0.title'],
    ['"#" alone as an order number', bodyWith('{"receipt_id":"#"}'), 'rows.0.receipt_id'],
    ['an array for a cell', bodyWith('{"receipt_id":["1"]}'), 'rows.0.receipt_id'],
  ])('%s', (_, json, path) => {
    expect(problemPathsOf(json)).toContain(path);
  });

  it('a header whose cells cannot become text', () => {
    const header = JSON.stringify([...HEADER.slice(0, 32), { toString: 1, valueOf: 1 }]);
    expect(problemPathsOf(`{"account_id":1,"excel_format":true,"rows":[${header}]}`)).toEqual(['rows.0.32']);
    expect(
      problemPathsOf(
        `{"account_id":1,"excel_format":true,"rows":[["a","b","Buyer",${createNestedJson(100_000)}]]}`,
      ),
    ).toEqual(['']);
  });

  it('parsed members nested too deeply to be serialized', () => {
    const members: unknown = JSON.parse(bodyWith(`{"receipt_id":"1","title":${createNestedJson(100_000)}}`));
    expect(prepareImport({ members }, 10).problems.map((problem) => problem.path)).toEqual(['rows.0.title']);
  });
});

describe('100,000 members', () => {
  // Blank cells: as many with content would exceed the limit on an item's `extra`.
  const row = `{"receipt_id":"1",${createMembers(99_999, null)}}`;

  it.each([
    ['in a row', bodyWith(row)],
    ['in a row of a body that has to be parsed whole', `{"rows":[],"account_id":1,"rows":[${row}]}`],
  ])('%s are accepted', (_, json) => {
    expect(prepareText(json)).toMatchObject({ problems: [], orderCount: 1 });
  });

  it('and one more are refused in members that are already parsed, too', () => {
    const largeRow = Object.fromEntries(Array.from({ length: 100_001 }, (_, n) => [`m${n}`, 1]));
    const { problems } = prepareImport(
      { members: { account_id: 1, rows: [{ receipt_id: '1' }, largeRow] } },
      10,
    );
    expect(problems).toEqual([{ path: 'rows.1', reason: 'type.manyItems', values: { count: 100_000 } }]);
  });
});

it('many rows of one item, each with a different unknown member, take linear time', () => {
  const [shortRequestMs, longRequestMs] = [250, 4_000].map((rowCount) => {
    const json = bodyWith(
      ...Array.from({ length: rowCount }, (_, n) => `{"receipt_id":"1","transaction_id":"1","k${n}":1}`),
    );
    return leastCpuMs(() => {
      const { items } = contentsOf(prepareText(json));
      expect(Object.keys(items[0]!.extra!)).toHaveLength(rowCount);
    });
  });
  // Sixteen times the rows; quadratic work would take 256 times as long.
  expect(longRequestMs! / Math.max(shortRequestMs!, 10)).toBeLessThan(64);
});

it('the unknown fields of an item are not measured again for each further row, whether or not they still fit', () => {
  const rows = Array.from({ length: 400 }, (_, n) => ({
    receipt_id: '1',
    transaction_id: '1',
    [`k${n}`]: 'x'.repeat(n < 100 ? 500 : 9_000),
  }));
  const stringifySpy = vi.spyOn(JSON, 'stringify');
  const { warningCount } = prepareImport({ members: { account_id: 1, rows }, contentHash: '' }, 1_000);
  const callCount = stringifySpy.mock.calls.length;
  stringifySpy.mockRestore();
  // 51 KB of the first hundred rows and one more; all others are too large.
  expect(warningCount).toBe(299);
  expect(callCount).toBeLessThan(3 * rows.length);
});

it('the order number of the first row is searched once, however long it is and however many rows the order has', async () => {
  const script = 'tests/support/process/count-searched-characters.ts';
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]);
  const { numberLength, searchedLength, warningCount } = JSON.parse(stdout);
  expect(warningCount).toBe(101);
  expect(searchedLength).toBeLessThan(5 * numberLength);
});

describe('unusual text is kept as text:', () => {
  it('names with a special meaning in JavaScript', () => {
    const row = '{"receipt_id":"__proto__","transaction_id":"constructor","__proto__":"a","constructor":"b"}';
    const preparedImport = prepareText(bodyWith(row, row));
    expect(preparedImport.problems).toEqual([]);
    const { orders, items } = contentsOf(preparedImport);
    expect(orders.map((order) => order.receipt_id)).toEqual(['__proto__']);
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items[0]!.extra)).toBe('{"__proto__":"a","constructor":"b"}');
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('0');
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('right-to-left scripts, emoji and combining marks', () => {
    const cells = { buyer: 'مرحبا (שלום)', title: '👩‍👩‍👧‍👦 \u202Etxet', city: 'Zu\u0308rich', gift: '❤️' };
    const { orders, items } = importedContents([{ receipt_id: '١', ...cells }]);
    expect(orders[0]).toMatchObject({ receipt_id: '١', buyer: cells.buyer, city: cells.city });
    expect(items[0]).toMatchObject({ title: cells.title, extra: { gift: '❤️' } });
  });

  it('64-bit ids, sent as text', () => {
    const id = '18446744073709551615';
    const { items } = importedContents([{ receipt_id: id, transaction_id: id, listing_id: id }]);
    expect(items[0]).toMatchObject({ receipt_id: id, transaction_id: id, listing_id: id });
  });
});

describe('an import of arbitrary input', () => {
  const cell = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('08/22/2026', '4.49', '#', '1', '&nbsp;', 4165098857, 2 ** 60, '\u0000', '\ud800'),
  );
  const objectRow = fc.dictionary(
    fc.oneof(fc.constantFrom(...FIELD_NAMES), fc.string({ unit: 'binary' })),
    cell,
  );
  const arrayRow = fc.array(cell, { maxLength: 36 });
  const rows = fc.array(fc.oneof(objectRow, arrayRow, cell), { maxLength: 4 });
  const rowsWithHeader = rows.map((rowsBelow) => [HEADER, ...rowsBelow]);
  const request = fc.record(
    {
      account_id: fc.oneof(fc.constant(1), cell),
      rows: fc.oneof(rows, rowsWithHeader, cell),
      excel_format: fc.oneof(fc.boolean(), cell),
      more: cell,
    },
    { requiredKeys: [] },
  );

  /** Expects no string with U+0000 or a lone surrogate, which PostgreSQL cannot store, and counts that match the contents. */
  function expectStorable(preparedImport: ReturnType<typeof prepareImport>): void {
    const json = JSON.stringify([contentsOf(preparedImport), preparedImport.problems]);
    expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/);
    expect(preparedImport.problemCount).toBeGreaterThanOrEqual(preparedImport.problems.length);
    if (preparedImport.problemCount > 0) {
      expect(contentsOf(preparedImport)).toMatchObject({ orders: [], items: [], shipments: [] });
      expect(preparedImport).toMatchObject({ orderCount: 0, itemCount: 0, shipmentCount: 0 });
    } else {
      const { orders, items } = contentsOf(preparedImport);
      expect(preparedImport).toMatchObject({ orderCount: orders.length, itemCount: items.length });
      expect(new Set(orders.map((order) => order.receipt_id)).size).toBe(orders.length);
    }
  }

  it.each<[string, (value: unknown) => ReturnType<typeof prepareImport>]>([
    ['JSON', (value) => prepareText(JSON.stringify(value))],
    ['parsed members', (value) => prepareImport({ members: value }, 100)],
  ])('as %s is prepared or refused as a whole, without an exception', (_, prepare) => {
    fc.assert(
      fc.property(fc.oneof(request, fc.jsonValue()), (value) => expectStorable(prepare(value))),
      { numRuns: 2_000 },
    );
  });

  it('is refused without an exception if its body is random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(prepareImport({ body: bytes }, 100).problemCount).toBeGreaterThan(0);
      }),
    );
  });
});

it('10,000 rows are read completely', () => {
  const createRowJson = (index: number) =>
    `{"receipt_id":"${index >> 1}","transaction_id":"${index}","title":"Fox ${index}","quantity":1,"price":"4.49","sale_date":"08/22/2026","name":"A","country_name":"United States","order_shipping":"5.00"}`;
  const body = new TextEncoder().encode(
    bodyWith(...Array.from({ length: 10_000 }, (_, index) => createRowJson(index))),
  );
  expect(prepareImport({ body }, 50_000)).toMatchObject({
    problemCount: 0,
    orderCount: 5_000,
    itemCount: 10_000,
  });
});
