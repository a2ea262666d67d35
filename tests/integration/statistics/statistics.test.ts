import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTING_FIELDS, SHOP_FIELDS } from '../../../src/server/statistics/fields';
import { countWaitingStatements } from '../../support/database/test-database';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const KINDS = [
  {
    kind: 'shop',
    path: '/api/shop-statistics',
    table: 'shop_daily_statistics',
    fields: SHOP_FIELDS,
    key: {},
  },
  {
    kind: 'product',
    path: '/api/product-statistics',
    table: 'product_daily_statistics',
    fields: LISTING_FIELDS,
    key: { listing_id: 7 },
  },
] as const;

describe.each(KINDS)('$kind statistics', ({ kind, path, table, fields, key }) => {
  const sendDay = (shopId: string, members: Record<string, unknown> = {}) =>
    service.send(path, { body: { ...key, shop_id: shopId, date: '2026-08-22', ...members } });
  const fieldNames = Object.keys(fields);
  const kindOf = (name: string) => (fields as Record<string, readonly [string, string]>)[name]![0];
  const countFields = fieldNames.filter((name) => kindOf(name) === 'count');
  const rateFields = fieldNames.filter((name) => kindOf(name) === 'rate');

  describe('200', () => {
    it('creates a row and returns all fields, with null for those never sent', async () => {
      const { status, json } = await sendDay('made', { [countFields[0]!]: 5, mood: 'good' });
      expect(status).toBe(200);
      expect(json.success).toBe(true);
      expect(json.data).toEqual({
        ...key,
        shop_id: 'made',
        date: '2026-08-22',
        ...Object.fromEntries(fieldNames.map((name) => [name, null])),
        [countFields[0]!]: 5,
        extra: { mood: 'good' },
        created: true,
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    });

    it('updates the row with the same key, keeps fields that are left out, and merges additional members', async () => {
      await sendDay('partial', { [countFields[0]!]: 5, [countFields[1]!]: 6, a: 1, b: { deep: [1, null] } });
      const { json } = await sendDay('partial', { [countFields[1]!]: 0, b: 'new', c: null });
      expect(json.data).toMatchObject({ [countFields[0]!]: 5, [countFields[1]!]: 0, created: false });
      expect(json.data.extra).toEqual({ a: 1, b: 'new', c: null });
      const rows = await service.database.query(`SELECT 1 FROM ${table} WHERE shop_id = 'partial'`);
      expect(rows).toHaveLength(1);
    });

    it('distinguishes rows by every part of the key', async () => {
      await sendDay('key-1');
      expect((await sendDay('key-2')).json.data.created).toBe(true);
      expect((await sendDay('key-1', { date: '2026-08-23' })).json.data.created).toBe(true);
      if (kind === 'product')
        expect((await sendDay('key-1', { listing_id: 8 })).json.data.created).toBe(true);
    });

    it('accepts values equal to the bounds', async () => {
      const largestValues = Object.fromEntries(
        fieldNames.map((name) => [
          name,
          { count: 2 ** 53 - 1, amount: 1e12, rate: 100, ratio: 1e12 }[kindOf(name)],
        ]),
      );
      expect((await sendDay('x'.repeat(50), largestValues)).json.data).toMatchObject(largestValues);
      const zeros = Object.fromEntries(fieldNames.map((name) => [name, 0]));
      expect((await sendDay('zeros', zeros)).json.data).toMatchObject(zeros);
    });

    it('rounds a fifth decimal of a rate', async () => {
      const { json } = await sendDay('rates', { [rateFields[0]!]: 12.34565 });
      expect(json.data[rateFields[0]!]).toBe(12.3457);
    });

    it('stores hostile names and strings unchanged', async () => {
      const body = `{${Object.entries(key)
        .map(([name, value]) => `"${name}":${value},`)
        .join('')}"shop_id":"h\\"; --","date":"2026-08-22","constructor":"c","toString":{"__proto__":1}}`;
      const { status, text } = await service.send(path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(status).toBe(200);
      expect(text).toContain('{"__proto__":1}');
      expect(text).toContain('"constructor":"c"');
    });

    it('creates only one row for many concurrent calls, and loses none of their members', async () => {
      const responses = await Promise.all(
        countFields.map((name, n) => sendDay('race', { [name]: n + 1, [`extra${n}`]: n })),
      );
      expect(responses.filter(({ json }) => json.data.created)).toHaveLength(1);
      const { json } = await sendDay('race');
      for (const [n, name] of countFields.entries()) {
        expect(json.data[name]).toBe(n + 1);
        expect(json.data.extra[`extra${n}`]).toBe(n);
      }
    });

    it('keeps an unbroken history of concurrent calls: each replaced what the previous one had stored', async () => {
      await sendDay('chain', { [countFields[0]!]: 0 });
      const values = Array.from({ length: 20 }, (_, n) => n + 1);
      const responses = await Promise.all(
        values.map((value) => sendDay('chain', { [countFields[0]!]: value })),
      );
      expect(responses.map(({ status }) => status)).toEqual(values.map(() => 200));
      const lastValue = (await sendDay('chain')).json.data[countFields[0]!];
      const restatements = await service.database.query<{ before: number; after: number }>(
        `SELECT (before ->> $1)::int AS before, (after ->> $1)::int AS after FROM statistic_restatements
          WHERE shop_id = 'chain' AND kind = $2`,
        [countFields[0], kind],
      );
      const nextValueByValue = new Map(restatements.map(({ before, after }) => [before, after]));
      const chain = [0];
      while (nextValueByValue.has(chain.at(-1)!)) chain.push(nextValueByValue.get(chain.at(-1)!)!);
      expect(restatements).toHaveLength(20);
      expect(chain).toHaveLength(21);
      expect(chain.at(-1)).toBe(lastValue);
    });

    it('records the value that another process stored in the meantime as the value before', async () => {
      await sendDay('shared', { [countFields[0]!]: 1, [countFields[1]!]: 1 });
      const otherClient = new pg.Client({ connectionString: service.database.url });
      await otherClient.connect();
      await otherClient.query('BEGIN');
      // Stores a day as another process would.
      await otherClient.query(
        `UPDATE ${table} SET ${countFields[0]} = 2, ${countFields[1]} = 2, revision = revision + 1 WHERE shop_id = 'shared'`,
      );
      const responsePromise = sendDay('shared', { [countFields[0]!]: 3 });
      await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
      await otherClient.query('COMMIT');
      await otherClient.end();
      expect((await responsePromise).json.data).toMatchObject({
        [countFields[0]!]: 3,
        [countFields[1]!]: 2,
        created: false,
      });
      const restatements = await service.database.query(
        `SELECT before ->> $1 AS before, after ->> $1 AS after FROM statistic_restatements
          WHERE shop_id = 'shared' AND kind = $2`,
        [countFields[0], kind],
      );
      expect(restatements).toEqual([{ before: '2', after: '3' }]);
    });

    it('records what an upsert replaced, with what, when, and by which key', async () => {
      await sendDay('history', { [countFields[0]!]: 1 });
      await sendDay('history', { [countFields[0]!]: 1 });
      await sendDay('history', { [countFields[0]!]: 2 });
      const restatements = await service.database.query(
        `SELECT kind, before ->> $1 AS before, after ->> $1 AS after, api_key_id, created_at FROM statistic_restatements WHERE shop_id = 'history' AND kind = $2`,
        [countFields[0], kind],
      );
      expect(restatements).toEqual([
        { kind, before: '1', after: '2', api_key_id: expect.any(Number), created_at: expect.any(Date) },
      ]);
    });
  });

  describe('422', () => {
    it.each([
      ['shop_id', ''],
      ['shop_id', 'x'.repeat(51)],
      ['shop_id', 5],
      ['shop_id', null],
      ['shop_id', 'a\u0000'],
      ['date', '2026-02-30'],
      ['date', '22/08/2026'],
      ['date', '2026-8-1'],
      ['date', '2026-08-22T00:00:00Z'],
      ['date', '0000-01-01'],
      ['date', 20260822],
      ['date', null],
    ])('refuses %s = %j', async (name, value) => {
      const { status, json } = await sendDay('refused', { [name]: value });
      expect(status).toBe(422);
      expect(json.errors[0].path).toBe(name);
    });

    it.each(fieldNames)(
      'refuses values outside the bounds of %s, of another type, and null',
      async (name) => {
        const outOfBoundsValues = {
          count: [2 ** 53, 1.5],
          amount: [1e12 + 1],
          rate: [100.01],
          ratio: [1e12 + 1],
        }[kindOf(name)]!;
        for (const value of [-1, '5', true, null, [], ...outOfBoundsValues]) {
          const { status, json } = await sendDay('refused', { [name]: value });
          expect(status, `${name} = ${JSON.stringify(value)}`).toBe(422);
          expect(json.errors[0].path).toBe(name);
        }
      },
    );

    it('refuses a body that does not identify a row', async () => {
      const { json } = await service.send(path, { body: {} });
      const names = [...Object.keys(key), 'shop_id', 'date'];
      expect(json.errors).toEqual(names.map((name) => ({ path: name, message: 'is required' })));
    });

    it('accepts the year 5, and refuses an earlier day with its year as the reason', async () => {
      expect((await sendDay('early', { date: '0005-01-01' })).status).toBe(200);
      const { json } = await sendDay('early', { date: '0004-12-31' });
      expect(json.errors).toEqual([{ path: 'date', message: 'must be in the year 5 or later' }]);
    });

    it('refuses additional members over 64 KiB, even if they only grow so large by merging', async () => {
      expect((await sendDay('large', { a: 'x'.repeat(66_000) })).status).toBe(422);
      expect((await sendDay('large', { a: 'x'.repeat(40_000) })).status).toBe(200);
      expect((await sendDay('large', { b: 'x'.repeat(40_000) })).status).toBe(422);
      expect(Object.keys((await sendDay('large')).json.data.extra)).toEqual(['a']);
    });

    it.each([
      ['U+0000 in a text', { a: ['\u0000'] }],
      ['U+0000 in a name', { 'a\u0000': 1 }],
      ['half a surrogate pair', { a: '\udc00' }],
    ])('refuses %s among the additional members', async (_, members) => {
      expect((await sendDay('refused', members)).status).toBe(422);
    });

    it('refuses nesting that is too deep for the database', async () => {
      const body = `{"shop_id":"deep","date":"2026-08-22",${kind === 'product' ? '"listing_id":1,' : ''}"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      const response = await service.send(path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(response.status, service.readLog().slice(-1500)).toBe(422);
    });

    it('refuses a member named __proto__, which cannot be stored', async () => {
      const body = '{"shop_id":"refused","date":"2026-08-22","listing_id":1,"__proto__":1}';
      const { json } = await service.send(path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(json.errors).toEqual([{ path: '__proto__', message: expect.any(String) }]);
    });

    it('stores nothing of a refused request', async () => {
      expect(
        await service.database.query(`SELECT 1 FROM ${table} WHERE shop_id IN ('refused', 'deep')`),
      ).toEqual([]);
    });
  });

  it('requires an API key', async () => {
    expect((await service.send(path, { body: {}, headers: { 'X-Api-Key': undefined } })).status).toBe(401);
  });
});
