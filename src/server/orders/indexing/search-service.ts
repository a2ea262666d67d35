import type pg from 'pg';
import type { Log } from '../../core/log';
import { inSpan } from '../../core/tracing';
import type { Database } from '../../db/client';
import { inRetriedTransaction } from '../../db/transaction';
import { forEachShop } from '../../shops/for-each-shop';
import { lockOrders, type ShopOrders } from '../shop-orders-service';
import { findCurrentAndFormerSaleDays, recomputeDaySums } from './day-service';
import * as sql from './search.queries';

/** Updates the search documents of orders, inside the caller's transaction, which must hold their locks. */
export async function indexOrdersById(client: pg.PoolClient, orders: ShopOrders): Promise<void> {
  if (orders.orderIds.length > 0) await sql.writeDocuments.run(client, orders);
}

/** The maximum number of imports that are indexed in one batch. */
const IMPORTS_PER_BATCH = 200;
/** Orders per transaction: about a fifth of a second of work, during which a callback for one of them has to wait. */
const ORDERS_PER_TRANSACTION = 1_000;

/** Locks orders and updates their search documents. Without the locks, a concurrent change could be overwritten. */
function lockAndIndexOrders(db: Database, orders: ShopOrders): Promise<void> {
  return inRetriedTransaction(db.pool, async (client) => {
    await lockOrders(client, orders);
    await indexOrdersById(client, orders);
  });
}

/**
 * Indexes a batch of a shop's imports. Keeps the imports' rows locked while other transactions lock orders. This cannot deadlock:
 * no transaction that has locked orders waits for the row of an import that is not its own.
 *
 * @returns how many imports of the shop were indexed, at most {@link IMPORTS_PER_BATCH}
 */
function indexBatch(db: Database, shopId: number): Promise<number> {
  return inRetriedTransaction(db.bulkPool, async (client) => {
    const claimedImports = await sql.claimImports.run(client, { shopId, limit: IMPORTS_PER_BATCH });
    const importIds = claimedImports.map(({ id }) => id);
    if (importIds.length === 0) return 0;
    const foundOrders = await sql.findOrdersOfImports.run(client, { shopId, importIds });
    const orderIds = foundOrders.map(({ id }) => id);
    for (let start = 0; start < orderIds.length; start += ORDERS_PER_TRANSACTION)
      await lockAndIndexOrders(db, {
        shopId,
        orderIds: orderIds.slice(start, start + ORDERS_PER_TRANSACTION),
      });
    await recomputeDaySums(
      client,
      shopId,
      await findCurrentAndFormerSaleDays(client, { shopId, orderIds }, importIds),
    );
    await sql.markSearchable.run(client, { shopId, importIds });
    return importIds.length;
  });
}

/** Yields the shops with imports that are not searchable yet. Imports without a shop are stored under shop 0. */
async function* listWaitingShops(db: Database): AsyncGenerator<{ shopId: number }> {
  for (let afterShopId = -1; ; ) {
    const [waitingShop] = await sql.findWaitingShop.run(db.bulkPool, { afterShopId });
    const shopId = waitingShop?.shop_id ?? null;
    if (shopId === null) return;
    yield { shopId };
    afterShopId = shopId;
  }
}

/**
 * Indexes the orders of imports that are not searchable yet and sums up their days, shop by shop. Several servers can run it at
 * the same time: they claim different imports. It can be interrupted at any point: the next run repeats uncommitted work. If a
 * shop cannot be indexed, the error is logged, and the other shops are still indexed.
 *
 * @returns how many imports were indexed; some may still be in progress on other servers
 * @throws AggregateError with the errors of the shops that could not be indexed
 */
export async function indexOrders(db: Database, log: Log): Promise<number> {
  let indexedImportCount = 0;
  const indexShop = async ({ shopId }: { shopId: number }) => {
    let importCount: number;
    do {
      importCount = await indexBatch(db, shopId);
      indexedImportCount += importCount;
    } while (importCount === IMPORTS_PER_BATCH);
  };
  const failureMessage = 'orders of a shop could not be made searchable';
  await forEachShop(listWaitingShops(db), indexShop, { log, failureMessage });
  return indexedImportCount;
}

/** When indexing starts after an import. */
export interface IndexingDelay {
  /** How many milliseconds must pass without an import, because indexing would slow down the next one. */
  quietMs: number;
  /** After how many milliseconds indexing starts even if imports never pause. */
  maxWaitMs: number;
}

const DEFAULT_DELAY: IndexingDelay = { quietMs: 1_000, maxWaitMs: 10_000 };

/** When indexing that failed is tried again. Each wait is twice as long as the one before. */
export interface RetryDelay {
  /** The milliseconds before the first retry. */
  firstMs: number;
  /** The maximum number of milliseconds before a retry. */
  maxMs: number;
}

const DEFAULT_RETRY_DELAY: RetryDelay = { firstMs: 5_000, maxMs: 600_000 };

/**
 * Indexes orders soon after an import, if possible while no import is running, and tries again what failed. An hourly job indexes
 * what a crash left undone.
 */
export class SearchIndexer {
  #timer: NodeJS.Timeout | undefined;
  #currentRun: Promise<void> | undefined;
  #runningImportCount = 0;
  /** When the first of the imports that wait for the next run was stored, from performance.now(). */
  #waitingSinceMs: number | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  /** How many runs have failed since the last one that did not. */
  #failedRunCount = 0;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly delay = DEFAULT_DELAY,
    private readonly retryDelay = DEFAULT_RETRY_DELAY,
  ) {}

  /**
   * Runs an import, or a part of it, and returns its result. No scheduled indexing starts meanwhile unless orders have
   * waited for `maxWaitMs`.
   */
  async duringImport<T>(run: () => Promise<T>): Promise<T> {
    this.#runningImportCount++;
    this.#setTimer();
    try {
      return await run();
    } finally {
      this.#runningImportCount--;
      this.#setTimer();
    }
  }

  /** Schedules a run. Call it after each import. */
  schedule(): void {
    this.#waitingSinceMs ??= performance.now();
    this.#setTimer();
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A run that ends sets the timer again.
    if (this.#waitingSinceMs === undefined || this.#currentRun) return;
    const remainingMs = this.#waitingSinceMs + this.delay.maxWaitMs - performance.now();
    const waitMs = this.#runningImportCount > 0 ? remainingMs : Math.min(this.delay.quietMs, remainingMs);
    this.#timer = setTimeout(() => this.#run(), Math.max(0, waitMs));
    this.#timer.unref();
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitingSinceMs = undefined;
    clearTimeout(this.#retryTimer);
    this.#currentRun = inSpan('index orders', { isRoot: true }, () => indexOrders(this.db, this.log))
      .then(() => {
        this.#failedRunCount = 0;
      })
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'orders could not be made searchable');
        this.#scheduleRetry();
      })
      .finally(() => {
        this.#currentRun = undefined;
        this.#setTimer();
      });
  }

  #scheduleRetry(): void {
    const { firstMs, maxMs } = this.retryDelay;
    const waitMs = Math.min(firstMs * 2 ** this.#failedRunCount, maxMs);
    this.#failedRunCount++;
    this.#retryTimer = setTimeout(() => this.schedule(), waitMs);
    this.#retryTimer.unref();
  }

  /** Runs the scheduled indexing now, and waits until none is scheduled or running. Does not wait for a retry. */
  async finishIndexing(): Promise<void> {
    // A run that had begun before the last import may have missed it; another run is then scheduled when it ends.
    while (this.#timer || this.#currentRun) {
      if (!this.#currentRun) this.#run();
      await this.#currentRun;
    }
  }

  /** Like {@link finishIndexing}, and gives up retries. Call it before the database is closed. */
  async close(): Promise<void> {
    await this.finishIndexing();
    clearTimeout(this.#retryTimer);
  }
}
