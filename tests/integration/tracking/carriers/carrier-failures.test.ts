import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CarrierError } from '../../../../src/server/tracking/carriers/carrier-client';
import {
  failureOf,
  queryCarrier,
  track17ClientOf,
  yanwenClientOf,
} from '../../../support/stand-ins/carrier-clients';
import {
  type Behaviour,
  CARRIER_SECRET,
  type CarrierStandIn,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

const create17TrackClient = (options?: Parameters<typeof track17ClientOf>[1]) =>
  track17ClientOf(carrier, options);
const createYanwenClient = (account?: string) => yanwenClientOf(carrier, account);

const FAILURES: [name: string, behaviour: Behaviour, kind: CarrierError['kind'], retryable: boolean][] = [
  ['401', { kind: 'status', status: 401 }, 'refused', false],
  ['403', { kind: 'status', status: 403 }, 'refused', false],
  ['429', { kind: 'status', status: 429 }, 'limited', true],
  ['500', { kind: 'status', status: 500 }, 'broken', true],
  ['503', { kind: 'status', status: 503 }, 'broken', true],
  ['404', { kind: 'status', status: 404 }, 'broken', false],
  ['a redirect', { kind: 'status', status: 302 }, 'broken', false],
  ['a closed connection', { kind: 'hang-up' }, 'broken', true],
  ['text that is not JSON', { kind: 'garbage', text: '<html>' }, 'broken', false],
  ['an empty body', { kind: 'garbage', text: '' }, 'broken', false],
  ['half a JSON document', { kind: 'garbage', text: '{"code":0,"data":{"acc' }, 'broken', false],
  ['an array', { kind: 'garbage', text: '[]' }, 'broken', false],
  ['null', { kind: 'garbage', text: 'null' }, 'broken', false],
  ['no code', { kind: 'garbage', text: '{"data":{},"result":[]}' }, 'broken', false],
  ['only a code', { kind: 'garbage', text: '{"code":0}' }, 'broken', false],
  [
    'rows with another structure',
    { kind: 'garbage', text: '{"code":0,"data":{"accepted":[5]},"result":[5]}' },
    'broken',
    false,
  ],
  [
    'a report with another structure',
    {
      kind: 'garbage',
      text: '{"code":0,"data":{"accepted":[{"number":"A","track_info":"x"}]},"result":"x"}',
    },
    'broken',
    false,
  ],
];

describe.each([
  ['17track', create17TrackClient],
  ['yanwen', createYanwenClient],
] as const)('%s', (_, createClient) => {
  it.each(FAILURES)('fails on %s', async (_, behaviour, kind, retryable) => {
    carrier.script('A', behaviour);
    const error = await failureOf(createClient(), 'A');
    expect(error).toMatchObject({ kind, retryable });
    expect(error.message).not.toContain(CARRIER_SECRET);
  });

  it('reports an unreachable carrier as broken and retryable', async () => {
    const client = createClient();
    await carrier.close();
    expect(await failureOf(client, 'A')).toMatchObject({ kind: 'broken', retryable: true });
    carrier = await startCarrierStandIn();
  });

  it('stops when its signal is aborted', async () => {
    carrier.script('A', { kind: 'slow', ms: 60_000 });
    await expect(createClient().query(['A'], AbortSignal.timeout(100))).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  it('returns no observations for an unknown number', async () => {
    carrier.script('A', { kind: 'unknown' });
    const answers = await queryCarrier(createClient(), 'A', 'B');
    expect(answers.map(({ observations }) => observations.length > 0)).toEqual([false, true]);
    expect(answers[0]).toEqual({ trackingNumber: 'A', carrier: null, observations: [] });
  });

  it('returns answers in the order of the query, with each number once, without spaces and in upper case', async () => {
    const answers = await queryCarrier(createClient(), 'b 2', 'A1', 'B2');
    expect(answers.map(({ trackingNumber }) => trackingNumber)).toEqual(['B2', 'A1']);
    expect(carrier.requests).toHaveLength(1);
  });

  it('sends no request without numbers', async () => {
    expect(await queryCarrier(createClient())).toEqual([]);
    expect(carrier.requests).toEqual([]);
  });

  it('reports a wrong key as refused', async () => {
    const client =
      createClient === create17TrackClient
        ? create17TrackClient({ key: 'wrong' })
        : createYanwenClient('wrong');
    expect(await failureOf(client, 'A')).toMatchObject({ kind: 'refused', retryable: false });
  });
});
