import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceError } from '../../src/server/core/errors';
import { create17TrackClient } from '../../src/server/tracking/carrier-17track';
import { type CarrierClient, CarrierError } from '../../src/server/tracking/carrier-client';
import {
  type CarrierGate,
  type CarrierGateOptions,
  createCarrierGate,
} from '../../src/server/tracking/carrier-gate';
import { createYanwenClient } from '../../src/server/tracking/carrier-yanwen';
import { foldStatus } from '../../src/server/tracking/status';
import { trackInfoOf, yanwenRow } from '../support/carrier-reports';
import {
  type Behaviour,
  CARRIER_SECRET,
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
  YANWEN_ACCOUNT,
} from '../support/carrier-stand-in';

let carrier: CarrierStandIn;
const gates: CarrierGate[] = [];

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(async () => {
  for (const gate of gates.splice(0)) gate.close();
  await carrier.close();
});

const track17 = (members: { key?: string; register?: boolean } = {}) =>
  create17TrackClient({ key: KEY_17TRACK, baseUrl: carrier.url17Track, ...members });
const yanwen = (account = YANWEN_ACCOUNT) => createYanwenClient({ account, baseUrl: carrier.urlYanwen });

function ask(client: CarrierClient, ...numbers: string[]) {
  return client.query(numbers, AbortSignal.timeout(5_000));
}

async function failureOf(client: CarrierClient, ...numbers: string[]): Promise<CarrierError> {
  const error = await ask(client, ...numbers).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(CarrierError);
  return error as CarrierError;
}

function openGate(options: Partial<CarrierGateOptions> = {}): CarrierGate {
  const gate = createCarrierGate(
    (fetch) => create17TrackClient({ key: KEY_17TRACK, baseUrl: carrier.url17Track, fetch }),
    // A pace that does not hold up tests of other things.
    { timeoutMs: 5_000, retryDelayMs: 20, requestsPerSecond: 1_000, ...options },
  );
  gates.push(gate);
  return gate;
}

async function refusalOf(gate: CarrierGate, ...numbers: string[]): Promise<ServiceError> {
  const error = await gate.query(numbers).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'ServiceError', members: { source: 'carrier' } });
  expect((error as ServiceError).message).not.toContain(CARRIER_SECRET);
  return error as ServiceError;
}

const statusesOf = (answers: Awaited<ReturnType<CarrierClient['query']>>) =>
  answers.map(({ observations }) => foldStatus(observations).status);

/** The greatest number of requests that came within any second. */
function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

const FAILURES: [string, Behaviour, CarrierError['kind'], boolean][] = [
  ['401', { kind: 'status', status: 401 }, 'refused', false],
  ['403', { kind: 'status', status: 403 }, 'refused', false],
  ['429', { kind: 'status', status: 429 }, 'limited', true],
  ['500', { kind: 'status', status: 500 }, 'broken', true],
  ['503', { kind: 'status', status: 503 }, 'broken', true],
  ['404', { kind: 'status', status: 404 }, 'broken', false],
  ['a redirect', { kind: 'status', status: 302 }, 'broken', false],
  ['a closed connection', { kind: 'hang-up' }, 'broken', true],
  ['no JSON', { kind: 'garbage', text: '<html>' }, 'broken', false],
  ['an empty body', { kind: 'garbage', text: '' }, 'broken', false],
  ['half a JSON', { kind: 'garbage', text: '{"code":0,"data":{"acc' }, 'broken', false],
  ['an array', { kind: 'garbage', text: '[]' }, 'broken', false],
  ['null', { kind: 'garbage', text: 'null' }, 'broken', false],
  ['no code', { kind: 'garbage', text: '{"data":{},"result":[]}' }, 'broken', false],
  ['only a code', { kind: 'garbage', text: '{"code":0}' }, 'broken', false],
  [
    'rows of another shape',
    { kind: 'garbage', text: '{"code":0,"data":{"accepted":[5]},"result":[5]}' },
    'broken',
    false,
  ],
  [
    'a report of another shape',
    {
      kind: 'garbage',
      text: '{"code":0,"data":{"accepted":[{"number":"A","track_info":"x"}]},"result":"x"}',
    },
    'broken',
    false,
  ],
];

describe.each([
  ['17track', track17],
  ['yanwen', yanwen],
] as const)('%s', (_, connect) => {
  it.each(FAILURES)('%s', async (_, behaviour, kind, retryable) => {
    carrier.script('A', behaviour);
    const error = await failureOf(connect(), 'A');
    expect(error).toMatchObject({ kind, retryable });
    expect(error.message).not.toContain(CARRIER_SECRET);
  });

  it('a carrier that cannot be reached is broken, and may be reached in a moment', async () => {
    const client = connect();
    await carrier.close();
    expect(await failureOf(client, 'A')).toMatchObject({ kind: 'broken', retryable: true });
    carrier = await startCarrierStandIn();
  });

  it('stops when it is told to', async () => {
    carrier.script('A', { kind: 'slow', ms: 2_000 });
    const started = performance.now();
    await expect(connect().query(['A'], AbortSignal.timeout(100))).rejects.toMatchObject({ kind: 'timeout' });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('a number that it knows nothing of has no observations', async () => {
    carrier.script('A', { kind: 'unknown' });
    const answers = await ask(connect(), 'A', 'B');
    expect(answers.map(({ observations }) => observations.length > 0)).toEqual([false, true]);
    expect(answers[0]).toEqual({ trackingNumber: 'A', carrier: null, observations: [] });
  });

  it('answers in the order asked, each number once, without spaces and in capitals', async () => {
    const answers = await ask(connect(), 'b 2', 'A1', 'B2');
    expect(answers.map(({ trackingNumber }) => trackingNumber)).toEqual(['B2', 'A1']);
    expect(carrier.requests).toHaveLength(1);
  });

  it('asks no carrier for no numbers', async () => {
    expect(await ask(connect())).toEqual([]);
    expect(carrier.requests).toEqual([]);
  });

  it('a wrong key is refused', async () => {
    const client = connect === track17 ? track17({ key: 'wrong' }) : yanwen('wrong');
    expect(await failureOf(client, 'A')).toMatchObject({ kind: 'refused', retryable: false });
  });
});

describe('17track', () => {
  it('reads events and status', async () => {
    const [answer] = await ask(track17(), 'A');
    expect(answer).toMatchObject({ trackingNumber: 'A', carrier: 'USPS' });
    expect(answer!.observations).toMatchObject([
      { kind: 'event', status: 'in_transit', location: 'New York, NY', source: '17track' },
      { kind: 'snapshot', status: 'in_transit', occurredAt: Date.UTC(2026, 10, 18, 14, 30) },
    ]);
  });

  it('asks for forty numbers a call', async () => {
    const numbers = Array.from({ length: 95 }, (_, index) => `N${index}`);
    const answers = await ask(track17(), ...numbers);
    expect(answers.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
    expect(carrier.requests.map((request) => request.numbers.length)).toEqual([40, 40, 15]);
  });

  it('registers a number that is not followed yet, and asks once more', async () => {
    carrier.script('A', { kind: 'unregistered' });
    const answers = await ask(track17(), 'A', 'B');
    expect(statusesOf(answers)).toEqual(['in_transit', 'in_transit']);
    expect(carrier.requests.map(({ operation, numbers }) => [operation, numbers.join()])).toEqual([
      ['gettrackinfo', 'A,B'],
      ['register', 'A'],
      ['gettrackinfo', 'A'],
    ]);
  });

  it('a number that is already registered counts as registered', async () => {
    carrier.registered.add('A');
    carrier.script('A', { kind: 'no-quota' }, { kind: 'known' });
    expect(statusesOf(await ask(track17(), 'A'))).toEqual(['in_transit']);
  });

  it('asks once more only, and registers nothing where that is not wanted', async () => {
    carrier.script('A', { kind: 'undetected' });
    expect(statusesOf(await ask(track17(), 'A'))).toEqual(['not_found']);
    carrier.script('B', { kind: 'unregistered' });
    expect(statusesOf(await ask(track17({ register: false }), 'B'))).toEqual(['not_found']);
    expect(carrier.requests.map(({ operation }) => operation)).toEqual(['gettrackinfo', 'gettrackinfo']);
  });

  it('a number that quota keeps from being known is an error, unless others are answered', async () => {
    carrier.script('A', { kind: 'no-quota' });
    expect(await failureOf(track17(), 'A')).toMatchObject({ kind: 'limited', retryable: false });
    expect(statusesOf(await ask(track17(), 'A', 'B'))).toEqual(['not_found', 'in_transit']);
  });

  it.each([
    [-18010001, 'refused', false],
    [-18010002, 'refused', false],
    [-18010004, 'refused', false],
    [-18010005, 'refused', false],
    [-18010003, 'broken', true],
    [-18010013, 'broken', false],
    [-1, 'broken', false],
  ])('code %i is %s', async (code, kind, retryable) => {
    carrier.script('A', { kind: 'code', code });
    const error = await failureOf(track17(), 'A');
    expect(error).toMatchObject({ kind, retryable });
    expect(error.message).not.toContain(CARRIER_SECRET);
    expect(JSON.stringify(error.cause)).toContain(CARRIER_SECRET);
  });

  it('of several rows for a number the one that is not NotFound counts', async () => {
    carrier.script('A', { kind: 'contradicting' });
    const answers = await ask(track17(), 'A');
    expect(answers).toHaveLength(1);
    expect(statusesOf(answers)).toEqual(['delivered']);
  });

  it('a snapshot that contradicts its events is one more observation', async () => {
    const event = { time_utc: '2026-11-18T14:30:00Z', description: 'Delivered', stage: 'Delivered' };
    const report = trackInfoOf({ status: 'InTransit', sub_status: 'InTransit_Other' }, [event]);
    carrier.script('A', { kind: 'known', report });
    expect(statusesOf(await ask(track17(), 'A'))).toEqual(['delivered']);
  });

  it('a malformed event does not spoil the others', async () => {
    const report = trackInfoOf({ status: 'Beamed', sub_status: 'Beamed_Up' }, [
      null as never,
      { time_utc: 5, description: ['x'] },
      { time_utc: '2026-11-18T14:30:00Z', description: 'Out', stage: 'OutForDelivery' },
    ]);
    carrier.script('A', { kind: 'known', report });
    const [answer] = await ask(track17(), 'A');
    expect(statusesOf([answer!])).toEqual(['out_for_delivery']);
    expect(answer!.observations.at(-1)).toMatchObject({ status: null, providerStatus: 'Beamed' });
  });

  it('the same answer again has the same observations', async () => {
    const identities = async () =>
      (await ask(track17(), 'A'))[0]!.observations.map(({ identity }) => identity);
    expect(await identities()).toEqual(await identities());
  });
});

describe('yanwen', () => {
  it("reads the vendor's sample in the order of UTC", async () => {
    const [answer] = await ask(yanwen(), 'A');
    expect(answer).toMatchObject({ trackingNumber: 'A', carrier: 'Yanwen' });
    expect(
      answer!.observations.map(({ occurredAt, kind, status, subStatus }) => [
        new Date(occurredAt).toISOString(),
        kind,
        status,
        subStatus,
      ]),
    ).toEqual([
      ['2023-04-07T01:03:09.000Z', 'event', 'info_received', null],
      ['2023-04-10T01:32:00.000Z', 'event', 'in_transit', 'InTransit_Departure'],
      ['2023-04-26T07:52:37.000Z', 'event', 'delivered', 'Delivered_Other'],
      ['2023-04-26T12:16:02.000Z', 'event', 'exception', 'Exception_Returned'],
      ['2023-04-26T12:16:02.000Z', 'snapshot', 'exception', 'Exception_Returned'],
    ]);
    expect(statusesOf([answer!])).toEqual(['exception']);
  });

  it.each([
    ['OR20', 'info_received', null],
    ['PU10', 'in_transit', 'InTransit_PickedUp'],
    ['SC10', 'in_transit', 'InTransit_Other'],
    ['LH10', 'in_transit', 'InTransit_Other'],
    ['lh20', 'in_transit', 'InTransit_Departure'],
    ['IC50', 'in_transit', 'InTransit_CustomsProcessing'],
    ['LM10', null, null],
    ['ZZ10', null, null],
    ['OR', null, null],
  ])('code %s is %s', async (code, status, subStatus) => {
    const checkpoint = {
      time_stamp: '2023-04-07T09:03:09',
      time_zone: '',
      tracking_status: code,
      message: 'm',
    };
    const report = yanwenRow('A', { checkpoints: [checkpoint], tracking_status: code });
    carrier.script('A', { kind: 'known', report });
    const [answer] = await ask(yanwen(), 'A');
    const providerStatus = status === null ? code : null;
    for (const each of answer!.observations)
      expect(each).toMatchObject({ status, subStatus, providerStatus });
  });

  it('asks for thirty numbers a call, and for none that holds a comma', async () => {
    const numbers = [...Array.from({ length: 35 }, (_, index) => `N${index}`), 'A,B', 'Ü/?&'];
    const answers = await ask(yanwen(), ...numbers);
    expect(answers.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
    expect(carrier.requests.map((request) => request.numbers.length)).toEqual([30, 6]);
    expect(answers.at(-2)!.observations).toEqual([]);
    expect(carrier.requests[1]!.numbers.at(-1)).toBe('Ü/?&');
  });

  it("takes the row that was asked for, also under the last carrier's number", async () => {
    carrier.script('A', { kind: 'contradicting' });
    expect((await ask(yanwen(), 'A'))[0]!.observations).toHaveLength(5);
    carrier.script('B', { kind: 'known', report: yanwenRow('OTHER', { exchange_number: 'b' }) });
    expect((await ask(yanwen(), 'B'))[0]!.observations).toHaveLength(5);
  });

  it('malformed checkpoints do not spoil the others', async () => {
    const good = { time_stamp: '2023-04-07T09:03:09', time_zone: '+08', tracking_status: 'LM40' };
    const report = yanwenRow('A', {
      checkpoints: [null, 5, { time_stamp: {} }, good],
      tracking_status: null,
    });
    carrier.script('A', { kind: 'known', report });
    expect((await ask(yanwen(), 'A'))[0]!.observations).toMatchObject([{ status: 'delivered' }]);
  });

  it('its failure is a refusal, with its text as the cause alone', async () => {
    carrier.script('A', { kind: 'code', code: 1 });
    const error = await failureOf(yanwen(), 'A');
    expect(error).toMatchObject({ kind: 'refused', retryable: false });
    expect(error.message).not.toContain(CARRIER_SECRET);
  });
});

describe('the gate answers', () => {
  it('503 where no carrier is configured', async () => {
    const gate = createCarrierGate(null, { timeoutMs: 1_000 });
    expect(gate.name).toBeNull();
    expect(await refusalOf(gate, 'A')).toMatchObject({ status: 503, code: 'upstream_not_configured' });
  });

  it.each([
    ['refused', { kind: 'status', status: 401 }, 1],
    ['refused by code', { kind: 'code', code: -18010002 }, 1],
    ['broken', { kind: 'status', status: 500 }, 3],
    ['limited', { kind: 'status', status: 429 }, 3],
    ['hung up on', { kind: 'hang-up' }, 3],
    ['given garbage', { kind: 'garbage', text: 'x' }, 1],
  ] as [string, Behaviour, number][])(
    '502 where it was %s, retried where that may help',
    async (_, behaviour, calls) => {
      carrier.script('A', behaviour);
      expect(await refusalOf(openGate(), 'A')).toMatchObject({ status: 502, code: 'upstream_failed' });
      expect(carrier.requests).toHaveLength(calls);
    },
  );

  it('what a retry brings', async () => {
    const broken: Behaviour = { kind: 'status', status: 503 };
    carrier.script('A', broken, { kind: 'status', status: 429 }, { kind: 'known' });
    expect(statusesOf(await openGate().query(['A']))).toEqual(['in_transit']);
    expect(carrier.requests).toHaveLength(3);
  });

  it('for a number without an answer no observations', async () => {
    const gate = createCarrierGate(() => ({ name: 'odd', query: async () => [] }), { timeoutMs: 1_000 });
    expect(await gate.query(['a', 'A'])).toEqual([{ trackingNumber: 'A', carrier: null, observations: [] }]);
    expect(await gate.query([])).toEqual([]);
    gate.close();
  });
});

describe('the time', () => {
  it('504 where the carrier is too slow, within the limit', async () => {
    carrier.script('A', { kind: 'slow', ms: 3_000 });
    const started = performance.now();
    expect(await refusalOf(openGate({ timeoutMs: 300 }), 'A')).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('holds for retries too', async () => {
    carrier.script('A', { kind: 'status', status: 500 }, { kind: 'slow', ms: 3_000 });
    const started = performance.now();
    expect((await refusalOf(openGate({ timeoutMs: 300 }), 'A')).status).toBe(504);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('holds for a client that does not listen to its signal', async () => {
    const deaf: CarrierClient = { name: 'deaf', query: () => new Promise(() => {}) };
    const gate = createCarrierGate(() => deaf, { timeoutMs: 100 });
    gates.push(gate);
    expect((await refusalOf(gate, 'A')).status).toBe(504);
  });

  it('waits as long as Retry-After says, where that is in time', async () => {
    carrier.script('A', { kind: 'status', status: 429, retryAfter: '1' }, { kind: 'known' });
    expect(statusesOf(await openGate().query(['A']))).toEqual(['in_transit']);
    const [first, second] = carrier.requests.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(990);
  });

  it('does not wait where Retry-After goes past it', async () => {
    carrier.script('A', { kind: 'status', status: 429, retryAfter: '3600' });
    const started = performance.now();
    expect((await refusalOf(openGate(), 'A')).status).toBe(502);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(carrier.requests).toHaveLength(1);
  });
});

describe('the pace', () => {
  it('lets no more than three requests go in any second, retries and registrations included', async () => {
    const gate = openGate({ requestsPerSecond: 3, timeoutMs: 10_000 });
    carrier.script('A', { kind: 'status', status: 500 }, { kind: 'status', status: 500 }, { kind: 'known' });
    carrier.script('B', { kind: 'unregistered' });
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((number) => gate.query([number])),
    );
    expect(answers.flat()).toHaveLength(7);
    expect(carrier.requests).toHaveLength(11);
    const times = carrier.requests.map(({ at }) => at);
    expect(mostInASecond(times)).toBe(3);
    expect(times.at(-1)! - times[0]!).toBeLessThan(6_000);
  });

  it('503 at once for more questions than can have their turn in time, which is no failure of the carrier', async () => {
    const gate = openGate({ requestsPerSecond: 3, timeoutMs: 1_500, failuresToOpen: 1 });
    const numbers = Array.from({ length: 20 }, (_, index) => `N${index}`);
    const outcomes = await Promise.allSettled(numbers.map((number) => gate.query([number])));
    const crowded = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(outcomes.length - crowded.length).toBe(6);
    for (const { reason } of crowded) {
      expect(reason).toMatchObject({
        status: 503,
        code: 'upstream_unavailable',
        members: { source: 'carrier' },
      });
      expect(reason.headers['Retry-After']).toMatch(/^[1-9]$/);
    }
    expect(statusesOf(await gate.query(['AGAIN']))).toEqual(['in_transit']);
  });
});

describe('single flight', () => {
  it('asks for a number once at a time, whoever else asks', async () => {
    carrier.script('A', { kind: 'slow', ms: 150 });
    const gate = openGate();
    const answers = await Promise.all([gate.query(['A']), gate.query(['a ']), gate.query(['B', 'A'])]);
    expect(answers.map((each) => each.length)).toEqual([1, 1, 2]);
    expect(carrier.requests.map(({ numbers }) => numbers.join())).toEqual(['A', 'B']);
    await gate.query(['A']);
    expect(carrier.requests).toHaveLength(3);
  });

  it('a failure is shared, and counts once', async () => {
    carrier.script('A', { kind: 'status', status: 401 });
    const gate = openGate({ failuresToOpen: 2 });
    const outcomes = await Promise.allSettled([gate.query(['A']), gate.query(['A']), gate.query(['A'])]);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(carrier.requests).toHaveLength(1);
    expect((await refusalOf(gate, 'A')).status).toBe(502);
    expect(carrier.requests).toHaveLength(2);
  });
});

describe('the circuit', () => {
  const fail = async (gate: CarrierGate, times: number) => {
    for (let time = 0; time < times; time += 1) expect((await refusalOf(gate, 'BAD')).status).toBe(502);
  };

  it('opens after five failed questions in a row, retries not counted; then no request goes out', async () => {
    carrier.script('BAD', { kind: 'status', status: 500 });
    const gate = openGate();
    await fail(gate, 5);
    expect(carrier.requests).toHaveLength(15);
    for (const number of ['BAD', 'GOOD', 'OTHER']) {
      const started = performance.now();
      const error = await refusalOf(gate, number);
      expect(error).toMatchObject({ status: 503, code: 'upstream_unavailable' });
      expect(Number(error.headers['Retry-After'])).toBeGreaterThan(25);
      expect(Number(error.headers['Retry-After'])).toBeLessThanOrEqual(30);
      expect(performance.now() - started).toBeLessThan(500);
    }
    expect(carrier.requests).toHaveLength(15);
  });

  it('a success begins the count anew', async () => {
    carrier.script('BAD', { kind: 'garbage', text: 'x' });
    const gate = openGate();
    for (let round = 0; round < 3; round += 1) {
      await fail(gate, 4);
      await gate.query(['GOOD']);
    }
    await fail(gate, 5);
    expect((await refusalOf(gate, 'GOOD')).status).toBe(503);
  });

  it('that a carrier knows nothing of a number is no failure', async () => {
    carrier.script('A', { kind: 'unknown' });
    const gate = openGate();
    for (let time = 0; time < 6; time += 1)
      expect(statusesOf(await gate.query(['A']))).toEqual(['not_found']);
  });

  it('too slow counts as failed', async () => {
    carrier.script('SLOW', { kind: 'slow', ms: 2_000 });
    const gate = openGate({ timeoutMs: 60 });
    for (let time = 0; time < 5; time += 1) expect((await refusalOf(gate, 'SLOW')).status).toBe(504);
    expect((await refusalOf(gate, 'SLOW')).status).toBe(503);
  });

  it('lets one question try after its time: a failure opens it again, a success closes it', async () => {
    carrier.script('BAD', { kind: 'garbage', text: 'x' });
    const gate = openGate({ resetMs: 150 });
    await fail(gate, 5);
    expect((await refusalOf(gate, 'BAD')).headers['Retry-After']).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 250));
    await fail(gate, 1);
    expect((await refusalOf(gate, 'GOOD')).status).toBe(503);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const before = carrier.requests.length;
    carrier.script('SLOW', { kind: 'slow', ms: 100 });
    const probe = gate.query(['SLOW']);
    expect((await refusalOf(gate, 'GOOD')).status).toBe(503);
    expect(statusesOf(await probe)).toEqual(['in_transit']);
    expect(carrier.requests).toHaveLength(before + 1);
    expect(statusesOf(await gate.query(['GOOD']))).toEqual(['in_transit']);
    await fail(gate, 4);
    expect(statusesOf(await gate.query(['GOOD']))).toEqual(['in_transit']);
  });

  it('503 after it was closed for good', async () => {
    const gate = openGate();
    gate.close();
    expect(await refusalOf(gate, 'A')).toMatchObject({ status: 503 });
  });
});
