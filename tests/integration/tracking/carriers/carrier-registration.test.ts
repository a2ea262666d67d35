import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
import {
  type Behaviour,
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

const OUT_OF_QUOTA: Behaviour = { kind: 'code', code: -18019908 };

const failuresOf = (answers: Awaited<ReturnType<typeof queryCarrier>>) =>
  answers.map(({ failure = null }) => failure);

describe('a registration that fails keeps the answers about other numbers', () => {
  it.each<[string, Behaviour]>([
    ['broken', { kind: 'status', status: 500 }],
    ['limited', { kind: 'status', status: 429 }],
    ['refused', { kind: 'status', status: 401 }],
    ['limited', OUT_OF_QUOTA],
    ['broken', { kind: 'code', code: -18010012 }],
    ['broken', { kind: 'garbage', text: 'x' }],
    ['broken', { kind: 'hang-up' }],
  ])('and says that it is %s: %j', async (failure, behaviour) => {
    carrier.script('NEW1', { kind: 'unregistered' });
    carrier.script('NEW2', { kind: 'unregistered' });
    carrier.script('BLANK', { kind: 'unknown' });
    carrier.scriptRegistration(behaviour);
    const answers = await queryCarrier(track17ClientOf(carrier), 'GOOD1', 'NEW1', 'NEW2', 'BLANK');
    expect(statusesOf(answers)).toEqual(['in_transit', 'not_found', 'not_found', 'not_found']);
    expect(failuresOf(answers)).toEqual([null, failure, failure, null]);
    expect(answers.map(({ isNewlyRegistered = false }) => isNewlyRegistered)).not.toContain(true);
    expect(await failureOf(track17ClientOf(carrier), 'NEW1', 'NEW2')).toMatchObject({ kind: failure });
  });

  it('and so does one that is refused for some numbers for lack of quota', async () => {
    carrier.script('NEW1', { kind: 'unregistered' });
    carrier.script('NEW2', { kind: 'no-quota' });
    const answers = await queryCarrier(track17ClientOf(carrier), 'NEW1', 'NEW2');
    expect(statusesOf(answers)).toEqual(['in_transit', 'not_found']);
    expect(failuresOf(answers)).toEqual([null, 'limited']);
  });
});

describe('a query after the registration that fails', () => {
  const scriptFailure = () =>
    carrier.script('NEW1', { kind: 'unregistered' }, { kind: 'status', status: 500 });

  it.each([[['GOOD1', 'NEW1']], [['NEW1']]])(
    'forgets neither other answers nor the registration: %j',
    async (numbers) => {
      scriptFailure();
      const answers = await queryCarrier(track17ClientOf(carrier), ...numbers);
      expect(answers.at(-1)).toMatchObject({ failure: 'broken', isNewlyRegistered: true });
      expect(statusesOf(answers.slice(0, -1))).toEqual(numbers.slice(0, -1).map(() => 'in_transit'));
      expect(failuresOf(answers.slice(0, -1))).toEqual(numbers.slice(0, -1).map(() => null));
    },
  );

  it('is stored as a registration, and shown as a query that failed', async () => {
    const service = await startTestService({
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
      TRACK17_REGISTER: 'true',
    });
    const operator = await createSignedInUser(service, 'operator');
    const rows = ['GOOD1', 'NEW1', 'QUOTA1'].map((number) => ({
      receipt_id: number,
      transaction_id: number,
      tracking_number: number,
    }));
    await service.importRows(rows);
    scriptFailure();
    carrier.script('QUOTA1', { kind: 'no-quota' });
    const { data } = await operator.call('shipments.askCarrier', {
      tracking_numbers: ['GOOD1', 'NEW1', 'QUOTA1'],
    });
    expect(data.results).toMatchObject([
      { outcome: 'answered', status: 'in_transit', reason: null },
      { outcome: 'failed', reason: { reason: 'carrier.broken' } },
      { outcome: 'failed', reason: { reason: 'carrier.limited' } },
    ]);
    expect(
      await service.database.query(
        `SELECT tracking_number, registered_at IS NOT NULL AS registered, asked_at IS NOT NULL AS asked
           FROM tracking_numbers ORDER BY 1`,
      ),
    ).toEqual([
      { tracking_number: 'GOOD1', registered: false, asked: true },
      { tracking_number: 'NEW1', registered: true, asked: true },
      { tracking_number: 'QUOTA1', registered: false, asked: false },
    ]);
    await service.close();
  });
});

it('a quota that is used up does not open the circuit, so that registered numbers are still queried', async () => {
  const gate = openGate(carrier);
  carrier.script('NEW1', { kind: 'unregistered' });
  carrier.scriptRegistration(OUT_OF_QUOTA);
  for (let n = 0; n < 6; n += 1) expect((await refusalOf(gate, 'NEW1')).status).toBe(502);
  expect(statusesOf(await gate.query(['GOOD1']))).toEqual(['in_transit']);
});
