import { type CommandEnvironment, commandPrefixFor } from '../../src/server/runtime/start-text';
import type { DemoCredentials } from './credentials';
import type { Demo } from './seed';

/** Returns API calls worth trying, ready to paste. */
export function createDemoCalls({ orders }: Demo, url: string, key: string): string[] {
  const findOrder = (subStatus: string) => orders.findLast(({ story }) => story.subStatus === subStatus)!;
  const [customsOrder, deliveredOrder, returningOrder, outForDeliveryOrder] = [
    findOrder('InTransit_CustomsProcessing'),
    findOrder('Delivered_Other'),
    findOrder('Exception_Returning'),
    findOrder('OutForDelivery_Other'),
  ];
  const curlGet = (path: string) => `curl -H "X-Api-Key: ${key}" "${url}${path}"`;
  const curlPost = (path: string, body: unknown) =>
    `curl -H "X-Api-Key: ${key}" -H "Content-Type: application/json" "${url}${path}" -d '${JSON.stringify(body)}'`;
  return [
    curlGet('/api/legos-head'),
    curlGet(`/api/v1/tracking-text?tracking_number=${customsOrder.shipments[0]!.number}&format=text`),
    curlGet(`/api/logistics?order_number=${deliveredOrder.receiptId}`),
    curlPost('/api/marketplace/message', {
      shop_name: returningOrder.shop.name,
      order_number: returningOrder.receiptId,
      buyer_name: returningOrder.recipient.name,
      messages: [{ sender: 'buyer', content: 'Where is my parcel? I want a refund.' }],
    }),
    curlPost('/api/v1/tracks', {
      data: {
        tracking_number: outForDeliveryOrder.shipments[0]!.number,
        status: 'delivered',
        description: 'Left at the door',
      },
    }),
  ];
}

/** Returns what the demo prints when it is ready. */
export function createDemoText(
  demo: Demo,
  credentials: DemoCredentials,
  service: {
    version: string;
    appUrl: string;
    adminPrefix: string;
    dataLocation: string;
    dataDir: string;
    commands: CommandEnvironment;
  },
): string {
  const calls = createDemoCalls(demo, service.appUrl, credentials.key).map((call) => `    ${call}`);
  return `
  This is a DEMO of Brickdesk ${service.version}: made-up shops, orders and buyers. Carrier and text provider are stand-ins on
  this machine; nothing is sent to anybody. To start afresh, stop it and remove ${service.dataDir}.

    Service   ${service.appUrl}
    Admin     ${service.appUrl}${service.adminPrefix}
    API       ${service.appUrl}/docs/api
    Database  ${service.dataLocation}
    Commands  DATABASE_URL= ${commandPrefixFor(service.commands)} --help

    Owner     ${credentials.email}
    Password  ${credentials.password}
    API key   ${credentials.key}

  Five calls to try, in another terminal: product codes, where a shipment is, what the carrier says, a reply to a buyer (with a
  warning, as the stand-in promises what nobody confirmed), a carrier's callback.

${calls.join('\n\n')}

  Ctrl-C stops it.
`;
}
