import type { z } from 'zod';
import { readProducts } from '../../src/server/catalog/product-rows';
import type { ServiceError } from '../../src/server/core/errors/errors';
import { isServiceError, validationError } from '../../src/server/core/errors/errors';
import { createReason, problemAt, type Reason } from '../../src/server/core/errors/reason';
import { reasonOf } from '../../src/server/core/errors/validation';
import { csvTextSchema } from '../../src/server/core/fields';
import { readMoney } from '../../src/server/core/money/money';
import { checkSize, type Spreadsheet } from '../../src/server/core/spreadsheet/spreadsheet';
import { storageProblem } from '../../src/server/core/text/storable-json';
import { readTable, withCsvText } from '../../src/server/core/text/table';
import { trackingNumberProblem } from '../../src/server/core/text/tracking-number';
import { createKeyInput } from '../../src/server/identity/keys/schema';
import { oauthClientSchema, redirectUriSchema } from '../../src/server/identity/oauth/schema';
import { scopeRefusal } from '../../src/server/identity/scope';
import { createTokenInput } from '../../src/server/identity/tokens/schema';
import {
  checkSheet,
  type RejectedRow,
  toHeldBackProblem,
} from '../../src/server/orders/drafts/checked-sheet';
import { createDraftSheet, fixCells } from '../../src/server/orders/drafts/draft-sheet';
import { readStoredList } from '../../src/server/orders/drafts/stored-list';
import { createLostZerosReason, findDamage } from '../../src/server/orders/import/damaged-identifier';
import { prepareImport } from '../../src/server/orders/import/prepare';
import { setTrackingInput } from '../../src/server/orders/tracking/schema';
import { EXTRA_PROBLEM } from '../../src/server/statistics/extra';
import { shopStatisticsRequest, statisticDayInput } from '../../src/server/statistics/schema';
import { parseCallback } from '../../src/server/tracking/callbacks/callback';
import { parse17TrackInfo } from '../../src/server/tracking/carriers/provider-17track';
import { loadFileReasons } from './real-file-reasons';

const listOf = (problems: readonly Reason[] | undefined) => [...(problems ?? [])];

function refusalReasonsOf(work: () => unknown): Reason[] {
  try {
    work();
  } catch (error) {
    if (isServiceError(error)) return [error.reason, ...error.problems];
    throw error;
  }
  throw new Error('was not refused');
}

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

const LONE_SURROGATE = '\uD800';
const HEADER = ['Sale Date', 'Item Name', 'Buyer'];
const SHEET: Spreadsheet = { rows: [HEADER, ['x']], lines: [1, 2], unit: 'row', encoding: null };

const reasonsOf = (result: { error?: { issues: z.core.$ZodIssue[] } | undefined }) =>
  (result.error?.issues ?? []).map(reasonOf);

/** For each subject, a function that returns the reasons that the service itself gives for invalid input. */
export const REAL_REASONS: [subject: string, loadReasons: () => Reason[] | Promise<Reason[]>][] = [
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
    'amounts outside of rows',
    () =>
      ['1.23456', '1000000000000', Number.NaN].map((cell) => {
        const amount = readMoney(cell);
        if ('problem' in amount) return amount.problem;
        throw new Error('was not refused');
      }),
  ],
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
    'a refusal with several problems',
    () =>
      refusalReasonsOf(() => {
        throw validationError([problemAt('rows.3.quantity', createReason('csv.required'))], 4);
      }),
  ],
  ['a file', () => loadFileReasons()],
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
  [
    'a CSV text',
    async () => [
      ...refusalReasonsOf(() =>
        readTable({ rows: [['a', 'b', 'a']], lines: [1] }, { known: ['a', 'c'], required: ['c'] }),
      ),
      ...refusalReasonsOf(() => [
        ...readTable({ rows: [['a'], ['1', '2']], lines: [1, 2] }, { known: ['a'], required: [] }).rows,
      ]),
      ...refusalReasonsOf(() => readTable({ rows: [['a']], lines: [1] }, { known: ['a'], required: [] })),
      ...(await withCsvText<Reason[]>('a\n"1', () => Promise.reject(new Error('was read'))).catch(
        (error: ServiceError) => [error.reason],
      )),
      ...reasonsOf(csvTextSchema.safeParse('x'.repeat(1_048_577))),
      ...reasonsOf(csvTextSchema.safeParse('')),
    ],
  ],
  [
    'a day of statistics',
    () => [
      ...reasonsOf(
        shopStatisticsRequest.safeParse({ shop_id: '', date: 'today', ad_clicks: -1, ad_click_rate: 101 }),
      ),
      ...reasonsOf(
        shopStatisticsRequest.safeParse({
          shop_id: `a${LONE_SURROGATE}`,
          date: '2026-01-01',
          ad_clicks: 'x',
        }),
      ),
      EXTRA_PROBLEM,
    ],
  ],
  [
    'unknown members',
    () => {
      let nestedValue: unknown = 1;
      for (let depth = 0; depth < 40; depth++) nestedValue = [nestedValue];
      return listOf([storageProblem(nestedValue)!, storageProblem({ [`a${LONE_SURROGATE}`]: 1 })!]);
    },
  ],
  [
    'products',
    async () => {
      const categories = new Set(['head', 'body']);
      const rows = [
        ['category', 'code', 'name'],
        ['arm', 'A', LONE_SURROGATE],
        ['head', 'A', 'x'.repeat(501)],
        ['body', '', ''],
      ];
      return await readProducts({ rows, lines: [1, 2, 3, 4] }, categories).then(
        () => [],
        (error: ServiceError) => listOf(error.problems),
      );
    },
  ],
  [
    'tracking numbers that a user sets',
    () => [
      ...reasonsOf(setTrackingInput.safeParse({ shop_id: 1, rows: [] })),
      ...reasonsOf(
        setTrackingInput.safeParse({ shop_id: 1, rows: [{ receipt_id: '', tracking_number: '' }] }),
      ),
      ...reasonsOf(
        setTrackingInput.safeParse({
          shop_id: 1,
          rows: Array(5_001).fill({ receipt_id: '1', tracking_number: '1' }),
        }),
      ),
    ],
  ],
  [
    'callbacks',
    () => {
      const incompleteEntries = [{ status: 'delivered' }, { tracking_number: 'A1' }];
      const entriesWithBadTimes = ['soon', '2026-02-30', '1970-01-01'].map((time) => ({
        tracking_number: 'A1',
        status: 'delivered',
        time,
      }));
      const data = [
        ...incompleteEntries,
        ...entriesWithBadTimes,
        { tracking_number: 'A1', status: 'Teleported' },
      ];
      const callback = parseCallback({ data }, 0, '');
      const { skipped } = parse17TrackInfo('A1', { tracking: { providers: [{ events: [null] }] } }, 0);
      return [
        ...[...callback.skipped.parts, ...skipped.parts].map(({ reason }) => reason),
        callback.reason!,
        parseCallback({ data: data.slice(-1) }, 0, '').reason!,
        parseCallback({ data: { number: 'A1' } }, 0, '').reason!,
        parseCallback({ data: { number: 2 ** 53 } }, 0, '').reason!,
        parseCallback({ data: Array(5_001).fill(data.at(-1)) }, 0, '').reason!,
        parseCallback({}, 0, '').reason!,
      ];
    },
  ],
  [
    'texts that are not tracking numbers',
    () => [trackingNumberProblem('n/a')!, trackingNumberProblem('LX1,LX2')!],
  ],
  [
    'a key that may not call what is not an operation',
    () => [scopeRefusal({ scopes: ['get_api_user'], addressRanges: [] }, undefined)!.reason],
  ],
  [
    'fields of forms',
    () => [
      ...reasonsOf(createTokenInput.safeParse({ name: 'a', expires_in_days: 0 })),
      ...reasonsOf(createTokenInput.safeParse({ name: '', expires_in_days: 367 })),
      ...reasonsOf(
        createKeyInput.safeParse({ name: 'x'.repeat(201), address_ranges: ['home'], scopes: ['A B'] }),
      ),
      ...reasonsOf(oauthClientSchema.safeParse({ name: 'a', redirect_uris: ['com.example.app:/a'] })),
      ...reasonsOf(oauthClientSchema.safeParse({ name: 'a', redirect_uris: [] })),
      ...[
        'nowhere',
        'https://a.example/#b',
        'https://*.example/',
        'https://a:b@c.example/',
        'https://localhost/',
        'http://a.example/',
        'app:/a',
      ].flatMap((uri) => reasonsOf(redirectUriSchema.safeParse(uri))),
    ],
  ],
];
