import { importOverHttp } from '../import';
import { atLeast, type Figure, listValues } from '../report';
import { makeRows } from '../rows';
import type { CleanupSteps, Service } from '../service';
import { median } from '../statistics';
import { fireRequests, type RequestKind, ROUND_COUNT, startBareServer } from './fire';

const IMPORT_PATH = '/api/orders/import';
const STORED_ROW_COUNT = 10_000;

type MeasuredRequest = RequestKind & { minShare: number };

function listRequests(service: Service, shopId: number): MeasuredRequest[] {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const row = makeRows(1, 900)[0]!;
  let receiptCount = 0;
  const makeNewBody = () =>
    JSON.stringify({ account_id: shopId, rows: [{ ...row, receipt_id: `F${++receiptCount}` }] });
  return [
    {
      name: 'Requests without a key (401)',
      status: 401,
      method: 'POST',
      path: IMPORT_PATH,
      options: { headers: {}, body: '' },
      minShare: 0.3,
    },
    {
      name: 'Imports of one row, the same each time',
      status: 200,
      method: 'POST',
      path: IMPORT_PATH,
      options: { headers, body: JSON.stringify({ account_id: shopId, rows: [row] }) },
      minShare: 0.6,
    },
    {
      name: 'Imports of one row, a new one each time',
      status: 200,
      method: 'POST',
      path: IMPORT_PATH,
      options: { headers, requests: [{ setupRequest: (request) => ({ ...request, body: makeNewBody() }) }] },
      minShare: 0.6,
    },
  ];
}

/**
 * Compares the service's requests per second with those of a plain Node server that runs the same statements. The difference is
 * the cost of checks, logs and layers.
 */
export async function measureRequests(service: Service, cleanupSteps: CleanupSteps): Promise<Figure[]> {
  const barePort = await startBareServer(service, cleanupSteps);
  const shopId = await service.createShop();
  // For an empty shop, PostgreSQL would plan the statements for a few rows, and both sides would slow down with every new order.
  await importOverHttp(service, shopId, makeRows(STORED_ROW_COUNT, 901), true);
  const figures: Figure[] = [];
  for (const kind of listRequests(service, shopId)) {
    const bareRates: number[] = [];
    const serviceRates: number[] = [];
    await service.prepareMeasurement();
    for (let round = 0; round < ROUND_COUNT; round++) {
      bareRates.push(await fireRequests(barePort, kind));
      serviceRates.push(await fireRequests(service.port, kind));
    }
    const [bareRate, serviceRate] = [median(bareRates), median(serviceRates)];
    figures.push(
      { name: kind.name, value: serviceRate, unit: '/s', note: listValues(serviceRates) },
      { name: `${kind.name}, bare`, value: bareRate, unit: '/s', note: listValues(bareRates) },
      atLeast(`${kind.name}: ours / bare`, serviceRate / bareRate, 'x', kind.minShare),
    );
  }
  return figures;
}
