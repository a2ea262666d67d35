import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorEnvelope, ServiceError, validationError } from '../../../src/server/core/errors/errors';
import { createReason, problemAt } from '../../../src/server/core/errors/reason';
import {
  maskError as mask,
  maskMessage,
  maskPath,
  memberNames,
} from '../../../src/server/gateway/masked-error';
import { FIELD_NAMES } from '../../../src/server/orders/column-map';
import { prepareImport } from '../../../src/server/orders/import/prepare';
import { HEADER } from '../../support/fixtures';

/** The members of the import, as its schema names them, and `x`. */
const KNOWN_NAMES = memberNames([
  { properties: { account_id: {}, rows: { anyOf: [{ items: { properties: { [FIELD_NAMES[0]!]: {} } } }] } } },
  { properties: Object.fromEntries([...FIELD_NAMES, 'excel_format', 'x'].map((name) => [name, {}])) },
]);

const maskError = (envelope: Record<string, unknown>) => mask(envelope, KNOWN_NAMES);

describe('a masked message keeps its wording, but not', () => {
  it.each([
    ['the text that it quotes', 'cell "Jane Doe" is not a date', 'cell "…" is not a date'],
    ['quoted text that contains quotation marks', '"Jane "JJ" Doe" is not a date', '"…" is not a date'],
    ['quoted text without a closing mark', 'must not be "Jane Doe', 'must not be "…'],
    ['text in typographic quotation marks', 'must not be “Jane” or «Doe»', 'must not be “…” or «…»'],
    ['text in single quotation marks', "'Jane Doe' is taken", "'…' is taken"],
    ['e-mail addresses', 'The e-mail jane.doe+x@example.co.uk exists', 'The e-mail … exists'],
    ['numbers of four or more digits', 'Order 1234567 of 2026, row 123', 'Order … of …, row 123'],
    ['tracking numbers', 'Nothing is known about "LXABCN".', 'Nothing is known about "…".'],
    ['characters that cannot be stored', 'a\u0000b\ud800', 'a\uFFFDb\uFFFD'],
  ])('%s', (_, message, maskedMessage) => {
    expect(maskMessage(message)).toBe(maskedMessage);
  });

  it('more than 500 characters', () => {
    expect(maskMessage('word '.repeat(1_000)).length).toBe(500);
  });
});

it('a message without personal data is stored unchanged', () => {
  const message = "the export's row 3 is no row";
  expect(maskMessage(message)).toBe(message);
});

describe('a path', () => {
  it.each([
    ['rows.3.quantity', 'rows.3.quantity'],
    ['rows.12345.sale_date', 'rows.12345.sale_date'],
    ['', ''],
    ['rows.3.Jane Doe', 'rows.3.…'],
    ['rows.0.jane', 'rows.0.…'],
    ['jane.quantity', '…'],
    ['rows.0.extra.jane.quantity', 'rows.0.…'],
  ])('%j is stored as %j', (path, maskedPath) => {
    expect(maskPath(path, KNOWN_NAMES)).toBe(maskedPath);
  });
});

describe('a masked error', () => {
  it('keeps code, message and problems, and no other member', () => {
    const error = new ServiceError('import_failed', createReason('import.broken'), {
      message: '导入失败',
      members: { error: 'Jane' },
    });
    expect(maskError(errorEnvelope(error, 'r'))).toEqual({
      code: 'import_failed',
      message: '导入失败',
      errors: [],
    });
  });

  it('keeps the first twenty problems', () => {
    const problems = Array.from({ length: 80 }, (_, row) =>
      problemAt(`rows.${row}.x`, createReason('text.blank')),
    );
    const maskedError = maskError(errorEnvelope(validationError(problems), 'r'));
    expect(maskedError.errors).toHaveLength(20);
    expect(maskedError.message).toBe('rows.0.x: must not be blank (and 79 more)');
  });

  it('hides a name that the caller made up, even a very long one', () => {
    const error = validationError([
      problemAt(`rows.0.Jane Doe ${'x'.repeat(5_000)}`, createReason('text.blank')),
    ]);
    expect(error.message.length).toBeLessThan(300);
    expect(maskError(errorEnvelope(error, 'r'))).toEqual({
      code: 'validation_failed',
      message: 'rows.0.…: must not be blank',
      errors: [{ path: 'rows.0.…', message: 'must not be blank' }],
    });
  });

  it('has an empty message and no problems if its envelope has another shape', () => {
    expect(maskError({ errors: [null, 1, { path: 1, message: 2 }], code: 5 })).toEqual({
      code: '5',
      message: '',
      errors: [],
    });
  });
});

/** Personal data that cells may hold. Every text contains a marker that none of our own words contains. */
const personalData = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => `zqx${text}`),
  fc.string({ maxLength: 12 }).map((text) => `zqx"${text}"Qy`),
  fc.emailAddress().map((email) => `zqx${email}`),
  fc.integer({ min: 10_000, max: 2_000_000_000 }),
  fc.stringMatching(/^zqx[a-z_]{1,9}$/),
  fc.stringMatching(/^zqx[a-z]{1,4}\.[a-z]{1,4}$/),
  fc.constant('zqx'.repeat(5_000)),
);

const MARKER_PATTERN = /zqx|qy/i;

const maskProblemsOf = (members: unknown): { text: string; problemCount: number } => {
  const { problems } = prepareImport({ members }, 100);
  if (problems.length === 0) return { text: '', problemCount: 0 };
  return {
    text: JSON.stringify(maskError(errorEnvelope(validationError(problems), 'r'))),
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
