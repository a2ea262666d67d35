import type pg from 'pg';
import type { Log } from '../../core/log';
import { inTransaction } from '../../core/postgres';
import type { Database } from '../../db/client';
import type { ShopOrders } from '../detail/tracking-status-service';
import { daysOfImports, sumUpDays } from './day-service';
import * as sql from './search.queries';

/** Makes orders found by their present texts, inside the caller's transaction. */
export async function indexOrdersById(client: pg.PoolClient, orders: ShopOrders): Promise<void> {
  if (orders.orderIds.length > 0) await sql.writeDocuments.run(client, orders);
}

/** Imports whose orders are found together; one of 50,000 rows is a batch by itself. */
const IMPORTS_AT_ONCE = 200;
/** Orders of one statement: a second or so, so that a stop does not wait long. */
const ORDERS_AT_ONCE = 5_000;

/** @returns how many imports of the shop were done, at most {@link IMPORTS_AT_ONCE} */
function indexBatch(db: Database, shopId: number): Promise<number> {
  return inTransaction(db.bulkPool, async (client) => {
    const claimed = await sql.claimImports.run(client, { shopId, limit: IMPORTS_AT_ONCE });
    const importIds = claimed.map(({ id }) => id);
    if (importIds.length === 0) return 0;
    const found = await sql.findOrdersOfImports.run(client, { shopId, importIds });
    const orderIds = found.map(({ id }) => id);
    for (let start = 0; start < orderIds.length; start += ORDERS_AT_ONCE)
      await indexOrdersById(client, { shopId, orderIds: orderIds.slice(start, start + ORDERS_AT_ONCE) });
    await sumUpDays(client, shopId, await daysOfImports(client, { shopId, orderIds }, importIds));
    await sql.markSearchable.run(client, { shopId, importIds });
    return importIds.length;
  });
}

/**
 * Makes the orders of imports that came since the last time found by text, and sums their days up, shop by shop. Safe with
 * several servers, which take different imports, and cut off at any point: what was not committed is done again.
 *
 * @returns how many imports were done; fewer than there are only while others are at work on them
 */
export async function indexOrders(db: Database): Promise<number> {
  let done = 0;
  // Shop 0 has the imports that named no shop.
  for (let after = -1; ; ) {
    const [waiting] = await sql.findWaitingShop.run(db.bulkPool, { after });
    const shopId = waiting?.shop_id ?? null;
    if (shopId === null) return done;
    let batch: number;
    do {
      batch = await indexBatch(db, shopId);
      done += batch;
    } while (batch === IMPORTS_AT_ONCE);
    after = shopId;
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
