import type pg from 'pg';
import type { Log } from '../../core/log';
import { inTransaction } from '../../core/postgres';
import type { Database } from '../../db/client';
import { daysOfImports, sumUpDays } from './day-service';

/** Orders `$1` (bigint[]): what the list searches, a line for each text. */
const WRITE_DOCUMENTS = `
INSERT INTO order_search (order_id, document)
SELECT o.id, lower(concat_ws(E'\\n', o.receipt_id, o.buyer, o.name, i.texts, s.numbers))
  FROM orders o
  LEFT JOIN LATERAL (
    SELECT string_agg(concat_ws(E'\\n', t.title, t.sku), E'\\n' ORDER BY t.id) AS texts
      FROM order_items t WHERE t.order_id = o.id) i ON true
  LEFT JOIN LATERAL (
    SELECT string_agg(t.tracking_number, E'\\n' ORDER BY t.id) AS numbers
      FROM shipments t WHERE t.order_id = o.id) s ON true
 WHERE o.id = ANY($1::bigint[])
    ON CONFLICT (order_id) DO UPDATE SET document = EXCLUDED.document
 WHERE order_search.document IS DISTINCT FROM EXCLUDED.document`;

/** Makes orders found by what they hold now, inside the caller's transaction. */
export async function indexOrdersById(client: pg.PoolClient, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length > 0) await client.query(WRITE_DOCUMENTS, [orderIds]);
}

/** Imports whose orders are found together; one of 50,000 rows is a batch by itself. */
const IMPORTS_AT_ONCE = 200;
/** Orders of one statement: a second or so, so that a stop does not wait long. */
const ORDERS_AT_ONCE = 5_000;

const TAKE_IMPORTS = `
SELECT id FROM imports WHERE NOT searchable ORDER BY id LIMIT ${IMPORTS_AT_ONCE} FOR UPDATE SKIP LOCKED`;

/** Every order that the imports `$1` created or changed, with what hangs on it. */
const ORDERS_OF_IMPORTS = `
SELECT id FROM orders WHERE import_id = ANY($1::bigint[])
 UNION SELECT order_id FROM import_changes WHERE import_id = ANY($1::bigint[])
 UNION SELECT order_id FROM order_items WHERE import_id = ANY($1::bigint[])
 UNION SELECT order_id FROM shipments WHERE import_id = ANY($1::bigint[])
 ORDER BY 1`;

/**
 * Makes the orders of imports that came since the last time found by text, and sums their days up. Safe with several servers, which take different
 * imports, and cut off at any point: what was not committed is done again.
 *
 * @returns how many imports were done; fewer than there are only while others are at work on them
 */
export async function indexOrders(db: Database): Promise<number> {
  let done = 0;
  for (;;) {
    const imports = await inTransaction(db.bulkPool, async (client) => {
      const taken = await client.query<{ id: string }>(TAKE_IMPORTS);
      const ids = taken.rows.map((row) => row.id);
      if (ids.length === 0) return 0;
      const found = await client.query<{ id: string }>(ORDERS_OF_IMPORTS, [ids]);
      const orderIds = found.rows.map((row) => row.id);
      for (let start = 0; start < orderIds.length; start += ORDERS_AT_ONCE)
        await indexOrdersById(client, orderIds.slice(start, start + ORDERS_AT_ONCE));
      await sumUpDays(client, await daysOfImports(client, orderIds, ids));
      await client.query('UPDATE imports SET searchable = true WHERE id = ANY($1::bigint[])', [ids]);
      return ids.length;
    });
    done += imports;
    if (imports < IMPORTS_AT_ONCE) return done;
  }
}

/** How long imports must have paused before what they brought is made searchable, so that this does not slow down the next. */
const QUIET_MS = 1_000;

/** Makes orders searchable soon after an import, never in its way; the hourly round finds what a crash left undone. */
export class SearchIndexer {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  /** An import has come. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), QUIET_MS);
    this.#timer.unref();
  }

  #run(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = indexOrders(this.db)
      .then(() => undefined)
      .catch((error: unknown) => this.log.warn({ err: error }, 'orders could not be made searchable'))
      .finally(() => {
        this.#running = undefined;
        if (this.#again) this.touch();
        this.#again = false;
      });
  }

  /** Does now what is waiting, and waits for it. */
  async settled(): Promise<void> {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#run();
    }
    await this.#running;
  }
}
