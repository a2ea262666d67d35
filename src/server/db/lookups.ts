import type pg from 'pg';

/** A pool of connections in pipeline mode that knows which of them may still be used. */
interface LookupPool extends pg.Pool {
  trusts(client: pg.PoolClient): boolean;
}

/** How long a connection may go without a result before further lookups go elsewhere, in milliseconds. */
const STALLED_AFTER_MS = 10;

/** A connection that lookups share. */
class SharedConnection {
  /** How many lookups are waiting for their results. */
  runningCount = 0;
  /** When the last result arrived, or when the connection was requested. */
  #progressAt = performance.now();
  readonly clientPromise: Promise<pg.PoolClient>;
  #client: pg.PoolClient | undefined;
  #connectionError: Error | undefined;

  constructor(
    private readonly pool: LookupPool,
    private readonly stalledAfterMs: number,
  ) {
    this.clientPromise = pool.connect().then(
      (client) => {
        this.#client = client;
        // Without a listener, a connection that is lost would end the process.
        client.on('error', this.#onLost);
        return client;
      },
      (error: Error) => {
        this.#connectionError = error;
        throw error;
      },
    );
  }

  get isUsable(): boolean {
    return (
      this.#connectionError === undefined && (this.#client === undefined || this.pool.trusts(this.#client))
    );
  }

  /** Whether a slow lookup, or a slow attempt to connect, is holding up all later lookups. */
  get isHeldUp(): boolean {
    return performance.now() - this.#progressAt > this.stalledAfterMs;
  }

  readonly #onLost = (error: Error) => {
    this.#connectionError = error;
  };

  async query(query: pg.QueryConfig): Promise<pg.QueryResult<Record<string, unknown>>> {
    try {
      return await (this.#client ?? (await this.clientPromise)).query(query);
    } finally {
      this.#progressAt = performance.now();
    }
  }

  /** Returns the connection to the pool. Must not be called while a lookup runs. */
  release(): void {
    this.#client?.off('error', this.#onLost);
    this.#client?.release(this.#connectionError);
  }
}

/**
 * Runs lookups by key for many concurrent requests on few connections: each statement is sent without waiting for the results of
 * earlier ones (pipeline mode of `pg`; docs/decisions/0011-shared-lookups.md says why).
 *
 * A lookup waits for those sent before it. So it must not wait for locks, must read few rows and must not write; each is a
 * transaction of its own. Where one takes longer anyway, as on a cluster that queries all of its servers, later lookups use
 * connections of their own.
 */
export class Lookups {
  readonly #connections: (SharedConnection | undefined)[];

  /**
   * @param pool the pool of the shared connections
   * @param workPool the pool of connections for single lookups while a shared one is held up
   * @param stalledAfterMs how long a connection may go without a result before it counts as stalled
   */
  constructor(
    readonly pool: LookupPool,
    private readonly workPool: pg.Pool,
    private readonly stalledAfterMs = STALLED_AFTER_MS,
  ) {
    this.#connections = Array.from({ length: pool.options.max });
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult<Record<string, unknown>>> {
    const index = this.#leastBusyIndex();
    const connection = this.#connections[index];
    if (connection?.isHeldUp) return this.workPool.query(query);
    const sharedConnection = connection?.isUsable
      ? connection
      : new SharedConnection(this.pool, this.stalledAfterMs);
    this.#connections[index] = sharedConnection;
    sharedConnection.runningCount++;
    try {
      return await sharedConnection.query(query);
    } finally {
      sharedConnection.runningCount--;
      if (sharedConnection.runningCount === 0) {
        if (this.#connections[index] === sharedConnection) this.#connections[index] = undefined;
        sharedConnection.release();
      }
    }
  }

  #leastBusyIndex(): number {
    const runningCounts = this.#connections.map((connection) => connection?.runningCount ?? 0);
    return runningCounts.indexOf(Math.min(...runningCounts));
  }
}
