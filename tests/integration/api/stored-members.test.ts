import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const LOST_DIGITS = '12345678901234567890';

async function sendJson(path: string, body: string) {
  const { status, json } = await service.send(path, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(status).toBe(422);
  return {
    paths: json.errors.map((problem: { path: string }) => problem.path),
    count: json.error_count,
  };
}

describe.each([
  ['/api/shop-statistics', '"shop_id":"s","date":"2026-08-22"', '"date":"2026-08-32"', ['shop_id', 'date']],
  [
    '/api/product-statistics',
    '"listing_id":1,"shop_id":"s","date":"2026-08-22"',
    '"listing_id":1,"date":"2026-08-32"',
    ['shop_id', 'date'],
  ],
  ['/api/marketplace/message', '"shop_name":"s"', '"buyer_name":5', ['shop_name', 'buyer_name']],
])('the problems of additional members of %s', (path, validMembers, invalidMembers, invalidPaths) => {
  it('are all listed and counted', async () => {
    const body = `{${validMembers},"a":${LOST_DIGITS},"b":{"c":${LOST_DIGITS},"d":["\\u0000"]}}`;
    expect(await sendJson(path, body)).toEqual({ paths: ['a', 'b.c', 'b.d.0'], count: 3 });
  });

  it("are listed after those of the operation's own members", async () => {
    const body = `{"a":${LOST_DIGITS},"b":1,"c":1e999,${invalidMembers}}`;
    expect(await sendJson(path, body)).toEqual({ paths: [...invalidPaths, 'a', 'c'], count: 4 });
  });

  it('are counted even if there are more than a response lists', async () => {
    const body = `{${invalidMembers},"a":[${'1e999,'.repeat(20_000)}0]}`;
    const { paths, count } = await sendJson(path, body);
    expect(count).toBeGreaterThanOrEqual(20_000 + invalidPaths.length);
    expect(paths).toHaveLength(100);
    expect(paths.slice(0, 3)).toEqual([...invalidPaths, 'a.0']);
  });
});

describe('the additional members of a message', () => {
  it('are checked together with its own', async () => {
    const body = `{"shop_name":"s","messages":[{"sender":"buyer","content":"a","a":${LOST_DIGITS}},{"sender":"buyer","content":5,"b":1e999},7]}`;
    expect(await sendJson('/api/marketplace/message', body)).toEqual({
      paths: ['messages.1.content', 'messages.2', 'messages.0.a', 'messages.1.b'],
      count: 4,
    });
  });
});
