import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

const sendCallback = (event: string, data: unknown) =>
  service.send('/api/v1/tracks', { body: { event, data } });
/** Sends a webhook in 17TRACK's form. */
const send17TrackCallback = (number: string, latest_status: object | null, events: object[] = []) =>
  sendCallback('TRACKING_UPDATED', {
    number,
    track_info: { latest_status, tracking: { providers: [{ events }] } },
  });
/** Sends one event in the plain form, in several versions: each body is a list of the statuses that it reports. */
async function sendVersions(tracking_number: string, bodies: readonly string[][]) {
  for (const statuses of bodies) {
    const entries = statuses.map((status) => ({ tracking_number, status, time: '2026-08-26T10:00:00Z' }));
    await sendCallback('tracking', entries);
  }
}
const readStatus = async (number: string) => {
  const sql = 'SELECT status FROM tracking_numbers WHERE tracking_number = $1';
  return (await service.database.query<{ status: string }>(sql, [number]))[0]?.status;
};

/** Maps a status to each of these meanings in turn, then removes the meaning. Returns how many events each call changed. */
async function mapThenUnmapStatus(source: string, provider_status: string, meanings: readonly string[]) {
  const statusKey = { source, provider_status };
  const changedCounts: number[] = [];
  for (const status of meanings)
    changedCounts.push(
      (await operator.call('callbacks.mapStatus', { ...statusKey, status })).data.changed_events,
    );
  changedCounts.push((await operator.call('callbacks.unmapStatus', statusKey)).data.changed_events);
  return changedCounts;
}

describe('a mapping never changes a status that was understood without it', () => {
  it('even if it comes from the stage of an event with an unknown sub-status', async () => {
    const event = { time_utc: '2026-08-26T10:00:00Z', stage: 'Departure', sub_status: 'Left_Somewhere' };
    await send17TrackCallback('STAGE1', null, [event]);
    // The first meaning is the status of the stage.
    expect(await mapThenUnmapStatus('17track', 'left_somewhere', ['in_transit', 'exception'])).toEqual([
      0, 0, 0,
    ]);
    expect(await readStatus('STAGE1')).toBe('in_transit');
  });

  it.each([
    ['without events', 'BARE', []],
    ['with an event', 'DATED', [{ time_utc: '2026-08-26T10:00:00.123Z', description: 'Arrived' }]],
  ])('even if it comes from a latest status %s, with an unknown sub-status', async (_, name, events) => {
    const subStatus = `Foo_${name}`;
    await send17TrackCallback(`${name}1`, { status: 'InTransit', sub_status: subStatus }, events);
    // Without a main status, the sub-status is the status to be mapped.
    await send17TrackCallback(`${name}2`, { sub_status: subStatus }, events);
    const meanings = ['in_transit', 'exception', 'in_transit'];
    expect(await mapThenUnmapStatus('17track', subStatus, meanings)).toEqual([1, 1, 1, 1]);
    expect(await readStatus(`${name}1`)).toBe('in_transit');
    expect(await readStatus(`${name}2`)).toBe('not_found');
  });

  it.each([
    ['before', 'TWICE1', [['in_transit'], ['Foo Bar']]],
    ['after', 'TWICE2', [['Foo Bar'], ['in_transit']]],
    ['together with', 'TWICE3', [['in_transit', 'Foo Bar']]],
  ])('even if it was reported for an event %s an unknown status', async (_, number, bodies) => {
    await sendVersions(number, bodies);
    const meanings = ['in_transit', 'exception', 'in_transit'];
    expect(await mapThenUnmapStatus('plain', 'foo bar', meanings)).toEqual([0, 0, 0, 0]);
    expect(await readStatus(number)).toBe('in_transit');
  });

  it.each([
    ['in the same body', 'EQUAL1', [['in_transit', 'Moving']]],
    ['in an earlier body', 'EQUAL2', [['Moving'], ['in_transit']]],
  ])(
    'even if a mapped status with the same meaning is reported for the event %s',
    async (_, number, bodies) => {
      const statusKey = { source: 'plain', provider_status: 'moving' };
      await operator.call('callbacks.mapStatus', { ...statusKey, status: 'in_transit' });
      await sendVersions(number, bodies);
      expect(await mapThenUnmapStatus('plain', 'moving', ['exception'])).toEqual([0, 0]);
      expect(await readStatus(number)).toBe('in_transit');
    },
  );
});

it.each([
  ['one webhook', 'TOGETHER1', (events: object[]) => [events]],
  ['several webhooks', 'SINGLY1', (events: object[]) => events.map((event) => [event])],
])(
  'an event keeps its unknown status if it is also reported without one, in %s',
  async (_, number, bodiesOf) => {
    const time_utc = '2026-08-26T10:00:00Z';
    for (const events of bodiesOf([{ time_utc, sub_status: `Foo_${number}` }, { time_utc }]))
      await send17TrackCallback(number, null, events);
    expect(await mapThenUnmapStatus('17track', `foo_${number}`, ['exception'])).toEqual([1, 1]);
  },
);
