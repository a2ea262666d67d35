import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countDeadlocks, countWaitingStatements } from '../../support/database/test-database';
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
  expect(await countDeadlocks(service.database)).toBe(0);
}, 60_000);

const reportNumbers = (numbers: readonly string[], status: string) =>
  service.send('/api/v1/tracks', {
    body: { event: 'x', data: numbers.map((tracking_number) => ({ tracking_number, status })) },
  });
const toReference = (number: string) => ({ shop_id: null, id: number });

it('users who work on the queue of unmatched callbacks do not deadlock with imports and callbacks about its numbers', async () => {
  const operator = await createSignedInUser(service, 'operator');
  for (let round = 0; round < 8; round++) {
    // The collation of the database does not sort them as JavaScript does.
    const numbers = Array.from({ length: 30 }, (_, n) => `${n % 2 === 0 ? 'Q-' : 'QA'}${round}${n}`);
    await reportNumbers(numbers, 'info_received');
    const assign = (userId: number | null) =>
      operator.call('queues.assign', {
        queue: 'unmatched',
        entries: numbers.map(toReference),
        user_id: userId,
      });
    const responses = await Promise.all([
      service.importRows(
        numbers
          .toReversed()
          .slice(0, 20)
          .map((tracking_number) => ({ receipt_id: `q-${tracking_number}`, title: 'T', tracking_number })),
      ),
      assign(operator.userId),
      reportNumbers(numbers.toReversed(), 'in_transit'),
      assign(null),
      reportNumbers(numbers, 'out_for_delivery'),
      assign(operator.userId),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  }
  expect(await countDeadlocks(service.database)).toBe(0);
}, 60_000);

it('a change in the queue of unmatched callbacks locks the tracking number before the entry, as imports and callbacks do', async () => {
  const operator = await createSignedInUser(service, 'operator');
  await reportNumbers(['ORDERED1'], 'in_transit');
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    await client.query(`BEGIN; SELECT FROM tracking_numbers WHERE tracking_number = 'ORDERED1' FOR UPDATE`);
    const responsePromise = operator.call('queues.putBack', {
      queue: 'unmatched',
      entries: [toReference('ORDERED1')],
    });
    await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
    await client.query(
      `SELECT FROM unmatched_numbers WHERE tracking_number = 'ORDERED1' FOR UPDATE NOWAIT; COMMIT`,
    );
    expect((await responsePromise).status).toBe(200);
  } finally {
    await client.end();
  }
});
