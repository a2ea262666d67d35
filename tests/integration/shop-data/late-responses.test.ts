import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteMarkedShops } from '../../../src/server/shop-data/removal-service';
import { refreshShipments } from '../../../src/server/tracking/shipments/refresh-service';
import { countWaitingStatements } from '../../support/database/test-database';
import { MESSAGE_PATH, PROVIDER_KEY } from '../../support/service/message-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { readStoredOrder } from '../../support/service/stored-orders';
import { startTestService, type TestService } from '../../support/service/test-service';
import { openGate } from '../../support/stand-ins/carrier-clients';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

let provider: TextProviderStandIn;
let carrier: CarrierStandIn;
let service: TestService;
let owner: SignedInUser;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  carrier = await startCarrierStandIn();
  service = await startTestService({
    OPENAI_API_KEY: PROVIDER_KEY,
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'test-model',
    OPENAI_TIMEOUT_MS: '60000',
    CARRIER_TIMEOUT_MS: '60000',
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
  });
  owner = await createSignedInUser(service, 'owner');
});
afterAll(async () => {
  await service.close();
  await provider.close();
  await carrier.close();
});

/**
 * Creates a shop with a prompt and an order. The provider and the carrier hold back their responses until `releaseResponses` is
 * called.
 */
async function makeShop(name: string, trackingNumber: string) {
  const { data: shop } = await owner.call('shops.create', { name });
  await owner.call('prompts.set', { shop_name: name, text: 'Be kind.' });
  await service.importRows(
    [{ receipt_id: name, sale_date: new Date().toISOString(), tracking_number: trackingNumber }],
    { account_id: shop.id },
  );
  let releaseResponses!: () => void;
  const releasePromise = new Promise<void>((resolve) => {
    releaseResponses = resolve;
  });
  provider.requests.length = 0;
  provider.script({ kind: 'held', until: releasePromise });
  carrier.script(trackingNumber, { kind: 'held', until: releasePromise });
  const order_id = String((await readStoredOrder(service.database, name)).id);
  const content = 'I am Sable Proxy.';
  const translateMessage = () =>
    owner.call('replyDrafts.translateMessage', { order_id, text: content, language: 'en' });
  const requestReply = (order_number = name) =>
    service.send(MESSAGE_PATH, {
      body: { shop_name: name, order_number, messages: [{ sender: 'buyer', content }] },
    });
  return {
    releaseResponses,
    askForReply: requestReply,
    /** Sends requests that get a 200 whether their replies are recorded or not. */
    askForTexts: () => [translateMessage(), requestReply(), requestReply('not stored')],
    deleteShop: () => owner.call('shopData.delete', { id: shop.id, name }),
  };
}

const readReplies = () => service.database.query('SELECT kind FROM replies');

it('what the text provider writes for a shop that is being deleted is not recorded', async () => {
  const shop = await makeShop('Fox Shop', 'FOX1');
  const responsesPromise = Promise.all(shop.askForTexts());
  await expect.poll(() => provider.requests.length).toBe(3);
  expect((await shop.deleteShop()).status).toBe(200);
  shop.releaseResponses();
  expect((await responsesPromise).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await readReplies()).toEqual([]);
  await deleteMarkedShops(service.app.services);
});

it('nothing that the text provider or a carrier returns after a shop was deleted is stored', async () => {
  const { db } = service.app.services;
  const shop = await makeShop('Owl Shop', 'OWL1');
  const gate = openGate(carrier, { timeoutMs: 60_000 });
  const limits = { queriedBefore: new Date(), days: 60, signal: new AbortController().signal };
  const responsesPromise = Promise.all([
    ...shop.askForTexts(),
    owner.call('shipments.askCarrier', { tracking_numbers: ['OWL1'] }),
    service.send('/api/logistics?tracking_number=OWL1'),
    service.send('/api/logistics?order_number=Owl%20Shop'),
  ]);
  const refreshPromise = refreshShipments(db, gate, limits);
  await expect.poll(() => provider.requests.length).toBe(3);
  // The three requests to the service about OWL1 share one query; the refresh sends another through a gate of its own.
  await expect.poll(() => carrier.requests.filter(({ numbers }) => numbers.includes('OWL1')).length).toBe(2);
  expect((await shop.deleteShop()).status).toBe(200);
  await deleteMarkedShops(service.app.services);
  expect(await service.database.query(`SELECT 1 FROM shops WHERE name = 'Owl Shop'`)).toEqual([]);
  shop.releaseResponses();
  expect((await responsesPromise).map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await refreshPromise).toMatchObject({ queried: 1, newEvents: 0 });
  expect(await readReplies()).toEqual([]);
  expect(
    await service.database.query(
      `SELECT 'number' FROM tracking_numbers WHERE tracking_number = 'OWL1'
        UNION ALL SELECT 'event' FROM tracking_events WHERE tracking_number = 'OWL1'`,
    ),
  ).toEqual([]);
});

it('marking a shop for deletion waits for replies that are being recorded, so that they are deleted too', async () => {
  const shop = await makeShop('Elk Shop', 'ELK1');
  shop.releaseResponses();
  const client = await service.app.services.db.bulkPool.connect();
  let replyPromise: Promise<{ status: number }>;
  let deletionPromise: Promise<{ status: number }>;
  try {
    await client.query('BEGIN');
    // A recorded reply refers to the prompt version, so recording it waits for this lock.
    await client.query('SELECT FROM prompt_versions FOR UPDATE');
    replyPromise = shop.askForReply();
    await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
    deletionPromise = shop.deleteShop();
    await expect.poll(() => countWaitingStatements(service.database)).toBe(2);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect([(await replyPromise).status, (await deletionPromise).status]).toEqual([200, 200]);
  expect(await readReplies()).toEqual([{ kind: 'request' }]);
  await deleteMarkedShops(service.app.services);
  expect(await readReplies()).toEqual([]);
});
