import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' });
});
afterAll(() => service.close());

it('imports, callbacks and changes by users do not deadlock, in whatever order they name old and new tracking numbers', async () => {
  const operator = await createSignedInUser(service, 'operator');
  await service.importRows([{ receipt_id: 'known', title: 'T', sale_date: '8/22/2026' }]);
  for (let round = 0; round < 25; round++) {
    // Every second number already exists: deadlocks are most likely if existing and new numbers alternate.
    const oldNumbers = Array.from({ length: 6 }, (_, n) => `W${round + 1}-${n * 2}`);
    const allNumbers = Array.from({ length: 12 }, (_, n) => `W${round + 1}-${n}`);
    await service.send('/api/v1/tracks', {
      body: {
        event: 'x',
        data: oldNumbers.map((tracking_number) => ({ tracking_number, status: 'in_transit' })),
      },
    });
    const rowsOf = (numbers: string[], prefix: string) =>
      numbers.map((tracking_number, n) => ({
        receipt_id: `${prefix}${round}-${n}`,
        title: 'T',
        tracking_number,
      }));
    const sendCallback = (numbers: string[]) =>
      service.send('/api/v1/tracks', {
        body: {
          event: 'x',
          data: numbers.map((tracking_number) => ({ tracking_number, status: 'delivered' })),
        },
      });
    const responses = await Promise.all([
      service.importRows(rowsOf(allNumbers, 'a')),
      sendCallback(allNumbers.toReversed()),
      operator.call('orders.setTracking', {
        shop_id: service.shopId,
        rows: allNumbers.toReversed().map((tracking_number) => ({ receipt_id: 'known', tracking_number })),
      }),
      sendCallback(allNumbers),
      service.importRows(rowsOf(allNumbers.toReversed(), 'b')),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }
}, 60_000);
