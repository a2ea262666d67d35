import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  const rowOf = (receiptId: string, day: number, cells: object) => ({
    receipt_id: receiptId,
    sale_date: `8/${day}/2026`,
    title: 'Fox Sticker',
    ...cells,
  });
  const { status } = await service.importRows([
    rowOf('4165001001', 1, { name: 'Kira Mockford', city: 'Madison', zip: '53703' }),
    rowOf('4165001002', 2, { name: 'Ada Proxy', tracking_number: 'LX402225974CN' }),
    rowOf('AB-4165003', 3, { name: 'Li Wei' }),
    rowOf('Cd%4165005', 2, { name: 'Mina Sample' }),
    rowOf('Xy-4165007', 5, { name: 'Noor Basic' }),
    rowOf('4165001004', 4, { name: 'Greta Fields', tracking_number: 'LX402225975CN' }),
  ]);
  expect(status).toBe(200);
  await service.app.services.searchIndexer.finishIndexing();
});
afterAll(() => service?.close());

const findReceiptIds = async (text: string) => {
  const { data, error } = await viewer.call('orders.list', { filter: { text } });
  expect(error).toBeNull();
  return data.orders.map((order: { receipt_id: string }) => order.receipt_id);
};
const suggestNames = async (text: string) => (await viewer.call('orders.suggest', { text })).data.names;

describe('a search', () => {
  it.each([
    ['4165001001\n4165001004', ['4165001004', '4165001001']],
    ['LX402225974CN, 4165001001, 9999999999', ['4165001002', '4165001001']],
    ['ab-4165003;lx402225975cn', ['4165001004', 'AB-4165003']],
    ['Xy-4165007 4165001001', ['Xy-4165007', '4165001001']],
    ['9999999998 9999999999', []],
  ])('for the numbers %j finds the orders that have any of them', async (text, expectedReceiptIds) => {
    expect(await findReceiptIds(text)).toEqual(expectedReceiptIds);
    expect((await viewer.call('orders.count', { filter: { text } })).data.count).toBe(
      expectedReceiptIds.length,
    );
  });

  it.each([['LX 4022 2597 4CN'], ['lx402225974cn'], [' 4165 001 002 ']])(
    'for %j finds the order with this number, whatever its spaces and letter case',
    async (text) => {
      expect(await findReceiptIds(text)).toEqual(['4165001002']);
    },
  );

  it.each(['4165001002.0', '#4165 001 002', '4165001002.0 9999999999'])(
    'for %j reads an order number as an import does',
    async (text) => {
      expect(await findReceiptIds(text)).toEqual(['4165001002']);
    },
  );

  it.each([['madison'], ['53703'], ['kira madison']])(
    'for %j finds the order with that name, city or zip',
    async (text) => {
      expect(await findReceiptIds(text)).toEqual(['4165001001']);
    },
  );

  it.each([
    ['li wei', ['AB-4165003']],
    ['wei l', ['AB-4165003']],
    ['wei q', []],
  ])(
    'for %j finds the orders that have all of its words, however short',
    async (text, expectedReceiptIds) => {
      expect(await findReceiptIds(text)).toEqual(expectedReceiptIds);
    },
  );

  it.each([
    ['AB', ['AB-4165003']],
    ['ab', ['AB-4165003']],
    ['aB', ['AB-4165003']],
    ['a', ['AB-4165003']],
    ['CD', ['Cd%4165005']],
    ['cd', ['Cd%4165005']],
    ['a b', []],
    ['d', []],
    ['a%', []],
  ])(
    'for %j finds the orders whose number begins with it, whatever the letter case',
    async (text, expectedReceiptIds) => {
      expect(await findReceiptIds(text)).toEqual(expectedReceiptIds);
      expect((await viewer.call('orders.count', { filter: { text } })).data.count).toBe(
        expectedReceiptIds.length,
      );
    },
  );

  it('accepts a hundred numbers at once', async () => {
    const numbers = Array.from({ length: 99 }, (_, n) => `LX${100_000_000 + n}CN`);
    expect(await findReceiptIds([...numbers, 'LX402225975CN'].join('\n'))).toEqual(['4165001004']);
  });
});

describe('a search text without results', () => {
  it.each([
    ['mockfrod', ['Kira Mockford']],
    ['Prixy', ['Ada Proxy']],
    ['Greta Feilds', ['Greta Fields']],
    ['madisson', ['Madison']],
  ])('such as %j gets a suggestion with a similar spelling', async (text, expectedNames) => {
    expect(await findReceiptIds(text)).toEqual([]);
    expect((await suggestNames(text)).slice(0, 1)).toEqual(expectedNames);
  });

  it('is never suggested itself: it may be a name whose orders other filters hide', async () => {
    expect(await suggestNames('Kira MOCKFORD')).toEqual([]);
    expect(await suggestNames('Proxi')).toEqual(['Ada Proxy']);
  });

  it('gets no suggestion if it consists of numbers', async () => {
    expect(await suggestNames('9999999998 9999999999')).toEqual([]);
  });

  it('gets no suggestion if nothing has a similar spelling', async () => {
    expect(await suggestNames('xyzzyq')).toEqual([]);
    expect(await suggestNames('\u0000%_')).toEqual([]);
  });
});
