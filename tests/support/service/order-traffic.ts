import pg from 'pg';

/** Returns a generator of random numbers from 0 up to, but not including, 1. The same seed yields the same numbers (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits;
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One version of an order. Its id and version determine all of its contents. */
interface OrderVersion {
  id: string;
  /** Each further version changes every item and adds one, with a tracking number if the order is shipped. */
  version: number;
}

interface SentImport {
  id: string;
  orders: OrderVersion[];
}

/** A whole order as a string, for comparison. */
type OrderState = string;

interface Item {
  transactionId: string;
  title: string;
  quantity: number;
  price: string;
}

function itemsOf({ id, version }: OrderVersion): Item[] {
  const initialItemCount = 1 + ((id.length + Number(id.at(-1))) % 3);
  return Array.from({ length: initialItemCount + version - 1 }, (_, n) => ({
    transactionId: `${id}T${n}`,
    title: `Brick ${n} of ${id}, version ${version}`,
    quantity: n + version,
    price: `${n}.${version}5`,
  }));
}

/**
 * Returns the tracking numbers of an order, one for each item. Every second order is shipped from its first version on; the others
 * have none. The first number is shared with other orders.
 */
function trackingNumbersOf(order: OrderVersion): string[] {
  const isShipped = Number(order.id.at(-1)) % 2 === 0;
  const trackingNumbers = itemsOf(order).map((_, n) =>
    n === 0 ? `SHARED${order.id.at(-1)}` : `${order.id}W${n}`,
  );
  return isShipped ? trackingNumbers : [];
}

function rowsOf(order: OrderVersion): Record<string, unknown>[] {
  const trackingNumbers = trackingNumbersOf(order);
  return itemsOf(order).map((item, n) => ({
    receipt_id: order.id,
    transaction_id: item.transactionId,
    title: item.title,
    quantity: item.quantity,
    price: item.price,
    sale_date: '08/22/2026',
    note: `version ${order.version}`,
    ...(trackingNumbers[n] ? { tracking_number: trackingNumbers[n], carrier_code: 'usps' } : {}),
  }));
}

function stateOf(order: OrderVersion): OrderState {
  const trackingNumbers = trackingNumbersOf(order);
  const items = itemsOf(order).map(({ transactionId, title, quantity, price }) => [
    transactionId,
    title,
    quantity,
    price,
  ]);
  return JSON.stringify({
    note: `version ${order.version}`,
    status: trackingNumbers.length > 0 ? 'shipped' : 'paid',
    tracking_status: trackingNumbers.length > 0 ? 'not_found' : null,
    items: items.sort(compareByFirst),
    tracking_numbers: trackingNumbers.sort(),
  });
}

function compareByFirst(a: unknown[], b: unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}

interface StoredRow {
  account_id: number;
  receipt_id: string;
  note: string;
  status: string;
  tracking_status: string | null;
  items: unknown[][] | null;
  tracking_numbers: string[] | null;
}

const STORED_ORDERS_SQL = `
SELECT o.shop_id AS account_id, o.receipt_id, o.note, o.status, o.tracking_status, i.items, s.tracking_numbers
  FROM orders o
  LEFT JOIN (SELECT order_id, json_agg(json_build_array(transaction_id, title, quantity, trim_scale(price)::text)) AS items
               FROM order_items GROUP BY 1) i ON i.order_id = o.id
  LEFT JOIN (SELECT order_id, json_agg(tracking_number) AS tracking_numbers FROM shipments GROUP BY 1) s ON s.order_id = o.id`;

/** Selects the ids of missing imports to which records refer. A half-finished import would leave such references behind. */
const ORPHANS_SQL = `
SELECT import_id FROM orders UNION ALL SELECT import_id FROM order_items UNION ALL SELECT import_id FROM shipments
UNION ALL SELECT import_id FROM import_changes EXCEPT SELECT id FROM imports`;

interface HistoryRow {
  request_id: string;
  outcome: string;
  rows: number;
  new_orders: number;
  updated_orders: number;
}

/** What the checks read from the database about orders and imports. */
export interface StoredData {
  orders: Map<string, OrderState>;
  imports: HistoryRow[];
  orphanCount: number;
}

export async function readStoredData(url: string): Promise<StoredData> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // One snapshot, so that nothing changes between the queries.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await client.query<StoredRow>(STORED_ORDERS_SQL);
    const importResult = await client.query<HistoryRow>(
      'SELECT request_id, outcome, rows, new_orders, updated_orders FROM imports',
    );
    const orphanResult = await client.query(ORPHANS_SQL);
    const orders = rows.map((row): [string, OrderState] => {
      const { note, status, tracking_status } = row;
      const items = (row.items ?? []).sort(compareByFirst);
      const tracking_numbers = (row.tracking_numbers ?? []).sort();
      const state = JSON.stringify({ note, status, tracking_status, items, tracking_numbers });
      return [`${row.account_id}/${row.receipt_id}`, state];
    });
    return { orders: new Map(orders), imports: importResult.rows, orphanCount: orphanResult.rows.length };
  } finally {
    await client.end();
  }
}

/** A response other than 200. */
interface Refusal {
  status: number;
  headers: Headers;
  json: Record<string, unknown>;
}

/**
 * A client that sends one import after another to one shop and remembers what must be stored: all of an import with a 200, and all
 * or nothing of any other import.
 */
export class ImportingClient {
  readonly #storedOrders = new Map<string, OrderVersion>();
  readonly #acknowledgedImports: SentImport[] = [];
  #unconfirmedImports: SentImport[] = [];
  #importCount = 0;
  readonly refusals: Refusal[] = [];

  constructor(
    readonly name: string,
    readonly shopId: number,
    private readonly random: () => number,
  ) {}

  /** Sends imports until one gets no response or a status other than 200. */
  async run(url: string, key: string, onSuccess: () => void): Promise<void> {
    while (await this.send(url, key)) onSuccess();
  }

  /** Sends one import. Returns whether the response was 200. */
  async send(url: string, key: string): Promise<boolean> {
    const nextImport = this.#createImport();
    this.#unconfirmedImports.push(nextImport);
    let outcome: { status: number; headers: Headers; json: Record<string, unknown> };
    try {
      const response = await fetch(`${url}/api/orders/import`, {
        method: 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', 'X-Request-Id': nextImport.id },
        body: JSON.stringify({ account_id: this.shopId, rows: nextImport.orders.flatMap(rowsOf) }),
      });
      const { status, headers } = response;
      outcome = { status, headers, json: (await response.json()) as Record<string, unknown> };
    } catch {
      return false;
    }
    if (outcome.status !== 200) {
      this.refusals.push(outcome);
      return false;
    }
    this.#unconfirmedImports.pop();
    this.#remember(nextImport);
    return true;
  }

  /**
   * Returns the next import: small, parsed by the server itself, or large, parsed by a worker thread. One in four updates existing
   * orders, if there are any.
   */
  #createImport(): SentImport {
    const id = `${this.name}-${++this.#importCount}`;
    const pickNumber = (limit: number) => Math.floor(this.random() * limit);
    const isLarge = pickNumber(4) === 0;
    const orderCount = isLarge ? 200 + pickNumber(300) : 1 + pickNumber(20);
    // The fate of an import without a 200 is unknown until `check`.
    const unknownIds = new Set(
      this.#unconfirmedImports.flatMap((sentImport) => sentImport.orders.map((order) => order.id)),
    );
    const updatableOrders = [...this.#storedOrders.values()].filter((order) => !unknownIds.has(order.id));
    if (pickNumber(4) === 0 && updatableOrders.length > 0) {
      const start = pickNumber(updatableOrders.length);
      const newVersions = updatableOrders
        .slice(start, start + orderCount)
        .map((order) => ({ ...order, version: order.version + 1 }));
      return { id, orders: newVersions };
    }
    const orders = Array.from({ length: orderCount }, (_, n) => ({
      id: `${this.name}I${this.#importCount}R${n}`,
      version: 1,
    }));
    return { id, orders };
  }

  #remember(sentImport: SentImport): void {
    for (const order of sentImport.orders) this.#storedOrders.set(order.id, order);
    this.#acknowledgedImports.push(sentImport);
  }

  /**
   * Compares what is stored with what this client sent. Returns the problems as sentences, the number of imports without a 200, and
   * how many of those imports were stored. From then on those must stay, and the others must not appear. Deletes the expected
   * orders from `storedData`, so that any left after the checks of all clients should not be there.
   */
  check(storedData: StoredData): { problems: string[]; unconfirmedCount: number; storedCount: number } {
    const problems: string[] = [];
    const unconfirmedImports = this.#unconfirmedImports;
    this.#unconfirmedImports = [];
    const isStored = (order: OrderVersion) =>
      storedData.orders.get(`${this.shopId}/${order.id}`) === stateOf(order);
    let storedCount = 0;
    for (const sentImport of unconfirmedImports) {
      const presentCount = sentImport.orders.filter(isStored).length;
      const isInHistory = storedData.imports.some(
        (row) => row.request_id === sentImport.id && row.outcome === 'succeeded',
      );
      if (presentCount !== 0 && presentCount !== sentImport.orders.length) {
        problems.push(
          `${sentImport.id} is half stored: ${presentCount} of ${sentImport.orders.length} orders`,
        );
      }
      if (isInHistory !== presentCount > 0) {
        problems.push(
          `${sentImport.id} has ${presentCount} stored orders, but isInHistory is ${isInHistory}`,
        );
      }
      if (presentCount === 0) continue;
      storedCount++;
      this.#remember(sentImport);
    }
    for (const order of this.#storedOrders.values()) {
      const name = `${this.shopId}/${order.id}`;
      if (!isStored(order)) {
        problems.push(`${name} should be ${stateOf(order)}, is ${storedData.orders.get(name) ?? 'missing'}`);
      }
      storedData.orders.delete(name);
    }
    for (const sentImport of this.#acknowledgedImports) {
      const rows = storedData.imports.filter((row) => row.request_id === sentImport.id);
      const [row] = rows;
      const isRecorded =
        rows.length === 1 &&
        row!.outcome === 'succeeded' &&
        row!.new_orders + row!.updated_orders === sentImport.orders.length &&
        row!.rows === sentImport.orders.flatMap(rowsOf).length;
      if (!isRecorded)
        problems.push(`${sentImport.id} was stored, but the history says ${JSON.stringify(rows)}`);
    }
    return { problems, unconfirmedCount: unconfirmedImports.length, storedCount };
  }
}
