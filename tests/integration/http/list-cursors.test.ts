import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/server/core/lists/cursor';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());

/** Days that PostgreSQL refuses; it accepts `POSSIBLE_DAY`. */
const IMPOSSIBLE_DAYS = ['2026-02-30', '2026-04-31', '0000-01-01'];
const POSSIBLE_DAY = '2026-02-28';

const CURSOR_FACTORIES = {
  'records.list': (day: string) => encodeCursor('newest', [`${day}T00:00:00.000000Z`, '1']),
  'replies.list': (day: string) => encodeCursor('newest', [`${day}T00:00:00.000000Z`, '1']),
  'shipments.list': (day: string) => encodeCursor('newest', [`${day}T00:00:00.000000Z`, 'LX1']),
  'statistics.shopDays': (day: string) => encodeCursor('shop-statistics date desc', [day, 'shop']),
  'orders.list': (day: string) => encodeCursor('orders', [`${day}T00:00:00.000000Z`, '1']),
};

it.each(Object.entries(CURSOR_FACTORIES))(
  'a cursor for %s with a day that does not exist gets 422 instead of a database error',
  async (procedure, makeCursor) => {
    for (const day of IMPOSSIBLE_DAYS)
      expect([day, (await admin.call(procedure, { cursor: makeCursor(day) })).status]).toEqual([day, 422]);
    expect((await admin.call(procedure, { cursor: makeCursor(POSSIBLE_DAY) })).status).toBe(200);
  },
);

/** Days before the year 5: up to three years are compared with as many days before them, and PostgreSQL has no year 0. */
const REFUSED_DAYS = ['0000-01-01', '0000-12-31', '0004-12-31'];

const FILTER_CALL_FACTORIES: Record<string, (day: string) => [string, object]> = {
  records: (day) => ['records.list', { from: day, to: day }],
  callbacks: (day) => ['callbacks.list', { from: day, to: day }],
  replies: (day) => ['replies.list', { from: day, to: day }],
  'audit log': (day) => ['audit.list', { from: day, to: day }],
  overview: (day) => ['overview.read', { from: day, to: day }],
  deliveries: (day) => ['overview.deliveries', { from: day, to: day }],
  orders: (day) => ['orders.list', { filter: { sold_from: day, sold_to: day } }],
  'daily shop statistics': (day) => ['statistics.shopDays', { from: day, to: day }],
  'shop statistics over time': (day) => ['statistics.shopSeries', { from: day, to: day }],
  'listing statistics over time': (day) => ['statistics.listingSeries', { from: day, to: day }],
  restatements: (day) => ['statistics.restatements', { from: day, to: day }],
};

it.each(Object.entries(FILTER_CALL_FACTORIES))(
  '%s: a date filter accepts the first day of the year 5 and the last of the year 9999, and refuses earlier days with 422',
  async (_, makeCall) => {
    const readStatus = async (day: string) => (await admin.call(...makeCall(day))).status;
    for (const day of REFUSED_DAYS) expect([day, await readStatus(day)]).toEqual([day, 422]);
    for (const day of ['0005-01-01', '9999-12-31']) expect([day, await readStatus(day)]).toEqual([day, 200]);
  },
);

it('the longest statistics range can begin on the first day that filters accept', async () => {
  const range = { from: '0005-01-01', to: '0008-01-01' };
  expect((await admin.call('statistics.shopSeries', range)).status).toBe(200);
});

it('the import history accepts instants that PostgreSQL would refuse', async () => {
  for (const instant of [
    '2026-08-22T00:00:00+23:59',
    '2026-08-22T00:00:00-23:59',
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    `2026-08-22T00:00:00.${'1'.repeat(200)}Z`,
  ]) {
    const { status } = await admin.call('imports.history', { from: instant, until: instant });
    expect([instant, status]).toEqual([instant, 200]);
  }
});

it('an instant that PostgreSQL would refuse gets 422 in a shipment filter and in a queue entry', async () => {
  const entry = { shop_id: service.shopId, id: '1' };
  for (const instant of ['0000-01-01T00:00:00Z', `2026-08-22T00:00:00.${'1'.repeat(200)}Z`]) {
    const calls: [string, object][] = [
      ['shipments.list', { since_from: instant }],
      ['shipments.list', { since_to: instant }],
      ['queues.handle', { queue: 'to_ship', entries: [{ ...entry, latest_at: instant }] }],
    ];
    for (const [procedure, input] of calls)
      expect([procedure, instant, (await admin.call(procedure, input)).status]).toEqual([
        procedure,
        instant,
        422,
      ]);
  }
});
