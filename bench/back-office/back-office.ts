import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { encode } from 'next-auth/jwt';
import { DAY_MS } from '../../src/server/core/days';
import { send } from '../http-client';
import { atMost, type Figure } from '../report';
import type { Service } from '../service';
import { DAY_COUNT, fillShops } from './back-office-data';

const SHOP_COUNT = 5;
const CALLS_PER_QUERY = 30;
const QUERY_LIMIT_MS = 300;
/** How much more memory a download of 300,000 orders may use than one of 100,000. */
const EXTRA_MEMORY_LIMIT_MB = 120;
/** A hundred thousand orders were sold in this many days. */
const EXPORTED_DAY_COUNT = 73;

const dateDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Adds an owner, unless an earlier call has, and a session. Returns the session's cookie, as next-auth would create it. */
export async function signIn(service: Service): Promise<string> {
  const { rows } = await service.db.query<{ id: number }>(
    `INSERT INTO users (email, name, role) VALUES ('bench@example.com', 'bench', 'owner')
     ON CONFLICT (email) DO UPDATE SET role = excluded.role RETURNING id`,
  );
  const userId = rows[0]!.id;
  const sid = randomUUID();
  await service.db.query(`INSERT INTO user_sessions (id, user_id, method) VALUES ($1, $2, 'password')`, [
    sid,
    userId,
  ]);
  const token = await encode({ token: { sub: String(userId), sid }, secret: service.secret });
  return `next-auth.session-token=${token}`;
}

interface Query {
  name: string;
  path: string;
  makeInput: (nth: number) => object;
}

const QUERIES: Query[] = [
  { name: 'Orders, first page', path: 'orders.list', makeInput: () => ({}) },
  {
    name: 'Orders, first page of one day',
    path: 'orders.list',
    makeInput: (nth) => {
      const day = dateDaysAgo(1 + ((nth * 23) % (DAY_COUNT - 2)));
      return { filter: { sold_from: day, sold_to: day } };
    },
  },
  {
    name: 'Orders in transit, one month',
    path: 'orders.list',
    makeInput: (nth) => ({ filter: { tracking: ['in_transit'], sold_from: dateDaysAgo(30 + nth) } }),
  },
  {
    name: 'Orders, search for an order number',
    path: 'orders.list',
    makeInput: (nth) => ({ filter: { text: String(4_000_000_000 + 1 + ((nth * 31_337) % 1_000_000)) } }),
  },
  {
    name: 'Orders, search for a name and a title',
    path: 'orders.list',
    makeInput: (nth) => ({ filter: { text: `proxy${(nth * 7) % 5_000} fox` } }),
  },
  {
    name: 'Orders, search for a common word',
    path: 'orders.list',
    makeInput: () => ({ filter: { text: 'lantern' } }),
  },
  {
    name: 'Order count, one month',
    path: 'orders.count',
    makeInput: (nth) => ({ filter: { sold_from: dateDaysAgo(60 + nth), sold_to: dateDaysAgo(30 + nth) } }),
  },
  {
    name: 'Overview, one month',
    path: 'overview.read',
    makeInput: (nth) => ({ from: dateDaysAgo(30 + nth), to: dateDaysAgo(nth) }),
  },
  {
    name: 'Overview, one year',
    path: 'overview.read',
    makeInput: (nth) => ({ from: dateDaysAgo(365 + nth), to: dateDaysAgo(nth) }),
  },
];

const quantileOfSorted = (sortedValues: readonly number[], share: number) =>
  sortedValues[Math.min(sortedValues.length - 1, Math.ceil(sortedValues.length * share) - 1)]!;

async function measureQuery(service: Service, cookie: string, query: Query): Promise<Figure[]> {
  const timesMs: number[] = [];
  for (let nth = 0; nth < CALLS_PER_QUERY; nth++) {
    const input = encodeURIComponent(JSON.stringify(query.makeInput(nth)));
    const startedAt = performance.now();
    const { status, text } = await send(service.port, 'GET', `/api/trpc/${query.path}?input=${input}`, {
      Cookie: cookie,
    });
    timesMs.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${query.name} returned ${status}: ${text.slice(0, 300)}`);
  }
  const sortedTimesMs = timesMs.toSorted((a, b) => a - b);
  return [
    { name: `${query.name}, p50`, value: quantileOfSorted(sortedTimesMs, 0.5), unit: 'ms' },
    atMost(`${query.name}, p95`, quantileOfSorted(sortedTimesMs, 0.95), 'ms', QUERY_LIMIT_MS),
  ];
}

async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

/** Downloads orders and discards them. Returns the service's peak memory in MB during the download, the time taken and the size. */
async function measureDownload(
  service: Service,
  cookie: string,
  format: string,
  dayCount: number,
): Promise<{ peakMb: number; ms: number; bytes: number }> {
  const filter = JSON.stringify({ sold_from: dateDaysAgo(200 + dayCount), sold_to: dateDaysAgo(200) });
  const path = `/api/downloads/orders?format=${format}&filter=${encodeURIComponent(filter)}`;
  const pid = service.child.pid!;
  let peakMb = 0;
  const samplingTimer = setInterval(async () => {
    peakMb = Math.max(peakMb, await readResidentMb(pid));
  }, 50);
  const startedAt = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: service.port, path, headers: { Cookie: cookie } };
    request(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The download returned ${response.statusCode}.`));
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      response.on('end', () => resolve(size));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
  clearInterval(samplingTimer);
  return { peakMb, ms: performance.now() - startedAt, bytes };
}

/**
 * Measures downloads of 100,000 and 300,000 orders. Garbage collection makes memory rise and fall during any download; what matters
 * is that more orders do not raise the peak.
 */
async function measureDownloads(service: Service, cookie: string, format: string): Promise<Figure[]> {
  await measureDownload(service, cookie, format, EXPORTED_DAY_COUNT);
  const smallDownload = await measureDownload(service, cookie, format, EXPORTED_DAY_COUNT);
  const largeDownload = await measureDownload(service, cookie, format, 3 * EXPORTED_DAY_COUNT);
  const note = `${Math.round(smallDownload.bytes / 1024 / 1024)} MB, memory ${Math.round(smallDownload.peakMb)} MB`;
  return [
    { name: `100,000 orders as ${format}`, value: smallDownload.ms, unit: 'ms', note },
    atMost(
      `Extra memory for 300,000 orders (${format})`,
      largeDownload.peakMb - smallDownload.peakMb,
      'MB',
      EXTRA_MEMORY_LIMIT_MB,
    ),
  ];
}

/** Measures queries and downloads of the back office with a million orders and three million items. */
export async function measureBackOffice(service: Service): Promise<Figure[]> {
  const shopIds: number[] = [];
  for (let nth = 0; nth < SHOP_COUNT; nth++) shopIds.push(await service.createShop());
  console.log('  creating a million orders ...');
  await fillShops(service.db, shopIds);
  await service.prepareMeasurement();
  const cookie = await signIn(service);
  const figures: Figure[] = [];
  for (const query of QUERIES) figures.push(...(await measureQuery(service, cookie, query)));
  for (const format of ['csv', 'xlsx']) figures.push(...(await measureDownloads(service, cookie, format)));
  return figures;
}
