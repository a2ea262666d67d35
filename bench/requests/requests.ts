import { atLeast, type Figure, listValues } from '../report';
import { makeRows } from '../rows';
import type { CleanupSteps, Service } from '../service';
import { median } from '../statistics';
import { fire, type Kind, ROUNDS, startBareServer } from './fire';

const PATH = '/api/orders/import';

type Request = Kind & { minShare: number };

function kinds(service: Service, shopId: number): Request[] {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const row = makeRows(1, 900)[0]!;
  let receipt = 0;
  const newBody = () =>
    JSON.stringify({ account_id: shopId, rows: [{ ...row, receipt_id: `F${++receipt}` }] });
  return [
    {
      name: 'Requests without a key (401)',
      status: 401,
      method: 'POST',
      path: PATH,
      options: { headers: {}, body: '' },
      minShare: 0.3,
    },
    {
      name: 'Imports of one row, the same each time',
      status: 200,
      method: 'POST',
      path: PATH,
      options: { headers, body: JSON.stringify({ account_id: shopId, rows: [row] }) },
      minShare: 0.6,
    },
    {
      name: 'Imports of one row, a new one each time',
      status: 200,
      method: 'POST',
      path: PATH,
      options: { headers, requests: [{ setupRequest: (request) => ({ ...request, body: newBody() }) }] },
      minShare: 0.6,
    },
  ];
}

/**
 * Compares the requests per second with those of a plain Node server that runs the same statements. The difference is the cost of
 * checks, logs and layers.
 */
export async function measureRequests(service: Service, cleanupSteps: CleanupSteps): Promise<Figure[]> {
  const barePort = await startBareServer(service, cleanupSteps);
  const shopId = await service.newShop();
  const figures: Figure[] = [];
  for (const kind of kinds(service, shopId)) {
    const bare: number[] = [];
    const ours: number[] = [];
    await service.settle();
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await fire(barePort, kind));
      ours.push(await fire(service.port, kind));
    }
    const [bareRate, rate] = [median(bare), median(ours)];
    figures.push(
      { name: kind.name, value: rate, unit: '/s', note: listValues(ours) },
      { name: `${kind.name}, bare`, value: bareRate, unit: '/s', note: listValues(bare) },
      atLeast(`${kind.name}: ours / bare`, rate / bareRate, 'x', kind.minShare),
    );
  }
  return figures;
}
