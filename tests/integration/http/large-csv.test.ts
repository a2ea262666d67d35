import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());

const repeatLine = (line: string, count: number) => line.repeat(count);
const listDays = (count: number) => Array.from({ length: count }, (_, n) => `${n},a,2026-03-01\n`).join('');

it.each<[string, string, object, number]>([
  [
    'bad days of shops',
    'statistics.importDays',
    { kind: 'shop', csv: `shop_id,date\n${repeatLine('x,1\n', 30_000)}` },
    // Each date is wrong, and each row but the first repeats a key.
    59_999,
  ],
  [
    'good days of listings, of which the last is bad',
    'statistics.previewDays',
    { kind: 'listing', csv: `listing_id,shop_id,date\n${listDays(30_000)}x,a,2026-03-01\n` },
    1,
  ],
  [
    'bad products',
    'catalog.importProducts',
    { csv: `category,code\n${repeatLine('x,1\n', 60_000)}` },
    // Each category is unknown, and each row but the first repeats a code.
    119_999,
  ],
])(
  'other requests are answered while a large file of %s is read, and all its problems are counted',
  async (_, procedure, input, problemCount) => {
    let isReading = true;
    const importPromise = admin.call(procedure, input).finally(() => {
      isReading = false;
    });
    let answeredCount = 0;
    while (isReading) {
      expect((await service.send('/healthz')).status).toBe(200);
      answeredCount++;
    }
    const { status, error } = await importPromise;
    expect([status, error?.problems.length]).toEqual([422, Math.min(problemCount, 100)]);
    if (problemCount > 1) expect(error?.message).toMatch(new RegExp(`\\(and ${problemCount - 1} more\\)$`));
    // If the file were read in one go, only the requests before and after that would be answered.
    expect(answeredCount).toBeGreaterThan(10);
  },
  60_000,
);
