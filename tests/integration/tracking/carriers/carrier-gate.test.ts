import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCarrierGate } from '../../../../src/server/tracking/carriers/carrier-gate';
import { openGate, refusalOf, statusesOf } from '../../../support/stand-ins/carrier-clients';
import {
  type Behaviour,
  type CarrierStandIn,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

describe('the gate returns', () => {
  it('503 if no carrier is configured', async () => {
    const gate = createCarrierGate(null, { timeoutMs: 1_000 });
    expect(gate.name).toBeNull();
    expect(await refusalOf(gate, 'A')).toMatchObject({ status: 503, code: 'upstream_not_configured' });
  });

  it.each([
    ['refuses', { kind: 'status', status: 401 }, 1],
    ['refuses with a code', { kind: 'code', code: -18010002 }, 1],
    ['is broken', { kind: 'status', status: 500 }, 3],
    ['limits requests', { kind: 'status', status: 429 }, 3],
    ['hangs up', { kind: 'hang-up' }, 3],
    ['sends garbage', { kind: 'garbage', text: 'x' }, 1],
  ] as [string, Behaviour, number][])(
    '502 if the carrier %s, after retries if they may help',
    async (_, behaviour, requestCount) => {
      carrier.script('A', behaviour);
      expect(await refusalOf(openGate(carrier), 'A')).toMatchObject({ status: 502, code: 'upstream_failed' });
      expect(carrier.requests).toHaveLength(requestCount);
    },
  );

  it('the answers of a retry', async () => {
    const brokenBehaviour: Behaviour = { kind: 'status', status: 503 };
    carrier.script('A', brokenBehaviour, { kind: 'status', status: 429 }, { kind: 'known' });
    expect(statusesOf(await openGate(carrier).query(['A']))).toEqual(['in_transit']);
    expect(carrier.requests).toHaveLength(3);
  });

  it('no observations for a number without an answer', async () => {
    const gate = createCarrierGate(() => ({ name: 'odd', query: async () => [] }), { timeoutMs: 1_000 });
    expect(await gate.query(['a', 'A'])).toEqual([{ trackingNumber: 'A', carrier: null, observations: [] }]);
    expect(await gate.query([])).toEqual([]);
    gate.close();
  });
});

describe('simultaneous queries', () => {
  it('query a number only once, however many wait for it', async () => {
    carrier.script('A', { kind: 'slow', ms: 150 });
    const gate = openGate(carrier);
    const results = await Promise.all([gate.query(['A']), gate.query(['a ']), gate.query(['B', 'A'])]);
    expect(results.map((answers) => answers.length)).toEqual([1, 1, 2]);
    expect(carrier.requests.map(({ numbers }) => numbers.join())).toEqual(['A', 'B']);
    await gate.query(['A']);
    expect(carrier.requests).toHaveLength(3);
  });

  it('share a failure, which counts once', async () => {
    carrier.script('A', { kind: 'status', status: 401 });
    const gate = openGate(carrier, { failureThreshold: 2 });
    const outcomes = await Promise.allSettled([gate.query(['A']), gate.query(['A']), gate.query(['A'])]);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(carrier.requests).toHaveLength(1);
    expect((await refusalOf(gate, 'A')).status).toBe(502);
    expect(carrier.requests).toHaveLength(2);
  });
});
