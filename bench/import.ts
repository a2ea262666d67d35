import pg from 'pg';
import { storeBareRows } from './bare/bare-import';
import { send } from './http-client';
import { atMost, type Figure, listValues } from './report';
import { type BenchRow, makeRows, ROWS_PER_ORDER } from './rows';
import type { Service } from './service';
import { measureMs, median } from './statistics';

const ROW_COUNT = 10_000;
const ROUND_COUNT = 7;
const HALF_ROW_COUNT = 50_000;

/** The body of an import request, and how many rows it has. */
interface ImportBody {
  json: Buffer;
  rowCount: number;
}

function createImportBody(shopId: number, rows: readonly BenchRow[]): ImportBody {
  return { json: Buffer.from(JSON.stringify({ account_id: shopId, rows })), rowCount: rows.length };
}

/** Sends an import, parses the response and throws an error if its status or its counts are wrong. */
async function sendImport(
  service: Service,
  { json, rowCount }: ImportBody,
  expectsNewOrders: boolean,
): Promise<void> {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const { status, text } = await send(service.port, 'POST', '/api/orders/import', headers, json);
  if (status !== 200) throw new Error(`The import returned ${status}: ${text}`);
  const { data } = JSON.parse(text) as { data: Record<string, number> };
  const orderCount = Math.ceil(rowCount / ROWS_PER_ORDER);
  const expectedCounts = expectsNewOrders ? [orderCount, 0, rowCount] : [0, orderCount, 0];
  const counts = [data.new_orders, data.updated_orders, data.order_items_inserted];
  if (counts.join() !== expectedCounts.join())
    throw new Error(`The import counted ${counts}, not ${expectedCounts}.`);
}

/** Builds the body of an import of `rows` and sends it with {@link sendImport}. */
export async function importOverHttp(
  service: Service,
  shopId: number,
  rows: readonly BenchRow[],
  expectsNewOrders: boolean,
): Promise<void> {
  await sendImport(service, createImportBody(shopId, rows), expectsNewOrders);
}

/**
 * Measures how long 10,000 rows take: bare SQL, a new import, and the same import again. Each round has its own order numbers.
 * The JSON is written beforehand, because writing it and collecting its garbage slow down the client, not the service.
 */
async function measureTenThousandRows(service: Service, bareClient: pg.Client) {
  const durationsMs = { bare: [] as number[], newImport: [] as number[], repeatedImport: [] as number[] };
  // Round 0 warms up both sides: threads, prepared statements, compiled code.
  for (let round = 0; round <= ROUND_COUNT; round++) {
    const rows = makeRows(ROW_COUNT, round);
    const [bareShopId, shopId] = [await service.createShop(), await service.createShop()];
    const bareInput = { sample: rows[0]!, json: JSON.stringify(rows) };
    const body = createImportBody(shopId, rows);
    const steps = [
      async () =>
        durationsMs.bare.push(await measureMs(() => storeBareRows(bareClient, bareShopId, bareInput))),
      async () => durationsMs.newImport.push(await measureMs(() => sendImport(service, body, true))),
      async () => durationsMs.repeatedImport.push(await measureMs(() => sendImport(service, body, false))),
    ];
    // A step can speed up or slow down the next one, so every other round starts with HTTP and ends with bare SQL.
    if (round % 2 === 1) steps.push(steps.shift()!);
    for (const step of steps) {
      await service.prepareMeasurement();
      await step();
    }
    if (round === 0) for (const timesMs of Object.values(durationsMs)) timesMs.length = 0;
  }
  return durationsMs;
}

async function measureHundredThousandRows(service: Service) {
  const durationsMs = { tenThousand: [] as number[], hundredThousand: [] as number[] };
  for (let round = 0; round < ROUND_COUNT; round++) {
    const batch = 20 + 10 * round;
    const tenThousandBody = createImportBody(await service.createShop(), makeRows(ROW_COUNT, batch));
    const largeShopId = await service.createShop();
    const halfBodies = [1, 2].map((half) =>
      createImportBody(largeShopId, makeRows(HALF_ROW_COUNT, batch + half)),
    );
    await service.prepareMeasurement();
    durationsMs.tenThousand.push(await measureMs(() => sendImport(service, tenThousandBody, true)));
    await service.prepareMeasurement();
    const importHalves = async () => {
      for (const halfBody of halfBodies) await sendImport(service, halfBody, true);
    };
    durationsMs.hundredThousand.push(await measureMs(importHalves));
  }
  return durationsMs;
}

/** Measures imports of 10,000 and 100,000 rows, against bare SQL and against each other. */
export async function measureImports(service: Service): Promise<Figure[]> {
  const bareClient = new pg.Client({ connectionString: service.databaseUrl, application_name: 'bench-bare' });
  await bareClient.connect();
  try {
    const smallImportDurationsMs = await measureTenThousandRows(service, bareClient);
    const [bareMs, newMs, repeatedMs] = [
      median(smallImportDurationsMs.bare),
      median(smallImportDurationsMs.newImport),
      median(smallImportDurationsMs.repeatedImport),
    ];
    const largeImportDurationsMs = await measureHundredThousandRows(service);
    const [tenThousandMs, hundredThousandMs] = [
      median(largeImportDurationsMs.tenThousand),
      median(largeImportDurationsMs.hundredThousand),
    ];
    return [
      {
        name: '10,000 rows, bare SQL',
        value: bareMs,
        unit: 'ms',
        note: listValues(smallImportDurationsMs.bare),
      },
      {
        name: '10,000 rows over HTTP, new',
        value: newMs,
        unit: 'ms',
        note: listValues(smallImportDurationsMs.newImport),
      },
      {
        name: '10,000 rows over HTTP, again',
        value: repeatedMs,
        unit: 'ms',
        note: listValues(smallImportDurationsMs.repeatedImport),
      },
      {
        name: '10,000 rows, then 100,000',
        value: tenThousandMs,
        unit: 'ms',
        note: listValues(largeImportDurationsMs.tenThousand),
      },
      {
        name: '100,000 rows over HTTP, new, in two requests',
        value: hundredThousandMs,
        unit: 'ms',
        note: listValues(largeImportDurationsMs.hundredThousand),
      },
      atMost('10,000 rows over HTTP against bare SQL', newMs / bareMs, 'x', 1.25),
      atMost('10,000 rows again, against new', repeatedMs / newMs, 'x', 0.7),
      atMost('100,000 rows against 10,000', hundredThousandMs / tenThousandMs, 'x', 10.5),
    ];
  } finally {
    await bareClient.end();
  }
}
