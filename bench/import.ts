import pg from 'pg';
import { storeBare } from './bare/bare-import';
import { send } from './http-client';
import { atMost, type Figure, listValues } from './report';
import { type BenchRow, makeRows, ROWS_PER_ORDER } from './rows';
import type { Service } from './service';
import { measureMs, median } from './statistics';

const ROWS = 10_000;
const ROUNDS = 7;
const LARGE_ROWS = 50_000;

/** The body of an import request, and how many rows it has. */
interface ImportBody {
  json: Buffer;
  rows: number;
}

function importBody(accountId: number, rows: readonly BenchRow[]): ImportBody {
  return { json: Buffer.from(JSON.stringify({ account_id: accountId, rows })), rows: rows.length };
}

/** Sends an import, parses the response and throws an error if its status or its counts are wrong. */
async function sendImport(service: Service, { json, rows }: ImportBody, expectNew: boolean): Promise<void> {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const { status, text } = await send(service.port, 'POST', '/api/orders/import', headers, json);
  if (status !== 200) throw new Error(`The import returned ${status}: ${text}`);
  const { data } = JSON.parse(text) as { data: Record<string, number> };
  const orders = Math.ceil(rows / ROWS_PER_ORDER);
  const expected = expectNew ? [orders, 0, rows] : [0, orders, 0];
  const counted = [data.new_orders, data.updated_orders, data.order_items_inserted];
  if (counted.join() !== expected.join()) throw new Error(`The import counted ${counted}, not ${expected}.`);
}

/** Builds the body of an import of `rows` and sends it with {@link sendImport}. */
export async function importOverHttp(
  service: Service,
  accountId: number,
  rows: readonly BenchRow[],
  expectNew: boolean,
): Promise<void> {
  await sendImport(service, importBody(accountId, rows), expectNew);
}

/**
 * Measures 10,000 rows: bare SQL, a new import, and the same import again. Each round has its own order numbers. The
 * JSON is written beforehand, because writing it and collecting its garbage slow down the client, not the service.
 */
async function measureTenThousand(service: Service, bare: pg.Client) {
  const durations = { bare: [] as number[], fresh: [] as number[], again: [] as number[] };
  // Round 0 warms up both sides: threads, prepared statements, compiled code.
  for (let round = 0; round <= ROUNDS; round++) {
    const rows = makeRows(ROWS, round);
    const [bareShop, shop] = [await service.newShop(), await service.newShop()];
    const bareRows = { sample: rows[0]!, json: JSON.stringify(rows) };
    const body = importBody(shop, rows);
    const steps = [
      async () => durations.bare.push(await measureMs(() => storeBare(bare, bareShop, bareRows))),
      async () => durations.fresh.push(await measureMs(() => sendImport(service, body, true))),
      async () => durations.again.push(await measureMs(() => sendImport(service, body, false))),
    ];
    // A step can speed up or slow down the next one, so every other round starts with HTTP and ends with bare SQL.
    if (round % 2 === 1) steps.push(steps.shift()!);
    for (const step of steps) {
      await service.settle();
      await step();
    }
    if (round === 0) for (const times of Object.values(durations)) times.length = 0;
  }
  return durations;
}

async function measureHundredThousand(service: Service) {
  const durations = { ten: [] as number[], hundred: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const batch = 20 + 10 * round;
    const ten = importBody(await service.newShop(), makeRows(ROWS, batch));
    const largeShop = await service.newShop();
    const halves = [1, 2].map((half) => importBody(largeShop, makeRows(LARGE_ROWS, batch + half)));
    await service.settle();
    durations.ten.push(await measureMs(() => sendImport(service, ten, true)));
    await service.settle();
    const importHalves = async () => {
      for (const half of halves) await sendImport(service, half, true);
    };
    durations.hundred.push(await measureMs(importHalves));
  }
  return durations;
}

/** Measures imports of 10,000 and 100,000 rows, against bare SQL and against each other. */
export async function measureImports(service: Service): Promise<Figure[]> {
  const bare = new pg.Client({ connectionString: service.databaseUrl, application_name: 'bench-bare' });
  await bare.connect();
  try {
    const small = await measureTenThousand(service, bare);
    const [bareMs, freshMs, againMs] = [median(small.bare), median(small.fresh), median(small.again)];
    const large = await measureHundredThousand(service);
    const [tenMs, hundredMs] = [median(large.ten), median(large.hundred)];
    return [
      { name: '10,000 rows, bare SQL', value: bareMs, unit: 'ms', note: listValues(small.bare) },
      { name: '10,000 rows over HTTP, new', value: freshMs, unit: 'ms', note: listValues(small.fresh) },
      { name: '10,000 rows over HTTP, again', value: againMs, unit: 'ms', note: listValues(small.again) },
      { name: '10,000 rows, then 100,000', value: tenMs, unit: 'ms', note: listValues(large.ten) },
      {
        name: '100,000 rows over HTTP, new, in two requests',
        value: hundredMs,
        unit: 'ms',
        note: listValues(large.hundred),
      },
      atMost('10,000 rows over HTTP against bare SQL', freshMs / bareMs, 'x', 1.25),
      atMost('10,000 rows again, against new', againMs / freshMs, 'x', 0.7),
      atMost('100,000 rows against 10,000', hundredMs / tenMs, 'x', 10.5),
    ];
  } finally {
    await bare.end();
  }
}
