import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const sendCallback = (tracking_number: string, status: string, time: string) =>
  service.send('/api/v1/tracks', { body: { event: 'tracking', data: { tracking_number, status, time } } });

it('each event is counted once, even if callbacks about one number arrive at the same time', async () => {
  await service.importRows([{ receipt_id: 'race', tracking_number: 'RACE1' }]);
  const times = Array.from({ length: 10 }, (_, n) => `2026-08-${10 + n}T10:00:00Z`);
  const responses = await Promise.all(
    [...times, ...times].map((time) => sendCallback('RACE1', 'in_transit', time)),
  );
  expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
  expect(responses.reduce((sum, { json }) => sum + json.data.new_events, 0)).toBe(10);
});

it('no status is missed, even if imports and callbacks with the same numbers run at the same time', async () => {
  for (let round = 0; round < 8; round++) {
    const numbers = Array.from({ length: 6 }, (_, n) => `MIX${round}N${n}`);
    const rows = numbers.map((tracking_number, n) => ({
      receipt_id: `mix-${round}-${n % 3}`,
      transaction_id: `${n}`,
      tracking_number,
    }));
    const responses = await Promise.all([
      ...numbers.map((number) => sendCallback(number, 'delivered', '2026-08-28T10:00:00Z')),
      service.importRows(rows),
      ...numbers.map((number) => sendCallback(number, 'in_transit', '2026-08-27T10:00:00Z')),
      service.importRows(rows.toReversed()),
    ]);
    expect(responses.map((response) => response.status)).toEqual(Array(responses.length).fill(200));
    for (const n of [0, 1, 2]) {
      expect(await readStoredOrder(service.database, `mix-${round}-${n}`)).toMatchObject({
        status: 'delivered',
        tracking_status: 'delivered',
      });
    }
  }
});
