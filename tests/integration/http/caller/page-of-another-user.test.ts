import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_USER_HEADER } from '../../../../src/server/core/http/page-user-header';
import { csvOf } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
/** The user who is signed in now. */
let user: SignedInUser;
/** The headers of a page that was rendered for another user of the same browser. */
let otherPage: Record<string, string>;

const pageOf = ({ userId }: SignedInUser) => ({ [PAGE_USER_HEADER]: String(userId) });

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
  otherPage = pageOf(await createSignedInUser(service, 'operator'));
});
afterAll(() => service.close());

const refusalText = () =>
  `You are signed in as ${user.email} in this browser now. Reload the page to continue as that person.`;

describe('a call of a page that was rendered for another user', () => {
  it('stores nothing, reads nothing, and says who is signed in', async () => {
    const orderId = await createOrder('4165000001');
    const input = { id: orderId, text: 'Asked customs' };
    const refusal = { status: 409, error: { code: 'conflict', message: refusalText() } };
    expect(await user.call('orders.addNote', input, otherPage)).toMatchObject(refusal);
    expect(await user.call('orders.one', { id: orderId }, otherPage)).toMatchObject({
      ...refusal,
      data: null,
    });
    expect(await readNotes(orderId)).toEqual([]);
  });

  it('is accepted for the user who is signed in, and without the header, which only pages send', async () => {
    const orderId = await createOrder('4165000002');
    for (const headers of [pageOf(user), undefined])
      expect(await user.call('orders.addNote', { id: orderId, text: 'Shipped' }, headers)).toMatchObject({
        status: 200,
        error: null,
      });
    expect(await readNotes(orderId)).toEqual(['Shipped', 'Shipped']);
  });

  it('with several calls runs none of them', async () => {
    const orderId = await createOrder('4165000003');
    const body = { 0: { id: orderId, text: 'First' }, 1: { id: orderId, text: 'Second' } };
    const path = '/api/trpc/orders.addNote,orders.addNote?batch=1';
    const response = await post(path, JSON.stringify(body), 'application/json');
    expect(response).toEqual([409, refusalText()]);
    expect(await readNotes(orderId)).toEqual([]);
  });

  it('neither uploads nor downloads a file', async () => {
    const path = `/api/uploads/orders?account_id=${service.shopId}&file_name=sold.csv`;
    expect(await post(path, csvOf([{ receipt: '4165000004' }]), 'text/csv')).toEqual([409, refusalText()]);
    expect(await service.database.query('SELECT id FROM import_drafts')).toEqual([]);
    const download = await fetch(`${service.url}/api/downloads/products`, {
      headers: { Cookie: user.cookie, ...otherPage },
    });
    expect([download.status, (await download.json()).message]).toEqual([409, refusalText()]);
  });
});

async function createOrder(receiptId: string): Promise<string> {
  await service.importRows([{ receipt_id: receiptId, title: 'Fox' }]);
  return String((await readStoredOrder(service.database, receiptId)).id);
}

const readNotes = async (orderId: string): Promise<string[]> =>
  (await service.database.query('SELECT text FROM order_notes WHERE order_id = $1', [orderId])).map(
    ({ text }) => text,
  );

/** Posts as a page of the other user. Returns the status and the message. */
async function post(path: string, body: string, type: string): Promise<[number, string]> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { Cookie: user.cookie, Origin: service.url, 'Content-Type': type, ...otherPage },
    body,
  });
  return [response.status, (await response.json()).message];
}
