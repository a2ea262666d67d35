import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ImportingClient, readStored, seededRandom } from '../support/service/order-traffic';

/** What the clients observed during a step. */
export interface StepResult {
  /** The numbers of acknowledged imports and callbacks. */
  imports: number;
  callbacks: number;
  /** The number of other responses by status; 0 stands for no response. */
  refused: Record<number, number>;
  /** The longest time without an acknowledged write, in seconds. */
  longestGap: number;
  /** The slowest refusal, in seconds. */
  slowestRefusal: number;
  problems: string[];
}

const NOT_ACKNOWLEDGED = [500, 502, 503, 504];

/** Clients that import and send callbacks, with a pause only after a refusal, and remember what has been acknowledged. */
export class Traffic {
  readonly #importing: ImportingClient[];
  /** Tracking numbers of the callbacks that were sent, and of those that were acknowledged. */
  readonly #sent = new Set<string>();
  readonly #acknowledged = new Set<string>();
  #running: Promise<void>[] = [];
  #stopped = true;
  #result: StepResult = emptyResult();
  #lastWrite = 0;

  constructor(
    private readonly url: string,
    private readonly key: string,
    accounts: number[],
    seed: number,
  ) {
    const random = seededRandom(seed);
    this.#importing = accounts.map((accountId, n) => new ImportingClient(`C${n}`, accountId, random));
  }

  /** The number of acknowledged callbacks. */
  get callbacks(): number {
    return this.#acknowledged.size;
  }

  start(): void {
    this.#result = emptyResult();
    this.#stopped = false;
    this.#lastWrite = Date.now();
    this.#running = [
      ...this.#importing.map((client) => this.#import(client)),
      this.#sendCallbacks('A'),
      this.#sendCallbacks('B'),
    ];
  }

  /** Stops the clients once their current requests have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** When the last write was acknowledged, or if none has been, when the traffic started. */
  get lastWrite(): number {
    return this.#lastWrite;
  }

  #acknowledge(what: 'imports' | 'callbacks'): void {
    const now = Date.now();
    this.#result.longestGap = Math.max(this.#result.longestGap, (now - this.#lastWrite) / 1000);
    this.#lastWrite = now;
    this.#result[what]++;
  }

  #refuse(response: { status: number; retryAfter: string | null; text: string }, started: number): void {
    const { status, retryAfter, text } = response;
    this.#result.refused[status] = (this.#result.refused[status] ?? 0) + 1;
    this.#result.slowestRefusal = Math.max(this.#result.slowestRefusal, (Date.now() - started) / 1000);
    if (status === 0) return;
    if (!NOT_ACKNOWLEDGED.includes(status)) this.#result.problems.push(`${status}: ${text}`);
    if (status === 500 && !text.includes('import_failed')) this.#result.problems.push(`500: ${text}`);
    if (status === 503 && !(Number(retryAfter) > 0))
      this.#result.problems.push(`503 without Retry-After: ${text}`);
  }

  async #import(client: ImportingClient): Promise<void> {
    while (!this.#stopped) {
      const started = Date.now();
      const refusals = client.refusals.length;
      if (await client.send(this.url, this.key)) {
        this.#acknowledge('imports');
        continue;
      }
      const refusal = client.refusals[refusals];
      const text = JSON.stringify(refusal?.json ?? '');
      this.#refuse(
        { status: refusal?.status ?? 0, retryAfter: refusal?.headers.get('retry-after') ?? null, text },
        started,
      );
      await sleep(200);
    }
  }

  /** Repeats each callback until it is acknowledged or the traffic stops. One whose response is lost may arrive twice. */
  async #sendCallbacks(name: string): Promise<void> {
    for (let count = this.#sent.size; !this.#stopped; count++) {
      const number = `${name}${count}X`;
      this.#sent.add(number);
      const data = { tracking_number: number, status: 'in_transit', time: '2026-08-23T10:00:00Z' };
      const body = JSON.stringify({ event: 'tracking', data });
      while (!this.#stopped && !(await this.#sendCallback(number, body))) await sleep(200);
    }
  }

  async #sendCallback(number: string, body: string): Promise<boolean> {
    const started = Date.now();
    try {
      const headers = { 'X-Api-Key': this.key, 'Content-Type': 'application/json' };
      const response = await fetch(`${this.url}/api/v1/tracks`, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.status === 200) {
        this.#acknowledged.add(number);
        this.#acknowledge('callbacks');
        return true;
      }
      this.#refuse(
        { status: response.status, retryAfter: response.headers.get('retry-after'), text },
        started,
      );
    } catch (error) {
      this.#refuse({ status: 0, retryAfter: null, text: String(error) }, started);
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
    const stored = await readStored(databaseUrl);
    result.problems.push(...this.#importing.flatMap((client) => client.check(stored).problems));
    if (stored.orders.size > 0) result.problems.push(`${stored.orders.size} orders that nobody sent`);
    if (stored.orphans > 0) result.problems.push(`${stored.orphans} records without an import`);
    result.problems.push(...(await this.#checkCallbacks(databaseUrl)));
    return result;
  }

  async #checkCallbacks(databaseUrl: string): Promise<string[]> {
    const rows = await query<{ tracking_number: string; events: string }>(
      databaseUrl,
      'SELECT tracking_number, count(*) AS events FROM tracking_events GROUP BY 1',
    );
    const events = new Map(rows.map((row) => [row.tracking_number, Number(row.events)]));
    return [
      ...[...this.#acknowledged].filter((number) => !events.has(number)).map((number) => `${number} is lost`),
      ...[...events]
        .filter(([, count]) => count !== 1)
        .map(([number, count]) => `${number} is stored ${count} times`),
      ...[...events.keys()]
        .filter((number) => !this.#sent.has(number))
        .map((number) => `nobody sent ${number}`),
    ];
  }
}

function emptyResult(): StepResult {
  return { imports: 0, callbacks: 0, refused: {}, longestGap: 0, slowestRefusal: 0, problems: [] };
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
  for (let quiet = 0; quiet < 3; ) {
    const [row] = await query<{ busy: number }>(
      databaseUrl,
      `SELECT count(*)::int AS busy FROM pg_stat_activity
        WHERE application_name = 'brickdesk-bulk' AND state <> 'idle'`,
    );
    quiet = row!.busy === 0 ? quiet + 1 : 0;
    await sleep(500);
  }
}

/** Returns the number of stored orders, for the report. */
export async function countOrders(databaseUrl: string): Promise<number> {
  const [row] = await query<{ orders: number }>(databaseUrl, 'SELECT count(*)::int AS orders FROM orders');
  return row!.orders;
}
