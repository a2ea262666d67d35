import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createRandom, ImportingClient, readStoredData } from '../support/service/order-traffic';

/** What the clients observed during a step. */
export interface StepResult {
  /** The numbers of acknowledged imports and callbacks. */
  importCount: number;
  callbackCount: number;
  /** The number of other outcomes by status; 0 stands for no response. */
  refusalCountByStatus: Record<number, number>;
  /** The longest time without an acknowledged write, in seconds. */
  longestGapSeconds: number;
  /** How long the slowest refusal took, in seconds. */
  slowestRefusalSeconds: number;
  problems: string[];
}

/** The statuses of refusals that a failure in the cluster explains. */
const EXPECTED_STATUSES = [500, 502, 503, 504];

/** Clients that import and send callbacks, with a pause only after a refusal, and remember what has been acknowledged. */
export class Traffic {
  readonly #importers: ImportingClient[];
  /** Tracking numbers of the callbacks that were sent, and of those that were acknowledged. */
  readonly #sentNumbers = new Set<string>();
  readonly #acknowledgedNumbers = new Set<string>();
  #clientLoops: Promise<void>[] = [];
  #isStopped = true;
  #result: StepResult = createEmptyResult();
  #lastWriteAt = 0;

  constructor(
    private readonly url: string,
    private readonly key: string,
    shopIds: number[],
    seed: number,
  ) {
    const random = createRandom(seed);
    this.#importers = shopIds.map((shopId, n) => new ImportingClient(`C${n}`, shopId, random));
  }

  /** The number of acknowledged callbacks. */
  get callbackCount(): number {
    return this.#acknowledgedNumbers.size;
  }

  start(): void {
    this.#result = createEmptyResult();
    this.#isStopped = false;
    this.#lastWriteAt = Date.now();
    this.#clientLoops = [
      ...this.#importers.map((client) => this.#import(client)),
      this.#sendCallbacks('A'),
      this.#sendCallbacks('B'),
    ];
  }

  /** Stops the clients once their current requests have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clientLoops);
  }

  /** When the last write was acknowledged, or if none has been, when the traffic started. */
  get lastWriteAt(): number {
    return this.#lastWriteAt;
  }

  #recordWrite(countName: 'importCount' | 'callbackCount'): void {
    const now = Date.now();
    this.#result.longestGapSeconds = Math.max(
      this.#result.longestGapSeconds,
      (now - this.#lastWriteAt) / 1000,
    );
    this.#lastWriteAt = now;
    this.#result[countName]++;
  }

  #recordRefusal(
    response: { status: number; retryAfter: string | null; text: string },
    startedAt: number,
  ): void {
    const { status, retryAfter, text } = response;
    this.#result.refusalCountByStatus[status] = (this.#result.refusalCountByStatus[status] ?? 0) + 1;
    this.#result.slowestRefusalSeconds = Math.max(
      this.#result.slowestRefusalSeconds,
      (Date.now() - startedAt) / 1000,
    );
    if (status === 0) return;
    if (!EXPECTED_STATUSES.includes(status)) this.#result.problems.push(`${status}: ${text}`);
    if (status === 500 && !text.includes('import_failed')) this.#result.problems.push(`500: ${text}`);
    if (status === 503 && !(Number(retryAfter) > 0))
      this.#result.problems.push(`503 without Retry-After: ${text}`);
  }

  async #import(client: ImportingClient): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = Date.now();
      const refusalCount = client.refusals.length;
      if (await client.send(this.url, this.key)) {
        this.#recordWrite('importCount');
        continue;
      }
      const refusal = client.refusals[refusalCount];
      const text = JSON.stringify(refusal?.json ?? '');
      this.#recordRefusal(
        { status: refusal?.status ?? 0, retryAfter: refusal?.headers.get('retry-after') ?? null, text },
        startedAt,
      );
      await sleep(200);
    }
  }

  /** Repeats each callback until it is acknowledged or the traffic stops. A callback whose response is lost may arrive twice. */
  async #sendCallbacks(prefix: string): Promise<void> {
    for (let serial = this.#sentNumbers.size; !this.#isStopped; serial++) {
      const trackingNumber = `${prefix}${serial}X`;
      this.#sentNumbers.add(trackingNumber);
      const data = { tracking_number: trackingNumber, status: 'in_transit', time: '2026-08-23T10:00:00Z' };
      const body = JSON.stringify({ event: 'tracking', data });
      while (!this.#isStopped && !(await this.#sendCallback(trackingNumber, body))) await sleep(200);
    }
  }

  async #sendCallback(trackingNumber: string, body: string): Promise<boolean> {
    const startedAt = Date.now();
    try {
      const headers = { 'X-Api-Key': this.key, 'Content-Type': 'application/json' };
      const response = await fetch(`${this.url}/api/v1/tracks`, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.status === 200) {
        this.#acknowledgedNumbers.add(trackingNumber);
        this.#recordWrite('callbackCount');
        return true;
      }
      this.#recordRefusal(
        { status: response.status, retryAfter: response.headers.get('retry-after'), text },
        startedAt,
      );
    } catch (error) {
      this.#recordRefusal({ status: 0, retryAfter: null, text: String(error) }, startedAt);
    }
    return false;
  }

  /**
   * Waits until no import is running, then compares what is stored with what was sent: nothing acknowledged may be missing,
   * and nothing may be stored twice, in part, or without having been sent.
   */
  async check(databaseUrl: string): Promise<StepResult> {
    await waitUntilQuiet(databaseUrl);
    const result = this.#result;
    const storedData = await readStoredData(databaseUrl);
    result.problems.push(...this.#importers.flatMap((client) => client.check(storedData).problems));
    if (storedData.orders.size > 0) result.problems.push(`${storedData.orders.size} orders that nobody sent`);
    if (storedData.orphanCount > 0)
      result.problems.push(`${storedData.orphanCount} records without an import`);
    result.problems.push(...(await this.#checkCallbacks(databaseUrl)));
    return result;
  }

  async #checkCallbacks(databaseUrl: string): Promise<string[]> {
    const rows = await query<{ tracking_number: string; count: string }>(
      databaseUrl,
      'SELECT tracking_number, count(*) FROM tracking_events GROUP BY 1',
    );
    const eventCountByNumber = new Map(rows.map((row) => [row.tracking_number, Number(row.count)]));
    return [
      ...[...this.#acknowledgedNumbers]
        .filter((trackingNumber) => !eventCountByNumber.has(trackingNumber))
        .map((trackingNumber) => `${trackingNumber} is lost`),
      ...[...eventCountByNumber]
        .filter(([, count]) => count !== 1)
        .map(([trackingNumber, count]) => `${trackingNumber} is stored ${count} times`),
      ...[...eventCountByNumber.keys()]
        .filter((trackingNumber) => !this.#sentNumbers.has(trackingNumber))
        .map((trackingNumber) => `nobody sent ${trackingNumber}`),
    ];
  }
}

function createEmptyResult(): StepResult {
  return {
    importCount: 0,
    callbackCount: 0,
    refusalCountByStatus: {},
    longestGapSeconds: 0,
    slowestRefusalSeconds: 0,
    problems: [],
  };
}

async function query<Row extends pg.QueryResultRow>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits for transactions of imports whose client is gone. They may be waiting for a standby, and commit later. */
async function waitUntilQuiet(databaseUrl: string): Promise<void> {
  for (let quietPollCount = 0; quietPollCount < 3; ) {
    const [row] = await query<{ busy_count: number }>(
      databaseUrl,
      `SELECT count(*)::int AS busy_count FROM pg_stat_activity
        WHERE application_name = 'brickdesk-bulk' AND state <> 'idle'`,
    );
    quietPollCount = row!.busy_count === 0 ? quietPollCount + 1 : 0;
    await sleep(500);
  }
}

/** Returns the number of stored orders, for the report. */
export async function countOrders(databaseUrl: string): Promise<number> {
  const [row] = await query<{ order_count: number }>(
    databaseUrl,
    'SELECT count(*)::int AS order_count FROM orders',
  );
  return row!.order_count;
}
