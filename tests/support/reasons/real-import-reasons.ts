import { checkSize, type Spreadsheet } from '../../../src/server/core/spreadsheet/spreadsheet';
import { trackingNumberProblem } from '../../../src/server/core/text/tracking-number';
import {
  checkSheet,
  type RejectedRow,
  toHeldBackProblem,
} from '../../../src/server/orders/drafts/checked-sheet';
import { createDraftSheet, fixCells } from '../../../src/server/orders/drafts/draft-sheet';
import { readStoredList } from '../../../src/server/orders/drafts/stored-list';
import { createLostZerosReason, findDamage } from '../../../src/server/orders/import/damaged-identifier';
import { prepareImport } from '../../../src/server/orders/import/prepare';
import { statisticDayInput } from '../../../src/server/statistics/schema';
import { LONE_SURROGATE, listOf, type ReasonCase, reasonsOf, refusalReasonsOf } from './collect-reasons';

const importReasonsOf = (members: unknown, maxRows = 5) => {
  const { problems, warnings } = prepareImport({ members }, maxRows);
  return listOf([...problems, ...warnings]);
};
const rowReasonsOf = (cells: Record<string, unknown>) =>
  importReasonsOf({ account_id: 1, rows: [{ receipt_id: '1', ...cells }] });
const bodyReasonsOf = (text: string | Uint8Array) =>
  listOf(
    prepareImport({ body: typeof text === 'string' ? new TextEncoder().encode(text) : text }, 5).problems,
  );

const HEADER = ['Sale Date', 'Item Name', 'Buyer'];
const SHEET: Spreadsheet = { rows: [HEADER, ['x']], lines: [1, 2], unit: 'row', encoding: null };

/** The cases about imports of orders: their rows, their layout, their bodies and the files from which they are prepared. */
export const REAL_IMPORT_REASONS: ReasonCase[] = [
  ['a cell of an unsupported type', () => rowReasonsOf({ title: [] })],
  [
    'an id',
    () => [
      ...rowReasonsOf({ listing_id: 1.5 }),
      ...rowReasonsOf({ listing_id: 2 ** 53 }),
      ...rowReasonsOf({ listing_id: '1.9E+18' }),
    ],
  ],
  ['an id with decimals', () => rowReasonsOf({ transaction_id: '9.0' })],
  [
    'an order number in two spellings',
    () => importReasonsOf({ account_id: 1, rows: [{ receipt_id: '1' }, { receipt_id: '#1' }] }),
  ],
  [
    'currencies',
    () => [
      ...rowReasonsOf({ currency: '$' }),
      ...importReasonsOf({
        account_id: 1,
        rows: ['USD', 'EUR'].map((currency) => ({ receipt_id: '1', currency })),
      }),
    ],
  ],
  [
    'tracking numbers',
    () => [
      ...rowReasonsOf({ tracking_number: 'n/a' }),
      ...rowReasonsOf({ tracking_number: 'LX1,LX2' }),
      ...['-', 'LX1,LX2'].map((text) => trackingNumberProblem(text)!),
    ],
  ],
  ['a quantity', () => rowReasonsOf({ quantity: 'many' })],
  [
    'dates',
    () => [
      ...rowReasonsOf({ sale_date: '22.8.2026' }),
      ...rowReasonsOf({ sold_on: 'soon' }),
      ...reasonsOf(statisticDayInput.safeParse('0004-12-31')),
    ],
  ],
  ['an amount', () => [...rowReasonsOf({ price: true }), ...rowReasonsOf({ price: 'free' })]],
  [
    'a text',
    () => [
      ...rowReasonsOf({ title: 'x'.repeat(2_001) }),
      ...rowReasonsOf({ title: '\0' }),
      ...rowReasonsOf({ title: LONE_SURROGATE }),
    ],
  ],
  [
    'an unknown column',
    () => [...rowReasonsOf({ ['n'.repeat(201)]: 'x' }), ...rowReasonsOf({ further: 'x'.repeat(10_001) })],
  ],
  [
    'too many unknown columns',
    () => {
      const makeRow = (name: string, count: number) => ({
        receipt_id: '1',
        transaction_id: '1',
        ...Object.fromEntries(Array.from({ length: count }, (_, n) => [name + n, 'x'.repeat(10_000)])),
      });
      return [makeRow('a', 7), [makeRow('a', 4), makeRow('b', 4)]].flatMap((rows) =>
        importReasonsOf({ account_id: 1, rows: [rows].flat() }),
      );
    },
  ],
  ['a missing order number', () => importReasonsOf({ account_id: 1, rows: [{ title: 'x' }] })],
  [
    'damaged identifiers',
    () => [
      findDamage('sku', '2026-01-02', undefined)!,
      findDamage('receipt_id', '1234567890123000', undefined)!,
      findDamage('zip', '1401', 'United States')!,
      createLostZerosReason('12', '0012'),
    ],
  ],
  [
    'the layout',
    () => [
      ...importReasonsOf({ account_id: 1, rows: [{}], excel_format: true }),
      ...importReasonsOf({ account_id: 1, rows: [['a', 'b', 'c']], excel_format: true }),
      ...importReasonsOf({ account_id: 1, rows: [['Order ID', 'Buyer']], excel_format: true }),
      ...importReasonsOf({ account_id: 1, rows: [HEADER, {}], excel_format: true }),
      ...importReasonsOf({ account_id: 1, rows: [7] }),
      ...importReasonsOf({ account_id: 1, rows: [{}, {}, {}, {}, {}, {}] }),
    ],
  ],
  [
    'a body',
    () => [
      ...bodyReasonsOf('{'),
      ...bodyReasonsOf('[]'),
      ...bodyReasonsOf(new Uint8Array([0xff])),
      ...importReasonsOf({ account_id: 'a', rows: [], more: 1 }),
    ],
  ],
  [
    'the rejected rows of a sheet, which are held back',
    () => {
      const rows = [
        ['Order ID', 'Buyer', 'Buyer', 'Transaction ID', 'Date Paid', 'Quantity'],
        ['1', '', '', '2', 'x', '-'],
      ];
      const { rejectedRows } = checkSheet(
        { rows, lines: [1, 2], unit: 'row', encoding: null, fixed: [] },
        { shopId: 1, contentHash: '', maxRows: 5 },
      );
      return readStoredList<RejectedRow>(rejectedRows)[0]!.problems.map(toHeldBackProblem);
    },
  ],
  [
    'a file as a draft',
    () => [
      ...refusalReasonsOf(() => checkSize('my file is 3 rows.csv', 70_000_000, 1_000)),
      ...refusalReasonsOf(() => createDraftSheet('a.csv', SHEET, 0)),
      ...refusalReasonsOf(() => createDraftSheet('a.csv', { ...SHEET, rows: [HEADER] }, 5)),
      ...refusalReasonsOf(() =>
        createDraftSheet('a: b.csv', { ...SHEET, rows: [['a', 'b', 'c'], ['x']] }, 5),
      ),
      ...refusalReasonsOf(() => createDraftSheet('a.csv', { ...SHEET, rows: [['a']], unit: 'line' }, 5)),
      ...refusalReasonsOf(() =>
        createDraftSheet('a.csv', { ...SHEET, rows: [['Order ID', 'Buyer'], ['x']] }, 5),
      ),
      ...refusalReasonsOf(() => fixCells({ ...SHEET, fixed: [] }, [{ row: 9, column: 1, value: '' }])),
    ],
  ],
];
