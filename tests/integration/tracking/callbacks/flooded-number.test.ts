import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../../support/service/test-service';

/** How many observations of one kind and status are kept of a number (docs/tracking.md). */
const KEPT_COUNT = 500;
const HOUR_MS = 3_600_000;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const timeOf = (hour: number) => new Date(Date.UTC(2024, 0, 1) + hour * HOUR_MS).toISOString();

/** Returns entries of the plain form, one an hour. */
const makeEntries = (number: string, status: string, firstHour: number, count: number, members = {}) =>
  Array.from({ length: count }, (_, index) => ({
    tracking_number: number,
    status,
    time: timeOf(firstHour + index),
    ...members,
  }));

async function sendEntries(data: unknown[]): Promise<number> {
  const response = await service.send('/api/v1/tracks', { body: { event: 'tracking', data } });
  expect(response.status, response.text).toBe(200);
  return response.json.data.new_events;
}

const readKeptTimes = async (number: string) =>
  (
    await service.database.query<{ occurred_at: Date }>(
      'SELECT occurred_at FROM tracking_events WHERE tracking_number = $1 ORDER BY 1',
      [number],
    )
  ).map((row) => row.occurred_at.toISOString());
const readShipment = async (number: string) =>
  (
    await service.database.query(
      'SELECT status, sub_status, status_at FROM tracking_numbers WHERE tracking_number = $1',
      [number],
    )
  )[0];

it('a number keeps the newest 500 events of a status, in whatever order and however often they are reported', async () => {
  const batchesOf = (number: string) =>
    [0, 400, 800].map((firstHour) => makeEntries(number, 'in_transit', firstHour, 400));
  const keptTimes = Array.from({ length: KEPT_COUNT }, (_, index) => timeOf(1_200 - KEPT_COUNT + index));
  for (const [number, order] of [
    ['OLDFIRST', [0, 1, 2]],
    ['NEWFIRST', [2, 1, 0]],
    ['REPEATED', [1, 0, 2, 0, 1, 2]],
  ] as const) {
    const batches = batchesOf(number);
    for (const index of order) await sendEntries(batches[index]!);
    expect(await readKeptTimes(number), number).toEqual(keptTimes);
    expect(await readShipment(number), number).toEqual(await readShipment('OLDFIRST'));
  }
  await Promise.all(batchesOf('TOGETHER').map(sendEntries));
  expect(await readKeptTimes('TOGETHER')).toEqual(keptTimes);
});

it('an event that is too old to be kept is not counted as new, and does not reopen an unmatched number', async () => {
  expect(await sendEntries(makeEntries('COUNTED', 'in_transit', 100, KEPT_COUNT + 10))).toBe(KEPT_COUNT);
  const readNews = () =>
    service.database.query(`SELECT latest_at FROM unmatched_numbers WHERE tracking_number = 'COUNTED'`);
  const news = await readNews();
  expect(news).toHaveLength(1);
  expect(await sendEntries(makeEntries('COUNTED', 'in_transit', 0, 1))).toBe(0);
  expect(await readNews()).toEqual(news);
  expect(await sendEntries(makeEntries('COUNTED', 'in_transit', 1_000, 1))).toBe(1);
});

it("made-up events with later times cannot change a number's status: its real events still decide", async () => {
  await sendEntries(makeEntries('DEAF', 'delivered', 1, 1));
  await sendEntries(makeEntries('DEAF', 'exception', 2, 1, { sub_status: 'Exception_Returning' }));
  // Without a meaning, or never overwriting progress.
  await sendEntries(makeEntries('DEAF', 'Beamed', 400_000, KEPT_COUNT + 10));
  await sendEntries(makeEntries('DEAF', 'not_found', 300_000, KEPT_COUNT + 10));
  expect(await readShipment('DEAF')).toMatchObject({
    status: 'exception',
    sub_status: 'Exception_Returning',
  });
  // Other exceptions after the return do not remove it: without it, the delivery would be the last word.
  await sendEntries(makeEntries('DEAF', 'exception', 3, KEPT_COUNT + 10, { sub_status: 'Exception_Lost' }));
  expect(await readShipment('DEAF')).toMatchObject({ status: 'exception', sub_status: 'Exception_Lost' });
  const countRows = await service.database.query(
    `SELECT status, count(*)::int FROM tracking_events WHERE tracking_number = 'DEAF' GROUP BY 1 ORDER BY 1`,
  );
  expect(countRows).toEqual([
    { status: 'not_found', count: KEPT_COUNT },
    { status: 'exception', count: KEPT_COUNT + 1 },
    { status: 'delivered', count: 1 },
    { status: null, count: KEPT_COUNT },
  ]);
  expect(await sendEntries(makeEntries('DEAF', 'delivered', 2_000, 1))).toBe(1);
  expect(await readShipment('DEAF')).toMatchObject({ status: 'delivered' });
});

it('the next merge removes the old events that an earlier version kept', async () => {
  await sendEntries(makeEntries('STORED', 'delivered', 0, 1));
  await service.database.query(
    `INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, status, source)
     SELECT 'STORED', 'event', sha256(n::text::bytea), to_timestamp(1700000000 + n), 'not_found', 'callback'
       FROM generate_series(1, $1::int) AS n`,
    [KEPT_COUNT * 3],
  );
  expect(await sendEntries(makeEntries('STORED', 'delivered', 5, 1))).toBe(1);
  expect(await readKeptTimes('STORED')).toHaveLength(KEPT_COUNT + 2);
  expect(await readShipment('STORED')).toMatchObject({ status: 'delivered' });
});
