import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failureOf,
  queryCarrier,
  statusesOf,
  yanwenClientOf,
} from '../../../support/stand-ins/carrier-clients';
import { yanwenRow } from '../../../support/stand-ins/carrier-reports';
import {
  CARRIER_SECRET,
  type CarrierStandIn,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

const createYanwenClient = (account?: string) => yanwenClientOf(carrier, account);

describe('yanwen', () => {
  it("parses the sample from Yanwen's documentation, and sorts its events by UTC time", async () => {
    const [answer] = await queryCarrier(createYanwenClient(), 'A');
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

  it('reads a response with more rows than a function accepts arguments', async () => {
    const text = JSON.stringify({ code: 0, result: [...Array(150_000).fill({}), yanwenRow('A', {})] });
    carrier.script('A', { kind: 'garbage', text });
    expect(await queryCarrier(createYanwenClient(), 'A')).toMatchObject([{ carrier: 'Yanwen' }]);
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
  ])('code %s results in status %s', async (code, status, subStatus) => {
    const checkpoint = {
      time_stamp: '2023-04-07T09:03:09',
      time_zone: '',
      tracking_status: code,
      message: 'm',
    };
    const report = yanwenRow('A', { checkpoints: [checkpoint], tracking_status: code });
    carrier.script('A', { kind: 'known', report });
    const [answer] = await queryCarrier(createYanwenClient(), 'A');
    const providerStatus = status === null ? code : null;
    for (const observation of answer!.observations)
      expect(observation).toMatchObject({ status, subStatus, providerStatus });
  });

  it('queries at most thirty numbers per call, and none that contains a comma', async () => {
    const numbers = [...Array.from({ length: 35 }, (_, index) => `N${index}`), 'A,B', 'Ü/?&'];
    const answers = await queryCarrier(createYanwenClient(), ...numbers);
    expect(answers.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
    expect(carrier.requests.map((request) => request.numbers.length)).toEqual([30, 6]);
    expect(answers.at(-2)!.observations).toEqual([]);
    expect(carrier.requests[1]!.numbers.at(-1)).toBe('Ü/?&');
  });

  it("finds the row of a number, even if it is the last-mile carrier's number", async () => {
    carrier.script('A', { kind: 'contradicting' });
    expect((await queryCarrier(createYanwenClient(), 'A'))[0]!.observations).toHaveLength(5);
    carrier.script('B', { kind: 'known', report: yanwenRow('OTHER', { exchange_number: 'b' }) });
    expect((await queryCarrier(createYanwenClient(), 'B'))[0]!.observations).toHaveLength(5);
  });

  it('keeps the other checkpoints if some are malformed, and says which it left out and why', async () => {
    const validCheckpoint = { time_stamp: '2023-04-07T09:03:09', time_zone: '+08', tracking_status: 'LM40' };
    const report = yanwenRow('A', {
      checkpoints: [null, 5, { time_stamp: {} }, validCheckpoint],
      tracking_status: null,
    });
    carrier.script('A', { kind: 'known', report });
    const [answer] = await queryCarrier(createYanwenClient(), 'A');
    expect(answer!.observations).toMatchObject([{ status: 'delivered' }]);
    expect(answer!.skipped!.parts.map(({ path, reason }) => [path, reason.reason])).toEqual([
      ['checkpoints.0', 'callback.empty'],
      ['checkpoints.1', 'callback.empty'],
      ['checkpoints.2', 'callback.unreadableTime'],
    ]);
  });

  it('reads an offset that is a number like one that is text', async () => {
    const checkpoints = ['+8', 8].map((time_zone) => ({
      time_stamp: '2023-04-07T09:03:09',
      time_zone,
      tracking_status: 'LH20',
      message: 'Departure',
    }));
    carrier.script('A', { kind: 'known', report: yanwenRow('A', { checkpoints }) });
    const [answer] = await queryCarrier(createYanwenClient(), 'A');
    const events = answer!.observations.filter(({ kind }) => kind === 'event');
    expect(events.map(({ occurredAt }) => occurredAt)).toEqual(Array(2).fill(Date.UTC(2023, 3, 7, 1, 3, 9)));
    expect(new Set(events.map(({ identity }) => identity)).size).toBe(1);
  });

  it("treats a failure as a refusal, without the carrier's text in the message", async () => {
    carrier.script('A', { kind: 'code', code: 1 });
    const error = await failureOf(createYanwenClient(), 'A');
    expect(error).toMatchObject({ kind: 'refused', retryable: false });
    expect(error.message).not.toContain(CARRIER_SECRET);
  });
});
