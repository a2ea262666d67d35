import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarrierGate } from '../../../../src/server/tracking/carriers/carrier-gate';
import { openGate, refusalOf, statusesOf } from '../../../support/stand-ins/carrier-clients';
import { type CarrierStandIn, startCarrierStandIn } from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

describe('the circuit', () => {
  const failQueries = async (gate: CarrierGate, count: number) => {
    for (let n = 0; n < count; n += 1) expect((await refusalOf(gate, 'BAD')).status).toBe(502);
  };

  it('opens after five failed queries in a row, not counting retries, and then no request is sent', async () => {
    carrier.script('BAD', { kind: 'status', status: 500 });
    const gate = openGate(carrier);
    await failQueries(gate, 5);
    expect(carrier.requests).toHaveLength(15);
    for (const number of ['BAD', 'GOOD', 'OTHER']) {
      const error = await refusalOf(gate, number);
      expect(error).toMatchObject({ status: 503, code: 'upstream_unavailable' });
      expect(Number(error.headers['Retry-After'])).toBeGreaterThan(25);
      expect(Number(error.headers['Retry-After'])).toBeLessThanOrEqual(30);
    }
    expect(carrier.requests).toHaveLength(15);
  });

  it('counts failures from zero again after a success', async () => {
    carrier.script('BAD', { kind: 'garbage', text: 'x' });
    const gate = openGate(carrier);
    for (let round = 0; round < 3; round += 1) {
      await failQueries(gate, 4);
      await gate.query(['GOOD']);
    }
    await failQueries(gate, 5);
    expect((await refusalOf(gate, 'GOOD')).status).toBe(503);
  });

  it('does not count an unknown number as a failure', async () => {
    carrier.script('A', { kind: 'unknown' });
    const gate = openGate(carrier);
    for (let n = 0; n < 6; n += 1) expect(statusesOf(await gate.query(['A']))).toEqual(['not_found']);
  });

  it('counts a slow query as a failure', async () => {
    carrier.script('SLOW', { kind: 'slow', ms: 2_000 });
    const gate = openGate(carrier, { timeoutMs: 60 });
    for (let n = 0; n < 5; n += 1) expect((await refusalOf(gate, 'SLOW')).status).toBe(504);
    expect((await refusalOf(gate, 'SLOW')).status).toBe(503);
  });

  it('lets one query through after a while: a failure opens it again, and a success closes it', async () => {
    carrier.script('BAD', { kind: 'garbage', text: 'x' });
    // The clock stands still, so that even on a busy machine the gate does not let a query through too early.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const resetMs = 1_000;
    const waitForReset = () => vi.setSystemTime(Date.now() + resetMs + 100);
    const gate = openGate(carrier, { resetMs, now: () => Date.now() });
    await failQueries(gate, 5);
    expect((await refusalOf(gate, 'BAD')).headers['Retry-After']).toBe('1');
    waitForReset();
    await failQueries(gate, 1);
    expect((await refusalOf(gate, 'GOOD')).status).toBe(503);
    waitForReset();
    const requestCount = carrier.requests.length;
    carrier.script('SLOW', { kind: 'slow', ms: 500 });
    const probePromise = gate.query(['SLOW']);
    expect((await refusalOf(gate, 'GOOD')).status).toBe(503);
    expect(statusesOf(await probePromise)).toEqual(['in_transit']);
    expect(carrier.requests).toHaveLength(requestCount + 1);
    expect(statusesOf(await gate.query(['GOOD']))).toEqual(['in_transit']);
    await failQueries(gate, 4);
    expect(statusesOf(await gate.query(['GOOD']))).toEqual(['in_transit']);
  });

  it('does not let a query through once the service has closed the gate', async () => {
    const gate = openGate(carrier);
    gate.close();
    expect(await refusalOf(gate, 'A')).toMatchObject({ status: 503 });
  });
});
