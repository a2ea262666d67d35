import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { FIELD_NAMES } from '../../../../src/server/orders/column-map';
import { importedContents, refusedPaths } from '../../../support/prepared-imports';

type Row = Record<string, unknown>;

const warningsOf = (...rows: Row[]) =>
  importedContents(rows).warnings.map((warning) => [warning.path, sentenceOf(warning)] as const);

describe('order numbers that differ only in #, spaces or a trailing .0', () => {
  const spellings = [
    '4165098857',
    '#4165098857',
    ' 4165098857 ',
    '41650 98857',
    '4165098857.0',
    '# 4165098857.00',
  ];
  const rows = spellings.map((receipt_id) => ({ receipt_id }));

  it('are one order, whichever row comes first', () => {
    for (const orderedRows of [rows, rows.toReversed()]) {
      const { orders, items } = importedContents(orderedRows);
      expect(orders.map(({ receipt_id }) => receipt_id)).toEqual(['4165098857']);
      expect(new Set(items.map(({ receipt_id }) => receipt_id))).toEqual(new Set(['4165098857']));
    }
    const importWithSpaces = importedContents([
      { receipt_id: 'A 1' },
      { receipt_id: 'A1', tracking_number: 'LX1' },
    ]);
    expect(importWithSpaces.orders.map(({ receipt_id }) => receipt_id)).toEqual(['A1']);
    expect(importWithSpaces.items.map(({ receipt_id }) => receipt_id)).toEqual(['A1', 'A1']);
    expect(importWithSpaces.shipments.map(({ receipt_id }) => receipt_id)).toEqual(['A1']);
  });

  it('cause a warning for each row that differs from the stored number', () => {
    const paths = warningsOf(...rows).map(([path]) => path);
    expect(paths.toSorted()).toEqual([1, 2, 3, 4, 5].map((row) => `rows.${row}.receipt_id`));
    expect(warningsOf({ receipt_id: '#3001' }, { receipt_id: '#3001' })).toEqual([]);
    expect(warningsOf({ receipt_id: '3001' }, { receipt_id: 3001 })).toEqual([]);
  });

  it('are not merged with numbers that differ in anything else', () => {
    const ids = ['1', '01', '1.5', '10', '1-0'];
    expect(importedContents(ids.map((receipt_id) => ({ receipt_id }))).orders).toHaveLength(ids.length);
  });
});

it('transaction and listing ids lose a trailing .0 or .00, with a warning', () => {
  const { items, warnings } = importedContents([
    { receipt_id: '1', transaction_id: '9.0', listing_id: '8.00' },
  ]);
  expect(items[0]).toMatchObject({ transaction_id: '9', listing_id: '8' });
  expect(warnings.map(({ path }) => path)).toEqual(['rows.0.transaction_id', 'rows.0.listing_id']);
});

describe('a currency', () => {
  const readCurrency = (...cells: unknown[]) =>
    importedContents(cells.map((cell) => ({ receipt_id: '1', currency: cell }))).orders[0]!.currency;

  it.each([
    ['usd', 'USD'],
    ['EUR', 'EUR'],
    ['£', 'GBP'],
    ['€', 'EUR'],
    ['US$', 'USD'],
    ['us dollar', 'USD'],
    ['Euro', 'EUR'],
    ['人民币', 'CNY'],
  ])('written %s is stored as %s, without a warning', (cell, code) => {
    expect(readCurrency(cell)).toBe(code);
    expect(warningsOf({ receipt_id: '1', currency: cell })).toEqual([]);
  });

  it.each(['$', '¥', 'kr', 'dollars', 'ABC', 'XXX', '5'])(
    'written %s is kept as text, with a warning',
    (cell) => {
      expect(readCurrency(cell)).toBe(cell);
      expect(warningsOf({ receipt_id: '1', currency: cell }).map(([path]) => path)).toEqual([
        'rows.0.currency',
      ]);
    },
  );

  it('that differs between the rows of an order is kept as text, with up to five values and a warning', () => {
    expect(readCurrency('USD', null, 'EUR', 'usd')).toBe('USD / EUR');
    expect(warningsOf({ receipt_id: '1', currency: 'USD' }, { receipt_id: '1', currency: '€' })).toEqual([
      ['rows.1.currency', expect.stringContaining('"EUR" differs from "USD"')],
    ]);
    expect(readCurrency('USD', 'US$', 'usd')).toBe('USD');
    expect(readCurrency(...'ABCDEFGHIJ')).toBe('A / B / C / D / E');
  });
});

describe('a cell that is not one tracking number', () => {
  it.each(['n/a', '-', 'none', '0', 'LX1,LX2', 'LX1\nLX2', 'LX123456789CN LX987654321CN', '1.9E+18'])(
    'adds no shipment, leaves the order unshipped and causes a warning: %j',
    (cell) => {
      const { orders, shipments, warnings } = importedContents([{ receipt_id: '1', tracking_number: cell }]);
      expect([orders[0]!.status, shipments]).toEqual(['pending', []]);
      expect(warnings.map(({ path }) => path)).toEqual(['rows.0.tracking_number']);
    },
  );
});

it('a shipped indicator that is not a date is kept, with a warning', () => {
  for (const cell of ['yes', 'n/a', true]) {
    const { orders, warnings } = importedContents([{ receipt_id: '1', shipped_indicator: cell }]);
    expect(orders[0]).toMatchObject({ status: 'shipped', shipped_indicator: String(cell) });
    expect(warnings.map(({ path }) => path)).toEqual(['rows.0.shipped_indicator']);
  }
});

describe('a whole number beyond 2^53-1', () => {
  const ROUNDED_NUMBER = Number('12345678901234567890');

  it('is refused in every field and in unknown members, with the path of each', () => {
    const names = [...FIELD_NAMES, 'additional'];
    expect(names).toEqual(expect.arrayContaining(['tracking_number', 'carrier_code', 'note']));
    const cells = Object.fromEntries(names.map((name) => [name, ROUNDED_NUMBER]));
    expect(refusedPaths([cells]).sort()).toEqual(names.map((name) => `rows.0.${name}`).sort());
    expect(refusedPaths([{ receipt_id: '1', additional: -ROUNDED_NUMBER }])).toEqual(['rows.0.additional']);
    const arrayRow = [
      ...Array.from({ length: 24 }, () => null),
      '1',
      ...Array.from({ length: 8 }, () => null),
      ROUNDED_NUMBER,
    ];
    expect(refusedPaths([arrayRow])).toEqual(['rows.0.column_33']);
  });

  it('is kept if it is sent as text', () => {
    const extra = {
      text: '12345678901234567890',
      most: 9007199254740991,
      least: -9007199254740991,
      part: 0.5,
    };
    expect(importedContents([{ receipt_id: '1', ...extra }]).items[0]!.extra).toEqual(extra);
  });
});
