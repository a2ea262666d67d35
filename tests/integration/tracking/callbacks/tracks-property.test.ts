import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';
import { trackInfoOf } from '../../../support/stand-ins/carrier-reports';

/** How many random cases each property tries. TRACKS_RUNS=3000 searches for longer. */
const RUN_COUNT = Number(process.env.TRACKS_RUNS ?? 100);

let orderedService: TestService;
let shuffledService: TestService;

beforeAll(async () => {
  const environment = { LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '1000000' };
  // Two databases, so that both can receive the same tracking numbers, which are part of an event's identity.
  [orderedService, shuffledService] = await Promise.all([
    startTestService(environment),
    startTestService(environment),
  ]);
  for (const service of [orderedService, shuffledService]) {
    const operator = await createSignedInUser(service, 'operator');
    for (const source of ['plain', '17track'])
      await operator.call('callbacks.mapStatus', {
        source,
        provider_status: 'Handed over',
        status: 'delivered',
      });
  }
});
afterAll(() => Promise.all([orderedService?.close(), shuffledService?.close()]));

// Few times, places and words, so that they often collide.
const HOUR_MS = 3_600_000;
const hour = fc.integer({ min: 0, max: 3 });
const utcTimeOf = (hour: number) => new Date(Date.UTC(2024, 7, 22, 14) + hour * HOUR_MS).toISOString();
/** Returns the same instant as {@link utcTimeOf}, with China's offset. */
const shanghaiTimeOf = (hour: number) => utcTimeOf(hour + 8).replace('Z', '+08:00');

const subStatus = fc.constantFrom(
  ...['InTransit_PickedUp', 'InTransit_Departure', 'InfoReceived', 'OutForDelivery_Other', 'Delivered_Other'],
  ...['Exception_Returning', 'Exception_Returned', 'Exception_Lost', 'DeliveryFailure_Rejected'],
  ...['NotFound_Other', 'Expired_Other', 'Teleported_Other'],
);
const status = fc.constantFrom(
  ...['in_transit', 'InTransit', 'Delivered', 'delivered', 'out_for_delivery', 'InfoReceived', 'Exception'],
  ...['DeliveryFailure', 'NotFound', 'Expired', 'AvailableForPickup', 'Teleported', 'Beamed'],
);
const description = fc.constantFrom('Departed', 'DEPARTED', ' departed ', '派件成功', null);
const location = fc.constantFrom('Los Angeles', 'los  angeles', null);
const number = fc.constantFrom('#A', '#B');

interface Callback {
  /** The hour of its latest event; later than any event if it says that tracking has stopped. Null if it has no time. */
  hour: number | null;
  /** Its tracking numbers begin with `#`, which is replaced by the prefix of the run. */
  body: object;
}

const eventShape = { hour, hasOffset: fc.boolean(), description, location };
const event17 = fc
  .record({
    ...eventShape,
    stage: fc.option(fc.constantFrom('PickedUp', 'Departure', 'Delivered', 'Returned', 'Beamed')),
    sub_status: fc.option(subStatus),
  })
  .map(({ hour, hasOffset, ...event }) => ({
    hour,
    event: { ...event, time_utc: hasOffset ? null : utcTimeOf(hour), time_iso: shanghaiTimeOf(hour) },
  }));
const makeWebhook = (maxEventCount: number) =>
  fc
    .record({
      number,
      latestStatus: fc.record({ status, sub_status: subStatus }),
      allEvents: fc.array(event17, { minLength: Math.min(1, maxEventCount), maxLength: maxEventCount }),
      hasOnlyLatestEvent: fc.boolean(),
    })
    .map(({ number, latestStatus, allEvents, hasOnlyLatestEvent }): Callback => {
      const reportedEvents = hasOnlyLatestEvent ? allEvents.slice(0, 1) : allEvents;
      const info = trackInfoOf(
        latestStatus,
        reportedEvents.map(({ event }) => event),
      );
      const track_info = hasOnlyLatestEvent ? { ...info, tracking: { providers: [] } } : info;
      return {
        hour: reportedEvents.length > 0 ? Math.max(...reportedEvents.map(({ hour }) => hour)) : null,
        body: {
          event: 'TRACKING_UPDATED',
          data: { number, carrier: 190271, param: null, tag: '', track_info },
        },
      };
    });

const entry = fc
  .record({
    ...eventShape,
    tracking_number: fc.constantFrom('#A', '# a', '#b'),
    status,
    sub_status: fc.option(subStatus),
  })
  .map(({ hour, hasOffset, ...data }) => ({
    hour,
    data: { ...data, time: hasOffset ? shanghaiTimeOf(hour) : utcTimeOf(hour) },
  }));
const plainCallback = entry.map(({ hour, data }): Callback => ({ hour, body: { event: 'tracking', data } }));
const plainListCallback = fc.array(entry, { minLength: 1, maxLength: 3 }).map(
  (entries): Callback => ({
    hour: Math.max(...entries.map(({ hour }) => hour)),
    body: { event: 'tracking', data: entries.map(({ data }) => data) },
  }),
);
const undatedPlainCallback = fc
  .record({ tracking_number: number, status, description })
  .map((data): Callback => ({ hour: null, body: { event: 'tracking', data } }));
const stoppedCallback = number.map(
  (number): Callback => ({ hour: 9, body: { event: 'TRACKING_STOPPED', data: { number } } }),
);

const scenario = fc
  .record({
    datedCallbacks: fc.array(
      fc.oneof(
        { arbitrary: makeWebhook(4), weight: 5 },
        { arbitrary: fc.oneof(plainCallback, plainListCallback), weight: 4 },
        stoppedCallback,
      ),
      { minLength: 1, maxLength: 6 },
    ),
    // At most one has no time: of two, the one received first would count as the earlier.
    undatedCallbacks: fc.array(fc.oneof(makeWebhook(0), undatedPlainCallback), { maxLength: 1 }),
    numbers: fc.constantFrom(['A'], ['A', 'B']),
    hasSharedNumber: fc.boolean(),
    isConcurrent: fc.boolean(),
  })
  .chain(({ datedCallbacks, undatedCallbacks, ...options }) => {
    const callbacks = [...datedCallbacks, ...undatedCallbacks];
    const index = fc.nat({ max: callbacks.length - 1 });
    return fc.record({
      options: fc.constant(options),
      callbacks: fc.constant(callbacks),
      // Every callback, some repeatedly, and the import (-1), in any order.
      arrivalOrder: fc.array(index, { maxLength: 5 }).chain((repeatedIndexes) =>
        fc.shuffledSubarray([...callbacks.keys(), ...repeatedIndexes, -1], {
          minLength: callbacks.length + repeatedIndexes.length + 1,
        }),
      ),
    });
  });

const makeTimeColumnSql = (column: string) =>
  // The time of receipt, which replaces a missing time, differs from callback to callback.
  `CASE WHEN ${column} < '2025-01-01' THEN ${column}::text ELSE 'receipt' END AS ${column}`;

/** Returns what callbacks store: the events and the statuses of each tracking number and order, but no time of receipt. */
async function readState({ database }: TestService, prefix: string) {
  const parameters = [`${prefix}%`];
  return {
    events: await database.query(
      `SELECT tracking_number, kind, encode(identity, 'hex') AS identity, ${makeTimeColumnSql('occurred_at')}, status, sub_status,
              stage, provider_status, description, location
         FROM tracking_events WHERE tracking_number LIKE $1 ORDER BY tracking_number, identity`,
      parameters,
    ),
    numbers: await database.query(
      `SELECT tracking_number, status, sub_status, ${makeTimeColumnSql('status_at')} FROM tracking_numbers
        WHERE tracking_number LIKE $1 ORDER BY tracking_number`,
      parameters,
    ),
    orders: await database.query(
      'SELECT receipt_id, status, tracking_status FROM orders WHERE receipt_id LIKE $1 ORDER BY receipt_id',
      parameters,
    ),
  };
}

let runCount = 0;

it('callbacks have the same result whether they arrive out of order, repeatedly or before the import, or once, in order and after it', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ callbacks, arrivalOrder, options }) => {
      const { numbers, hasSharedNumber, isConcurrent } = options;
      const prefix = `P${runCount++}X`;
      const rows = numbers.map((name, index) => ({
        receipt_id: `${prefix}1`,
        transaction_id: String(index),
        tracking_number: prefix + name,
      }));
      if (hasSharedNumber)
        rows.push({ receipt_id: `${prefix}2`, transaction_id: '9', tracking_number: `${prefix}A` });
      const sendRequest = async (service: TestService, index: number): Promise<number> => {
        const response =
          index < 0
            ? await service.importRows(rows)
            : await service.send('/api/v1/tracks', {
                body: JSON.stringify(callbacks[index]!.body).replaceAll('#', prefix),
                headers: { 'Content-Type': 'application/json' },
                method: 'POST',
              });
        expect(response.status, response.text).toBe(200);
        return index < 0 ? 0 : response.json.data.new_events;
      };

      const indexesByHour = [...callbacks.keys()].sort(
        (a, b) => (callbacks[a]!.hour ?? 99) - (callbacks[b]!.hour ?? 99),
      );
      for (const index of [-1, ...indexesByHour]) await sendRequest(orderedService, index);
      let newEventCount = 0;
      if (isConcurrent)
        for (const addedCount of await Promise.all(
          arrivalOrder.map((index) => sendRequest(shuffledService, index)),
        ))
          newEventCount += addedCount;
      else for (const index of arrivalOrder) newEventCount += await sendRequest(shuffledService, index);

      const [expectedState, actualState] = await Promise.all([
        readState(orderedService, prefix),
        readState(shuffledService, prefix),
      ]);
      expect(actualState).toEqual(expectedState);
      expect(newEventCount).toBe(actualState.events.filter(({ kind }) => kind === 'event').length);
    }),
    { numRuns: RUN_COUNT, endOnFailure: RUN_COUNT < 1_000 },
  );
}, 900_000);

// Versions of a few events. Their statuses are known, mapped by a user or unknown.
const version = fc.record({
  status: fc.constantFrom('in_transit', 'Delivered', 'Handed over', 'Exception', 'Beamed'),
  sub_status: fc.option(subStatus),
  stage: fc.option(fc.constantFrom('Departure', 'Handed over', 'Beamed')),
  description: fc.constantFrom('Departed', 'DEPARTED', null),
  time: fc.constantFrom(utcTimeOf(0), shanghaiTimeOf(0), utcTimeOf(1)),
});
const plainDataOf = (versions: object[]) => versions.map((data) => ({ ...data, tracking_number: '#A' }));
const webhookDataOf = (versions: { time: string }[]) => {
  const events = versions.map(({ time, ...event }) => ({ ...event, time_utc: time }));
  return { number: '#A', track_info: { tracking: { providers: [{ events }] } } };
};

it.each([
  ['the plain form', plainDataOf],
  ["17TRACK's form", webhookDataOf],
])(
  'a list of entries in %s has the same result as its entries sent one by one',
  async (_, dataOf) => {
    const versions = fc.array(version, { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(versions, async (list) => {
        const prefix = `L${runCount++}X`;
        const sendEntries = async (service: TestService, entries: typeof list): Promise<number> => {
          const body = { event: 'TRACKING_UPDATED', data: dataOf(entries) };
          const response = await service.send('/api/v1/tracks', {
            body: JSON.parse(JSON.stringify(body).replaceAll('#', prefix)),
          });
          return response.json.data.new_events;
        };
        let newEventCount = 0;
        for (const entry of list) newEventCount += await sendEntries(orderedService, [entry]);
        expect(await sendEntries(shuffledService, list)).toBe(newEventCount);
        expect(await readState(shuffledService, prefix)).toEqual(await readState(orderedService, prefix));
      }),
      { numRuns: RUN_COUNT, endOnFailure: RUN_COUNT < 1_000 },
    );
  },
  900_000,
);

// Sequences with which the first property once failed; every run checks them.
it.each([
  ['a return is reported before the delivery', 'exception', { sub_status: 'Exception_Returned' }],
  [
    'a shipment on its way back is reported before the delivery',
    'in_transit',
    { sub_status: 'InTransit_Other' },
  ],
])('an order is delivered even if %s', async (_, latestStatus, members) => {
  const number = `LATE1${latestStatus}`;
  const sendCallback = (status: string, hour: number, otherMembers = {}) => {
    const data = { tracking_number: number, status, time: utcTimeOf(hour), ...otherMembers };
    return shuffledService.send('/api/v1/tracks', { body: { event: 'tracking', data } });
  };
  await shuffledService.importRows([{ receipt_id: number, tracking_number: number }]);
  await sendCallback(latestStatus, 3, members);
  await sendCallback('exception', 2, { sub_status: 'Exception_Returning' });
  await sendCallback('delivered', 1);
  const { orders } = await readState(shuffledService, number);
  expect(orders).toEqual([{ receipt_id: number, status: 'delivered', tracking_status: latestStatus }]);
});
