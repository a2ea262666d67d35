import { readProducts } from '../../../src/server/catalog/product-rows';
import type { ServiceError } from '../../../src/server/core/errors/errors';
import { validationError } from '../../../src/server/core/errors/errors';
import { createReason, problemAt, type Reason } from '../../../src/server/core/errors/reason';
import { csvTextSchema } from '../../../src/server/core/fields';
import { readMoney } from '../../../src/server/core/money/money';
import { storageProblem } from '../../../src/server/core/text/storable-json';
import { readTable, withCsvText } from '../../../src/server/core/text/table';
import { trackingNumberProblem } from '../../../src/server/core/text/tracking-number';
import { createKeyInput } from '../../../src/server/identity/keys/schema';
import { oauthClientSchema, redirectUriSchema } from '../../../src/server/identity/oauth/schema';
import { scopeRefusal } from '../../../src/server/identity/scope';
import { createTokenInput } from '../../../src/server/identity/tokens/schema';
import { setTrackingInput } from '../../../src/server/orders/tracking/schema';
import { EXTRA_PROBLEM } from '../../../src/server/statistics/extra';
import { shopStatisticsRequest } from '../../../src/server/statistics/schema';
import { parseCallback } from '../../../src/server/tracking/callbacks/callback';
import { parse17TrackInfo } from '../../../src/server/tracking/carriers/provider-17track';
import { LONE_SURROGATE, listOf, type ReasonCase, reasonsOf, refusalReasonsOf } from './collect-reasons';
import { loadFileReasons } from './real-file-reasons';
import { REAL_IMPORT_REASONS } from './real-import-reasons';

/** For each subject, a function that returns the reasons that the service itself gives for invalid input. */
export const REAL_REASONS: ReasonCase[] = [
  ...REAL_IMPORT_REASONS,
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
    'a refusal with several problems',
    () =>
      refusalReasonsOf(() => {
        throw validationError([problemAt('rows.3.quantity', createReason('csv.required'))], 4);
      }),
  ],
  ['a file', () => loadFileReasons()],
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
