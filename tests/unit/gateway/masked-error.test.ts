import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError, validationError } from '../../../src/server/core/errors/errors';
import { createReason, problemAt, type Reason } from '../../../src/server/core/errors/reason';
import { sentenceOf } from '../../../src/server/core/errors/sentence';
import {
  type LoggedError,
  maskError as mask,
  maskPath,
  maskReason,
  memberNames,
} from '../../../src/server/gateway/masked-error';
import { FIELD_NAMES } from '../../../src/server/orders/column-map';
import { prepareImport } from '../../../src/server/orders/import/prepare';
import { publicError } from '../../../src/server/trpc/public-error';
import { HEADER } from '../../support/fixtures';

/** The members of the import, as its schema names them, and `x`. */
const KNOWN_NAMES = memberNames([
  { properties: { account_id: {}, rows: { anyOf: [{ items: { properties: { [FIELD_NAMES[0]!]: {} } } }] } } },
  { properties: Object.fromEntries([...FIELD_NAMES, 'excel_format', 'x'].map((name) => [name, {}])) },
]);

const maskError = (error: LoggedError) => mask(error, KNOWN_NAMES);
const maskedSentenceOf = (reason: Reason) => sentenceOf(maskReason(reason, KNOWN_NAMES));

describe('a masked reason keeps its wording, but not', () => {
  it.each([
    ['the text that it quotes', 'Jane Doe'],
    ['quoted text that contains quotation marks', 'Jane "JJ" Doe'],
    ['quoted text without a closing mark', 'Jane "Doe'],
    ['text in typographic quotation marks', '“Jane” or «Doe»'],
    ['text in single quotation marks', "'Jane Doe'"],
    ['e-mail addresses', 'jane.doe+x@example.co.uk'],
    ['tracking numbers', 'LXABCN'],
    ['short numbers that were sent as text', '12'],
    ['an empty text', ''],
    ['characters that cannot be stored', 'a\u0000b\ud800'],
    ['a very long text', 'word '.repeat(1_000)],
  ])('%s', (_, text) => {
    const reason = createReason('cell.noDate', { value: text });
    expect(maskedSentenceOf(reason)).toBe('"…" is not a date; it is kept as text');
    const nestedReason = createReason('cell.noShipment', { value: text, reason });
    expect(maskedSentenceOf(nestedReason)).toBe(
      '"…" creates no shipment: "…" is not a date; it is kept as text',
    );
    const alternatives = createReason('order.unknown', { receipt: [text, reason] });
    expect(maskedSentenceOf(alternatives)).toBe(
      'the shop has no order "… or "…" is not a date; it is kept as text"',
    );
  });

  it.each([1_234_567, 2_026, -1_000, 12.345, 1e21, 1e-300, Number.NaN, Number.POSITIVE_INFINITY])(
    'the number %d',
    (id) => {
      expect(maskReason(createReason('answer.noOrder', { id }), KNOWN_NAMES).values).toEqual({ id: '…' });
    },
  );

  it('an unknown name in a path', () => {
    const reason = createReason('join.at', { path: 'rows.0.Jane Doe', reason: createReason('text.blank') });
    expect(maskedSentenceOf(reason)).toBe('rows.0.…: must not be blank');
    expect(maskedSentenceOf(createReason('catalog.listed', { path: 'rows.0.x' }))).not.toContain('rows');
  });

  it('credentials and e-mail addresses, even where our own words are expected', () => {
    const names = `jane@example.com, bdk_${'a'.repeat(40)}`;
    expect(maskedSentenceOf(createReason('type.oneOf', { names }))).toBe('must be one of …, [masked]');
  });

  it('more than 500 characters of our own words', () => {
    const { values } = maskReason(createReason('type.oneOf', { names: 'x, '.repeat(1_000) }), KNOWN_NAMES);
    expect(String(values.names).length).toBe(500);
  });
});

describe('a masked reason keeps', () => {
  it.each([
    ['limits', createReason('text.long', { count: 10_000 })],
    ['sizes', createReason('cell.extraSize', { count: 65_536 })],
    ['bounds', createReason('cell.wholeRange', { minimum: 0, maximum: 2_147_483_647 })],
    [
      'the number of further problems',
      createReason('join.more', { reason: createReason('text.blank'), count: 4_999 }),
    ],
    ['budgets', createReason('request.keyTokensUsed', { budget: 500_000, seconds: 86_399 })],
    ['allowed values', createReason('type.oneOf', { names: 'delivered, in_transit' })],
    [
      'kinds of values',
      createReason('type.kinds', {
        kinds: ['true', createReason('kind.text'), createReason('kind.oneOf', { names: 'a, b' })],
      }),
    ],
    ['names of our fields', createReason('body.unknownFieldKnown', { names: 'receipt_id, title' })],
    ['operations', createReason('request.scope', { operation: 'post_api_orders_import' })],
    ['methods', createReason('request.method', { methods: 'GET, HEAD' })],
    ['known paths', createReason('join.at', { path: 'rows.12345.x', reason: createReason('text.blank') })],
    ['short numbers', createReason('body.account', { id: 123 })],
    ['values that are reasons', createReason('request.noAddress')],
  ])('%s', (_, reason) => {
    expect(maskReason(reason, KNOWN_NAMES)).toEqual(reason);
  });
});

describe('a path', () => {
  it.each([
    ['rows.3.quantity', 'rows.3.quantity'],
    ['rows.12345.sale_date', 'rows.12345.sale_date'],
    ['rows.12345.17', 'rows.12345.17'],
    ['', ''],
    ['rows.3.Jane Doe', 'rows.3.…'],
    ['rows.0.jane', 'rows.0.…'],
    ['jane.quantity', '…'],
    ['rows.0.extra.jane.quantity', 'rows.0.…'],
    ['5550199', '…'],
    ['rows.0.5550199', 'rows.0.…'],
    ['rows.2125550199', 'rows.…'],
  ])('%j is stored as %j', (path, maskedPath) => {
    expect(maskPath(path, KNOWN_NAMES)).toBe(maskedPath);
  });
});

describe('a masked error', () => {
  it('keeps code, reason and problems, and no other member', () => {
    const error = new ServiceError('import_failed', createReason('import.broken'), {
      message: '导入失败',
      members: { error: 'Jane' },
    });
    expect(maskError(error)).toEqual({
      code: 'import_failed',
      reason: 'import.broken',
      values: {},
      problems: [],
    });
  });

  it('keeps the first twenty problems', () => {
    const problems = Array.from({ length: 80 }, (_, row) =>
      problemAt(`rows.${row}.x`, createReason('text.blank')),
    );
    const maskedError = maskError(validationError(problems));
    expect(maskedError.problems).toEqual(problems.slice(0, 20));
    expect(sentenceOf(maskedError)).toBe('rows.0.x: must not be blank (and 79 more)');
  });

  it('hides the values of its problems, and of its reason, which is made of the first', () => {
    const reason = createReason('cell.noDate', { value: 'Jane Doe' });
    const maskedReason = createReason('cell.noDate', { value: '…' });
    expect(maskError(validationError([problemAt('rows.0.x', reason)]))).toEqual({
      code: 'validation_failed',
      ...createReason('join.at', { path: 'rows.0.x', reason: maskedReason }),
      problems: [problemAt('rows.0.x', maskedReason)],
    });
  });

  it('hides a name that the caller made up, even a very long one', () => {
    const error = validationError([
      problemAt(`rows.0.Jane Doe ${'x'.repeat(5_000)}`, createReason('text.blank')),
    ]);
    expect(error.message.length).toBeLessThan(300);
    expect(maskError(error)).toEqual({
      code: 'validation_failed',
      ...createReason('join.at', { path: 'rows.0.…', reason: createReason('text.blank') }),
      problems: [problemAt('rows.0.…', createReason('text.blank'))],
    });
  });

  it.each([
    [
      'an unavailable database',
      Object.assign(new Error('Jane'), { code: 'ECONNREFUSED' }),
      'service_unavailable',
      'service.noDatabase',
    ],
    ['an internal error', new Error('Jane'), 'internal_error', 'service.broken'],
    ['what is no error', 'Jane', 'internal_error', 'service.broken'],
  ])('keeps code and reason of %s', (_, thrown, code, reason) => {
    expect(maskError(publicError(thrown))).toEqual({ code, reason, values: {}, problems: [] });
  });

  it('has the masked path of its first problem in its reason, even if the path ends in a colon', () => {
    const error = validationError([problemAt('rows.0.x: Jane', createReason('text.blank'))]);
    expect(sentenceOf(maskError(error))).toBe('rows.0.…: must not be blank');
  });
});

/** The limits that the import's sentences name. */
const OWN_LIMITS = ['10000', '65536', '2147483647'];

/** Personal data that cells may hold. Every text contains a marker that none of our own words contains. */
const personalData = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => `zqx${text}`),
  fc.string({ maxLength: 12 }).map((text) => `zqx"${text}"Qy`),
  fc.emailAddress().map((email) => `zqx${email}`),
  fc
    .integer({ min: 10_000, max: 2_000_000_000 })
    .filter((number) => !OWN_LIMITS.some((limit) => limit.includes(String(number)))),
  fc.stringMatching(/^zqx[a-z_]{1,9}$/),
  fc.stringMatching(/^zqx[a-z]{1,4}\.[a-z]{1,4}$/),
  fc.constant('zqx'.repeat(5_000)),
);

const MARKER_PATTERN = /zqx|qy/i;

const maskProblemsOf = (members: unknown): { text: string; problemCount: number } => {
  const { problems } = prepareImport({ members }, 100);
  if (problems.length === 0) return { text: '', problemCount: 0 };
  return {
    text: JSON.stringify(maskError(validationError(problems))),
    problemCount: problems.length,
  };
};

describe('the masked error of a rejected import', () => {
  const expectNoCell = (members: unknown, cells: readonly (string | number)[]) => {
    const { text } = maskProblemsOf(members);
    expect(text).not.toMatch(MARKER_PATTERN);
    for (const cell of cells) if (typeof cell === 'number') expect(text).not.toContain(String(cell));
  };

  it('contains no cell of rows sent as objects, whether the member names are ours or the caller’s', () => {
    const row = fc.dictionary(
      fc.oneof(fc.constantFrom(...FIELD_NAMES), personalData.map(String)),
      personalData,
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        expectNoCell(
          { account_id: 1, rows },
          rows.flatMap((cells) => Object.values(cells)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('contains no cell of an export, whether its header is known or not', () => {
    const row = fc.array(personalData, { minLength: 1, maxLength: 40 });
    const header = fc.oneof(
      fc.constant<unknown[]>(HEADER),
      row.map((cells) => [...HEADER, ...cells]),
      row,
    );
    fc.assert(
      fc.property(header, fc.array(row, { maxLength: 3 }), (headerRow, rows) => {
        expectNoCell({ account_id: 1, excel_format: true, rows: [headerRow, ...rows] }, rows.flat());
      }),
      { numRuns: 300 },
    );
  });

  it('contains the paths of problems whose field names are known', () => {
    const row = { receipt_id: '1', sale_date: 'Zqx', quantity: 'Zqx', 'Zqx name': 'Zqx'.repeat(99_999) };
    const { text, problemCount } = maskProblemsOf({ account_id: 1, rows: [row] });
    expect(problemCount).toBeGreaterThanOrEqual(3);
    expect(text).toContain('rows.0.sale_date');
    expect(text).not.toMatch(MARKER_PATTERN);
  });
});
