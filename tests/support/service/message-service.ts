import { setPrompt } from '../../../src/server/messages/prompts/service';
import { mergeObservations } from '../../../src/server/tracking/merge-service';
import {
  type ProviderRequest,
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../stand-ins/text-provider-stand-in';
import { startTestService, TEST_ACTOR, type TestResponse, type TestService } from './test-service';

export const MESSAGE_PATH = '/api/marketplace/message';
export const PROVIDER_KEY = 'sk-test-key-1234';
/** How long the service waits for the provider: so long that no test fails because the machine is busy. */
export const PROVIDER_TIMEOUT_MS = 60_000;
/** The name of the shop with an order and a prompt. */
export const SHOP_NAME = 'Test shop';
export const PROMPT = 'You answer for Test shop. Returns: https://shop.example/returns within 30 days.';

/** The import row of the shop's order, whose shipment has left Shenzhen. */
export const ORDER = {
  receipt_id: '4165098857',
  transaction_id: '1',
  title: 'Fox Sticker',
  quantity: 2,
  price: '4.49',
  currency: 'USD',
  order_shipping: '3.00',
  sale_date: '08/22/2026',
  buyer: 'Wynn (4y1po5ze)',
  name: 'Sable Proxy',
  first_line: '8963 Nowhere Blvd',
  city: 'Carrollton',
  zip: '01401',
  tracking_number: 'LX123456789CN',
};

/** A service that writes replies to buyers, with a text provider, and a shop with a prompt and an order. */
export interface MessageService extends TestService {
  provider: TextProviderStandIn;
  /** The id of the published version of the shop's prompt. */
  promptVersionId: number;
  /** Requests a reply for the shop. */
  requestReply(members?: Record<string, unknown>): Promise<TestResponse>;
  /** Returns the last request to the provider. */
  lastRequest(): ProviderRequest;
  /** Returns the newest stored reply. */
  readLastReply(): Promise<Record<string, unknown>>;
  /** Clears the provider's requests and restores its normal replies. For `beforeEach`. */
  resetProvider(): void;
}

/** Returns a turn of a conversation. */
export const createTurn = (sender: string, content: string) => ({ sender, content });

async function storeShopData(service: TestService): Promise<void> {
  const { db } = service.app.services;
  await setPrompt(db, TEST_ACTOR, { shopName: SHOP_NAME, text: PROMPT });
  await service.importRows([ORDER]);
  await mergeObservations(db, [
    {
      trackingNumber: ORDER.tracking_number,
      observations: [
        {
          trackingNumber: ORDER.tracking_number,
          kind: 'event',
          identity: 'ab'.repeat(32),
          occurredAt: Date.UTC(2026, 7, 25, 12),
          status: 'in_transit',
          subStatus: 'InTransit_Departure',
          stage: null,
          providerStatus: null,
          description: '离开',
          location: 'Shenzhen',
          source: 'callback',
        },
      ],
    },
  ]);
}

export async function startMessageService(environment: Record<string, string> = {}): Promise<MessageService> {
  const provider = await startTextProviderStandIn();
  const service = await startTestService({
    OPENAI_API_KEY: PROVIDER_KEY,
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'test-model',
    OPENAI_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    ...environment,
  });
  await storeShopData(service);
  const [version] = await service.database.query<{ id: number }>('SELECT id FROM prompt_versions');
  return {
    ...service,
    provider,
    promptVersionId: version!.id,
    requestReply: (members = {}) =>
      service.send(MESSAGE_PATH, { body: { shop_name: SHOP_NAME, ...members } }),
    lastRequest: () => provider.requests.at(-1)!,
    async readLastReply() {
      const [row] = await service.database.query('SELECT * FROM replies ORDER BY id DESC LIMIT 1');
      return row!;
    },
    resetProvider() {
      provider.requests.length = 0;
      provider.script({ kind: 'reply', text: 'Hello, and thank you for your message!' });
    },
    async close() {
      await service.close();
      await provider.close();
    },
  };
}
