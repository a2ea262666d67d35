import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create17TrackClient } from '../../../../src/server/tracking/carriers/carrier-17track';
import { refreshShipments } from '../../../../src/server/tracking/shipments/refresh-service';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';
import {
  failureOf,
  openGate,
  queryCarrier,
  statusesOf,
  track17ClientOf,
  yanwenClientOf,
} from '../../../support/stand-ins/carrier-clients';
import { IN_TRANSIT, yanwenRow } from '../../../support/stand-ins/carrier-reports';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({ TRACK17_KEY: KEY_17TRACK, TRACK17_BASE_URL: carrier.track17Url });
  operator = await createSignedInUser(service, 'operator');
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

const acceptedRow = (number: unknown) => ({ number, carrier: 21051, track_info: IN_TRANSIT });
const rejectedRow = (number: unknown, code = -18019909) => ({ number, error: { code, message: '' } });
/** Makes the carrier answer the next query that includes the number with these rows. */
const scriptRows = (number: string, accepted: unknown[], rejected: unknown[] = []) =>
  carrier.script(
    number,
    { kind: 'garbage', text: JSON.stringify({ code: 0, data: { accepted, rejected } }) },
    { kind: 'known' },
  );
const unreadableNumbersOf = (answers: Awaited<ReturnType<typeof queryCarrier>>) =>
  answers.filter(({ failure }) => failure).map(({ trackingNumber }) => trackingNumber);

describe('one row that cannot be read does not discard the others, and its number counts as not answered', () => {
  it.each([
    ['a rejected row without an error', [], [{ number: 'ODD1' }]],
    ['an accepted row with an odd number', [acceptedRow(['ODD1'])], []],
    ['an accepted row whose number has lost its digits', [acceptedRow(2 ** 53)], []],
    ['an accepted row with an odd report', [{ number: 'ODD1', track_info: 'x' }], []],
    ['a row of another type', [null], [5]],
  ])("of 17TRACK's: %s", async (_, accepted, rejected) => {
    scriptRows('GOOD1', [acceptedRow('GOOD1'), ...accepted], [rejectedRow('NEW1'), ...rejected]);
    const answers = await queryCarrier(track17ClientOf(carrier), 'GOOD1', 'ODD1', 'NEW1');
    expect(statusesOf(answers)).toEqual(['in_transit', 'not_found', 'not_found']);
    expect(unreadableNumbersOf(answers)).toEqual(['ODD1']);
  });

  it("of 17TRACK's registration, or of the query after it", async () => {
    const responses = [
      {
        accepted: [acceptedRow('GOOD1')],
        rejected: ['ODD1', 'ODD2'].map((number) => rejectedRow(number, -18019902)),
      },
      { accepted: [{ number: 'ODD1' }, null] },
      { accepted: [null] },
    ];
    const fetch = async () => Response.json({ code: 0, data: responses.shift() });
    const client = create17TrackClient({ key: '', baseUrl: 'http://17track', fetch });
    const answers = await queryCarrier(client, 'GOOD1', 'ODD1', 'ODD2');
    expect(unreadableNumbersOf(answers)).toEqual(['ODD1', 'ODD2']);
    expect(answers.map(({ isNewlyRegistered = false }) => isNewlyRegistered)).toEqual([false, true, false]);
  });

  it("of Yanwen's", async () => {
    const result = [yanwenRow('GOOD1'), null, { tracking_number: {} }];
    carrier.script('GOOD1', { kind: 'garbage', text: JSON.stringify({ code: 0, result }) });
    const answers = await queryCarrier(yanwenClientOf(carrier), 'GOOD1', 'ODD1');
    expect(answers.map(({ observations }) => observations.length)).toEqual([5, 0]);
    expect(unreadableNumbersOf(answers)).toEqual(['ODD1']);
  });
});

it('a number that 17TRACK returns as a JSON number is read', async () => {
  scriptRows('4006381333931', [acceptedRow(4_006_381_333_931)]);
  expect(statusesOf(await queryCarrier(track17ClientOf(carrier), '4006381333931'))).toEqual(['in_transit']);
});

it('a response without any readable row about the queried numbers is broken', async () => {
  scriptRows('ODD1', [null], [{ number: 'ODD1' }]);
  expect(await failureOf(track17ClientOf(carrier), 'ODD1')).toMatchObject({
    kind: 'broken',
    retryable: false,
  });
});

const readQueriedNumbers = async () =>
  (
    await service.database.query<{ tracking_number: string }>(
      'SELECT tracking_number FROM tracking_numbers WHERE asked_at IS NOT NULL ORDER BY 1',
    )
  ).map((row) => row.tracking_number);

describe('a number whose answer cannot be read', () => {
  it('fails on the page of shipments, with the reason, and counts as not queried; the others are updated', async () => {
    await service.importRows([
      { receipt_id: 'page1', transaction_id: '1', tracking_number: 'PAGE1' },
      { receipt_id: 'page2', transaction_id: '2', tracking_number: 'PAGE2' },
    ]);
    scriptRows('PAGE1', [acceptedRow('PAGE1')], [{ number: 'PAGE2' }]);
    const { data } = await operator.call('shipments.askCarrier', { tracking_numbers: ['PAGE1', 'PAGE2'] });
    expect(data.results).toMatchObject([
      { tracking_number: 'PAGE1', outcome: 'answered', status: 'in_transit', reason: null },
      { tracking_number: 'PAGE2', outcome: 'failed', reason: { reason: 'carrier.broken' } },
    ]);
    expect(await readQueriedNumbers()).toEqual(['PAGE1']);
  });

  it('is a 502 of GET /api/logistics, not a number that the carrier does not know; the others are updated', async () => {
    await service.importRows([
      { receipt_id: 'both', transaction_id: '1', tracking_number: 'BOTH1' },
      { receipt_id: 'both', transaction_id: '2', tracking_number: 'BOTH2' },
    ]);
    scriptRows('BOTH1', [acceptedRow('BOTH1')], [{ number: 'BOTH2' }]);
    const { status, json } = await service.send('/api/logistics?order_number=both');
    expect([status, json]).toMatchObject([502, { code: 'upstream_failed', source: 'carrier' }]);
    const rows = await service.database.query(
      `SELECT tracking_number, status FROM tracking_numbers WHERE tracking_number LIKE 'BOTH%' ORDER BY 1`,
    );
    expect(rows).toEqual([
      { tracking_number: 'BOTH1', status: 'in_transit' },
      { tracking_number: 'BOTH2', status: 'not_found' },
    ]);
  });

  it('does not end a refresh', async () => {
    await service.database.query('TRUNCATE tracking_numbers CASCADE');
    await service.database.query(
      `INSERT INTO tracking_numbers (tracking_number, status)
       SELECT 'FRESH' || n, 'info_received' FROM generate_series(1, 45) n`,
    );
    // The numbers without a row are those of the first batch.
    scriptRows('FRESH1', [acceptedRow('FRESH1'), null]);
    const result = await refreshShipments(service.app.services.db, openGate(carrier), {
      queriedBefore: new Date(),
      days: 60,
      signal: new AbortController().signal,
    });
    expect(result).toMatchObject({ queried: 45, changed: 6 });
  });
});
