import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSignedInUser, problemPathsOf, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

const ORDER_COUNT = 3;

let service: TestService;
let operator: SignedInUser;
let orderIds: string[];
let serial = 0;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());
beforeEach(async () => {
  const receiptIds = Array.from({ length: ORDER_COUNT }, () => `R${++serial}`);
  await service.importRows(receiptIds.map((receipt_id) => ({ receipt_id, title: 'T' })));
  const rows = await service.database.query<{ id: string }>(
    'SELECT id::text FROM orders WHERE receipt_id = ANY($1) ORDER BY id',
    [receiptIds],
  );
  orderIds = rows.map(({ id }) => id);
});

/** Returns the texts of the notes and of the audit entries of each order. */
const readNotes = () =>
  Promise.all(
    orderIds.map(async (id) => {
      const notes = await service.database.query<{ text: string }>(
        'SELECT text FROM order_notes WHERE order_id = $1 ORDER BY id',
        [id],
      );
      const entries = await service.database.query<{ text: string }>(
        `SELECT after->>'text' AS text FROM audit_log
          WHERE action = 'order.add_note' AND record_id = $1 ORDER BY id`,
        [id],
      );
      expect(entries).toEqual(notes);
      return notes.map(({ text }) => text);
    }),
  );

it('a note that is sent again with its key is stored and recorded once, and the caller gets the same output', async () => {
  const input = { id: orderIds[0], text: 'Called the buyer', key: 'k1' };
  const outputs = [
    await operator.call('orders.addNote', input),
    await operator.call('orders.addNote', input),
  ];
  for (const output of outputs) expect(output).toMatchObject({ status: 200, data: { changed: 1 } });
  expect(await readNotes()).toEqual([['Called the buyer'], [], []]);
});

it('a note that is sent several times at once with its key is stored and recorded once', async () => {
  const input = { ids: orderIds, text: 'Called the buyer', key: 'k1' };
  const outputs = await Promise.all(Array.from({ length: 5 }, () => operator.call('orders.addNotes', input)));
  for (const { data } of outputs) expect(data.noted.toSorted()).toEqual(orderIds.toSorted());
  expect(await readNotes()).toEqual(Array(ORDER_COUNT).fill(['Called the buyer']));
});

it('orders that did not get the note at the first attempt get it at the second, the others keep one', async () => {
  const note = { text: 'Called the buyer', key: 'k1' };
  await operator.call('orders.addNotes', { ids: orderIds.slice(1), ...note });
  await operator.call('orders.addNotes', { ids: orderIds, ...note });
  expect(await readNotes()).toEqual(Array(ORDER_COUNT).fill(['Called the buyer']));
});

it.each([
  ['another text', { text: 'Called again', key: 'k1' }, ['Called the buyer', 'Called again']],
  ['another key', { text: 'Called the buyer', key: 'k2' }, ['Called the buyer', 'Called the buyer']],
  ['no key', { text: 'Called the buyer' }, ['Called the buyer', 'Called the buyer']],
])('a note with %s is another note', async (_name, note, texts) => {
  const [id] = orderIds;
  await operator.call('orders.addNote', { id, text: 'Called the buyer', key: 'k1' });
  await operator.call('orders.addNote', { id, ...note });
  expect(await readNotes()).toEqual([texts, [], []]);
});

it("another user's note with the same key and text is another note", async () => {
  const colleague = await createSignedInUser(service, 'operator');
  const input = { id: orderIds[0], text: 'Called the buyer', key: 'k1' };
  for (const user of [operator, colleague])
    expect((await user.call('orders.addNote', input)).status).toBe(200);
  expect(await readNotes()).toEqual([['Called the buyer', 'Called the buyer'], [], []]);
});

it('two notes without a key are two notes, even with the same text', async () => {
  const input = { id: orderIds[0], text: 'Called the buyer' };
  await operator.call('orders.addNote', input);
  await operator.call('orders.addNote', input);
  expect(await readNotes()).toEqual([['Called the buyer', 'Called the buyer'], [], []]);
});

it.each(['', ' ', 'k'.repeat(65)])('the key "%s" is refused', async (key) => {
  const response = await operator.call('orders.addNote', { id: orderIds[0], text: 'Called the buyer', key });
  expect([response.status, problemPathsOf(response)]).toEqual([422, ['key']]);
  expect(await readNotes()).toEqual([[], [], []]);
});
