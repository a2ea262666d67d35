import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewDays } from '../../../src/server/statistics/import-preview-service';
import { importDays } from '../../../src/server/statistics/import-service';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const MAX_BYTES = 65_536;
const sizeOf = (extra: object) => Buffer.byteLength(JSON.stringify(extra));

/** Returns `extra` with one more member, so that it is exactly this large as JSON without spaces. */
const fillTo = (bytes: number, extra: object) => {
  const fill = 'x'.repeat(bytes - sizeOf({ ...extra, fill: '' }));
  return { ...extra, fill };
};

const manyMembers = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value]));

const EXTRAS = [
  ['thousands of short members', manyMembers(6_000, 1)],
  ['a long list', { list: Array.from({ length: 30_000 }, () => 0) }],
  ['texts with spaces, commas, quotes and backslashes', manyMembers(1_000, 'a, b: "c" \\ " d\\')],
  ['texts of several bytes a character, and control characters', manyMembers(700, '小店, 🦉 \t\u0001')],
  ['nested members', manyMembers(600, { a: [1, { b: [null, true, [], {}] }], 'c: d, e': 0.1 })],
  ['one text', {}],
] as const;

describe.each([
  ['shop', '/api/shop-statistics', {}],
  ['listing', '/api/product-statistics', { listing_id: 7 }],
] as const)("the additional members of a %s's day", (kind, path, key) => {
  let shopCount = 0;
  const nextShop = () => `${kind}-${++shopCount}`;
  const sendDay = (shopId: string, members: object) =>
    service.send(path, { body: { ...key, shop_id: shopId, date: '2026-08-22', ...members } });

  it.each(EXTRAS)(
    'may take up exactly 64 KiB as JSON without spaces, and no byte more: %s',
    async (_, extra) => {
      const largestExtra = fillTo(MAX_BYTES, extra);
      const { status, json } = await sendDay(nextShop(), largestExtra);
      expect(status).toBe(200);
      expect(json.data.extra).toEqual(largestExtra);
      const refusedResponse = await sendDay(nextShop(), fillTo(MAX_BYTES + 1, extra));
      expect(refusedResponse.status).toBe(422);
      expect(refusedResponse.json.errors).toMatchObject([
        { message: expect.stringContaining('65536 bytes') },
      ]);
    },
  );

  it.each(EXTRAS)('may grow to exactly 64 KiB by merging, and no byte more: %s', async (_, extra) => {
    const shopId = nextShop();
    expect((await sendDay(shopId, extra)).status).toBe(200);
    const tooMuch = fillTo(MAX_BYTES + 1, extra) as { fill: string };
    expect((await sendDay(shopId, { fill: tooMuch.fill })).status).toBe(422);
    const { status, json } = await sendDay(shopId, { fill: tooMuch.fill.slice(1) });
    expect([status, sizeOf(json.data?.extra)]).toEqual([200, MAX_BYTES]);
  });

  it.each(EXTRAS)('are limited the same way when a file is imported: %s', async (_, extra) => {
    const { db } = service.app.services;
    const shopId = nextShop();
    expect((await sendDay(shopId, extra)).status).toBe(200);
    const csvWith = (fill: string) => {
      const cells = [...Object.values(key), shopId, '2026-08-22', JSON.stringify({ fill })];
      const row = cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',');
      return { kind, csv: `${[...Object.keys(key), 'shop_id', 'date', 'extra'].join(',')}\n${row}\n` };
    };
    const { fill } = fillTo(MAX_BYTES + 1, extra) as { fill: string };
    const refusal = { code: 'validation_failed', problems: [{ reason: 'csv.extra', path: 'csv.2.extra' }] };
    await expect(previewDays(db, csvWith(fill))).rejects.toMatchObject(refusal);
    await expect(importDays(db, TEST_ACTOR, csvWith(fill))).rejects.toMatchObject(refusal);
    expect(await previewDays(db, csvWith(fill.slice(1)))).toMatchObject({ stored: 1 });
    expect(await importDays(db, TEST_ACTOR, csvWith(fill.slice(1)))).toMatchObject({ updated: 1 });
  });

  it('count very small numbers with all their zeros, so that what is stored stays as small as the limit says', async () => {
    const extraOf = (numbers: number[]) => ({ numbers });
    // 65,536 bytes with all zeros: 302 for each 1e-300, and a comma after it.
    const numbers = Array.from({ length: 216 }, () => 1e-300);
    const shopId = nextShop();
    const { status, json } = await sendDay(shopId, extraOf(numbers));
    expect([status, json.data?.extra]).toEqual([200, extraOf(numbers)]);
    expect((await sendDay(nextShop(), extraOf([...numbers, -1.5e-7, 1e-300]))).status).toBe(422);
    expect((await sendDay(nextShop(), extraOf(Array.from({ length: 9_000 }, () => 1e-300)))).status).toBe(
      422,
    );
  });

  it.each([1e-7, -1e-7, 1.5e-7, -1.25e-10, 5e-324, 1e-300])(
    'are measured in a request as in the database: %d',
    async (number) => {
      const digits = await service.database.query<{ size: number }>(
        'SELECT octet_length(($1::jsonb)::text) AS size',
        [JSON.stringify(number)],
      );
      const extra = { number };
      const zeros = digits[0]!.size - JSON.stringify(number).length;
      const shopId = nextShop();
      expect((await sendDay(shopId, fillTo(MAX_BYTES - zeros, extra))).status).toBe(200);
      expect((await sendDay(nextShop(), fillTo(MAX_BYTES - zeros + 1, extra))).status).toBe(422);
      expect((await sendDay(shopId, { other: 1 })).status).toBe(422);
    },
  );
});
