import { describe, expect, it } from 'vitest';
import { englishProblem } from '../../../../src/server/core/errors/errors';
import { COLUMN_FIELDS } from '../../../../src/server/orders/column-map';
import { mapColumnsByName, readRawRows } from '../../../../src/server/orders/import/layout';
import { HEADER, readFixtureRows } from '../../../support/fixtures';

/** Returns a row in which every cell is its own index, as text. */
const createNumberedRow = (length: number): string[] => Array.from({ length }, (_, column) => String(column));
const withoutNames = (header: readonly string[], ...names: string[]): string[] =>
  header.filter((name) => !names.includes(name));

/** Reads a header and a single row below it. */
function readBelowHeader(header: readonly unknown[], row: readonly unknown[]) {
  const { rows, problems } = readRawRows([header, row], true);
  expect(problems).toEqual([]);
  expect(rows).toHaveLength(1);
  return { cells: rows[0]!.cells, extra: rows[0]!.extra };
}

/** Returns the only problem of rows of an export, which must be refused. */
function refusalOf(...rows: unknown[]): { path: string; message: string } {
  const layout = readRawRows(rows, true);
  expect(layout.rows).toEqual([]);
  expect(layout.problems).toHaveLength(1);
  return englishProblem(layout.problems[0]!);
}

/** Each field of the export with the cell that {@link createNumberedRow} puts into its column. */
const positions = Object.fromEntries(COLUMN_FIELDS.map((name, column) => [name, String(column)]));

describe('with excel_format', () => {
  it.each(['us', 'uk'] as const)('the columns of the %s export are read by position', (file) => {
    expect(readBelowHeader(readFixtureRows(file)[0]!, createNumberedRow(33))).toEqual({
      cells: positions,
      extra: [],
    });
  });

  it('columns are read by position whatever their headers, as long as the third column is the buyer', () => {
    const header = createNumberedRow(33).map((name, column) => (column === 2 ? 'Buyer' : `Column ${name}`));
    expect(readBelowHeader(header, createNumberedRow(33)).cells).toEqual(positions);
    expect(readBelowHeader(['', '', 'Buyer'], createNumberedRow(33)).cells).toEqual(positions);
  });

  it.each(['Buyer', 'buyer', 'BUYER', '  Buyer ', '\tbuyer\n'])(
    'the third cell of the header may be %j',
    (cell) => {
      expect(readBelowHeader(['a', 'b', cell], createNumberedRow(33)).cells).toEqual(positions);
    },
  );

  it.each([['Seller'], [''], [null], [2], [undefined], ['Buyer Name']])(
    'the third cell of the header may not be %j',
    (cell) => {
      expect(refusalOf(['a', 'b', cell])).toEqual({
        path: 'rows.0.2',
        message: expect.stringContaining('must be "Buyer"'),
      });
    },
  );

  it('the header must be an array of plain cells', () => {
    for (const header of [{ receipt_id: '1' }, 'Buyer', null, 7])
      expect(refusalOf(header).path).toBe('rows.0');
    const hostileCell = { toString: 1, valueOf: 1 };
    expect(refusalOf(['a', 'b', 'Buyer', hostileCell]).path).toBe('rows.0.3');
    expect(refusalOf([['Buyer'], 'b', 'Buyer']).path).toBe('rows.0.0');
  });

  it('a row below the header that is not an array is a problem, named by its index', () => {
    const { rows, problems } = readRawRows(
      [HEADER, createNumberedRow(33), { receipt_id: '1' }, 'row', createNumberedRow(33), null],
      true,
    );
    expect(rows.map((row) => row.index)).toEqual([1, 4]);
    expect(problems.map((problem) => problem.path)).toEqual(['rows.2', 'rows.3', 'rows.5']);
  });

  it('a header alone has no rows and no problem', () => {
    expect(readRawRows([HEADER], true)).toEqual({ rows: [], problems: [] });
  });

  it('rows of blank cells, or of entities for blanks, are skipped; the others keep their index', () => {
    const blankRows = [[], ['', ' ', '\t\r\n\u00a0\uFEFF'], [null, ''], ['&nbsp;', '&#32;']];
    const { rows, problems } = readRawRows([HEADER, ...blankRows, createNumberedRow(33), [0], [false]], true);
    expect(problems).toEqual([]);
    expect(rows.map((row) => row.index)).toEqual([5, 6, 7]);
  });

  it('columns past 32 are kept as extra, by the names of the header', () => {
    const header = [...HEADER, 'Gift note', '', null, 'constructor'];
    expect(readBelowHeader(header, createNumberedRow(38)).extra).toEqual([
      ['Gift note', '33'],
      ['column_34', '34'],
      ['column_35', '35'],
      ['constructor', '36'],
      ['column_37', '37'],
    ]);
  });

  it('columns past 32 with the same name are all kept, under different names', () => {
    const { extra } = readBelowHeader([...HEADER, 'Note', 'Note', ' Note '], createNumberedRow(36));
    expect(extra.map(([, cell]) => cell)).toEqual(['33', '34', '35']);
    expect(new Set(extra.map(([name]) => name)).size).toBe(3);
    expect(extra[0]![0]).toBe('Note');
  });
});

describe('a header with Order ID only outside column 24', () => {
  it.each(['us', 'uk'] as const)(
    'has its columns read by name, as in the %s export without the second address line',
    (file) => {
      const header = readFixtureRows(file)[0]!.toSpliced(19, 1);
      const { second_line: _, ...otherPositions } = positions;
      expect(readBelowHeader(header, createNumberedRow(33).toSpliced(19, 1))).toEqual({
        cells: otherPositions,
        extra: [],
      });
    },
  );

  it('may have every known name but that of the buyer in any column and case', () => {
    const header = HEADER.toReversed().map((name) => name.toUpperCase());
    [header[2], header[30]] = [header[30]!, header[2]!];
    const row = createNumberedRow(33).toReversed();
    [row[2], row[30]] = [row[30]!, row[2]!];
    expect(readBelowHeader(header, row).cells).toEqual(positions);
  });

  it('has its unknown and repeated columns kept as extra', () => {
    const header = ['Order ID', 'Marketplace', 'Buyer', 'Date Paid', 'Transaction ID', '', 'SKU', 'SKU'];
    expect(readBelowHeader(header, createNumberedRow(9))).toEqual({
      cells: { receipt_id: '0', buyer: '2', sale_date: '3', transaction_id: '4', sku: '6' },
      extra: [
        ['Marketplace', '1'],
        ['column_5', '5'],
        ['SKU (column_7)', '7'],
        ['column_8', '8'],
      ],
    });
  });

  it.each([[['Transaction ID']], [['Date Paid']], [['Transaction ID', 'Date Paid']]])(
    'is the wrong export without %j, and the message says which to download',
    (missingNames) => {
      const header = withoutNames(['Order ID', ...withoutNames(HEADER, 'Order ID')], ...missingNames);
      const problem = refusalOf(header, createNumberedRow(33));
      expect(problem.path).toBe('rows.0');
      expect(problem.message).toContain('Download "Sold order items"');
    },
  );

  it('of another export is reported as such, not as one without the buyer column', () => {
    const soldOrdersHeader = [
      'Sale Date',
      'Order ID',
      'Buyer User ID',
      'Full Name',
      'Number of Items',
      'Date Shipped',
    ];
    expect(refusalOf(soldOrdersHeader).message).toContain('Download "Sold order items"');
  });

  it('must have the buyer column third', () => {
    expect(refusalOf(['Order ID', 'Buyer', 'Transaction ID', 'Date Paid']).path).toBe('rows.0.2');
  });
});

it('a header with Order ID in column 24 and in another has its columns read by position', () => {
  const header = HEADER.with(0, 'Order ID');
  expect(readBelowHeader(header, createNumberedRow(33)).cells).toEqual(positions);
});

it('a cell beyond the header keeps its value, also if a column is named like its position', () => {
  const [row] = readRawRows([[...HEADER, 'column_34'], createNumberedRow(35)], true).rows;
  expect(row!.extra).toEqual([
    ['column_34', '33'],
    ['column_34 (column_34)', '34'],
  ]);
});

describe('the columns that problems name', () => {
  /** The columns of the fields, by position. */
  const fieldColumns = COLUMN_FIELDS.map((name, column) => [name, column] as const);

  it('are those of the fields, also if columns past 32 are named like fields; those are named by their numbers', () => {
    const header = [...HEADER, 'price', 'sku', 'Gift note', 'note', 'extra'];
    expect([...mapColumnsByName(header)]).toEqual([
      ...fieldColumns,
      ['column_33', 33],
      ['column_34', 34],
      ['Gift note', 35],
      // Not a field of the export.
      ['note', 36],
      ['column_37', 37],
    ]);
    const [row] = readRawRows([header, createNumberedRow(38)], true).rows;
    expect(row!.extra.map(([name]) => name)).toEqual(header.slice(33));
    expect([...row!.problemNames]).toEqual([
      ['price', 'column_33'],
      ['sku', 'column_34'],
      ['extra', 'column_37'],
    ]);
  });

  it('are those of the fields if the columns are read by name', () => {
    const header = ['Order ID', 'Price', 'Buyer', 'Date Paid', 'Transaction ID', 'price', 'name'];
    expect([...mapColumnsByName(header)]).toEqual([
      ['receipt_id', 0],
      ['price', 1],
      ['buyer', 2],
      ['sale_date', 3],
      ['transaction_id', 4],
      ['column_5', 5],
      ['name', 6],
    ]);
  });
});

describe('without excel_format', () => {
  it('named rows and arrays may be mixed; arrays are read by position and need no header', () => {
    const { rows, problems } = readRawRows([{ receipt_id: '1' }, createNumberedRow(35), HEADER], false);
    expect(problems).toEqual([]);
    expect(rows[0]).toMatchObject({ index: 0, cells: { receipt_id: '1' }, extra: [] });
    expect(rows[1]).toMatchObject({ index: 1, cells: positions });
    expect(rows[1]!.extra).toEqual([
      ['column_33', '33'],
      ['column_34', '34'],
    ]);
    expect(rows[2]).toMatchObject({ index: 2, cells: { receipt_id: 'Order ID' } });
  });

  it('HTML entities are marked for decoding in array rows, not in named rows', () => {
    expect(readRawRows([{ receipt_id: '1' }, ['1']], false).rows.map((row) => row.hasEntities)).toEqual([
      false,
      true,
    ]);
  });

  it('unknown names are kept as extra, whatever they are called', () => {
    const row = JSON.parse(
      '{"receipt_id":"1","Sale Date":"a","__proto__":"b","constructor":"c","Receipt_ID":"d"}',
    );
    const { cells, extra } = readRawRows([row], false).rows[0]!;
    expect(cells).toEqual({ receipt_id: '1' });
    expect(extra).toEqual([
      ['Sale Date', 'a'],
      ['__proto__', 'b'],
      ['constructor', 'c'],
      ['Receipt_ID', 'd'],
    ]);
  });

  it('a row that is neither an object nor an array is a problem, named by its index', () => {
    const { rows, problems } = readRawRows([null, 'row', 7, true, { receipt_id: '1' }], false);
    expect(rows.map((row) => row.index)).toEqual([4]);
    expect(problems.map((problem) => problem.path)).toEqual(['rows.0', 'rows.1', 'rows.2', 'rows.3']);
  });

  it('a row of blanks is not skipped', () => {
    expect(readRawRows([[''], {}], false).rows).toHaveLength(2);
  });
});
