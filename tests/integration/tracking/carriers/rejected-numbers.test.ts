import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService } from '../../../support/service/test-service';
import {
  failureOf,
  openGate,
  queryCarrier,
  refusalOf,
  statusesOf,
  track17ClientOf,
} from '../../../support/stand-ins/carrier-clients';
import { IN_TRANSIT } from '../../../support/stand-ins/carrier-reports';
import {
  CARRIER_SECRET,
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
});
afterAll(() => carrier.close());

const acceptedRow = (number: string) => ({ number, carrier: 21051, track_info: IN_TRANSIT });
/** Makes 17TRACK reject every query that begins with the number with this code, and accept the other numbers. */
const scriptRejection = (number: string, code: number, ...acceptedNumbers: string[]) => {
  const rejected = [{ number, error: { code, message: CARRIER_SECRET } }];
  const accepted = acceptedNumbers.map(acceptedRow);
  carrier.script(number, {
    kind: 'garbage',
    text: JSON.stringify({ code: 0, data: { accepted, rejected } }),
  });
};
const failuresOf = (answers: Awaited<ReturnType<typeof queryCarrier>>) =>
  answers.map(({ failure = null }) => failure);

describe('a number that 17TRACK rejects', () => {
  it.each([
    ['the daily limit', -18019907, 'limited'],
    ['the quota', -18019908, 'limited'],
    ['the key', -18010002, 'refused'],
    ['an internal error', -18010003, 'broken'],
    ['an unknown reason', -18019999, 'broken'],
  ])('because of %s is a failed query, next to other answers and alone', async (_, code, kind) => {
    const client = track17ClientOf(carrier);
    scriptRejection('REJECTED1', code, 'GOOD1');
    const answers = await queryCarrier(client, 'REJECTED1', 'GOOD1');
    expect(statusesOf(answers)).toEqual(['not_found', 'in_transit']);
    expect(failuresOf(answers)).toEqual([kind, null]);
    scriptRejection('REJECTED1', code);
    expect(await failureOf(client, 'REJECTED1')).toMatchObject({ kind, retryable: false });
  });

  it.each([
    ['it is not registered', -18019902],
    ['its carrier is not detected', -18019903],
    ['there is no information yet', -18019909],
    ['its carrier is wrong', -18019910],
    ['its format is invalid', -18010012],
    ['its carrier wants a postcode', -18010019],
  ])('because %s is not known to 17TRACK, which is an answer', async (_, code) => {
    const client = track17ClientOf(carrier, { register: false });
    scriptRejection('REJECTED1', code);
    const answers = await queryCarrier(client, 'REJECTED1');
    expect([statusesOf(answers), failuresOf(answers)]).toEqual([['not_found'], [null]]);
  });

  it('for one of its carriers has the answer of the other', async () => {
    scriptRejection('REJECTED1', -18019908, 'REJECTED1');
    const answers = await queryCarrier(track17ClientOf(carrier), 'REJECTED1');
    expect([statusesOf(answers), failuresOf(answers)]).toEqual([['in_transit'], [null]]);
  });

  it('has a failed query, too, if it has just been registered, and does not lose the registration', async () => {
    const rejection = { number: 'NEW1', error: { code: -18019907, message: '' } };
    const text = JSON.stringify({ code: 0, data: { accepted: [], rejected: [rejection] } });
    carrier.script('NEW1', { kind: 'unregistered' }, { kind: 'garbage', text });
    expect(await queryCarrier(track17ClientOf(carrier), 'NEW1')).toMatchObject([
      { failure: 'limited', isNewlyRegistered: true },
    ]);
  });

  it('for lack of quota does not open the circuit', async () => {
    const gate = openGate(carrier);
    scriptRejection('REJECTED1', -18019907);
    for (let n = 0; n < 6; n += 1) expect((await refusalOf(gate, 'REJECTED1')).status).toBe(502);
    expect(statusesOf(await gate.query(['GOOD1']))).toEqual(['in_transit']);
  });

  it('for lack of quota is shown with the reason, and counts as not queried', async () => {
    const service = await startTestService({
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
    });
    const operator = await createSignedInUser(service, 'operator');
    const numbers = ['REJECTED1', 'GOOD1'];
    await service.importRows(
      numbers.map((number) => ({ receipt_id: number, transaction_id: number, tracking_number: number })),
    );
    scriptRejection('REJECTED1', -18019907, 'GOOD1');
    const { data } = await operator.call('shipments.askCarrier', { tracking_numbers: numbers });
    expect(data.results).toMatchObject([
      { outcome: 'failed', reason: { reason: 'carrier.limited' } },
      { outcome: 'answered', status: 'in_transit', reason: null },
    ]);
    expect(
      await service.database.query(
        'SELECT tracking_number FROM tracking_numbers WHERE asked_at IS NOT NULL ORDER BY 1',
      ),
    ).toEqual([{ tracking_number: 'GOOD1' }]);
    await service.close();
  });
});
