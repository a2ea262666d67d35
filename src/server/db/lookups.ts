import type pg from 'pg';

/** A pool of connections in pipeline mode that says which of them may still be used. */
interface LookupPool extends pg.Pool {
  trusts(client: pg.PoolClient): boolean;
}

/** How long a connection may be without a result before further lookups go elsewhere, in milliseconds. */
const PATIENCE_MS = 10;

/** A connection that lookups share. */
class Shared {
  /** How many lookups wait for their results. */
  running = 0;
  /** When the last result came, or the first lookup. */
  #progressAt = performance.now();
  readonly connected: Promise<pg.PoolClient>;
  #client: pg.PoolClient | undefined;
  #lost: Error | undefined;

  constructor(private readonly pool: LookupPool) {
    this.connected = pool.connect().then(
      (client) => {
        this.#client = client;
        // Without a listener, a connection that is lost would end the process.
        client.on('error', this.#onLost);
        return client;
      },
      (error: Error) => {
        this.#lost = error;
        throw error;
      },
    );
  }

  get isUsable(): boolean {
    return this.#lost === undefined && (this.#client === undefined || this.pool.trusts(this.#client));
  }

  /** Whether a lookup is taking long, for which all later ones would wait. */
  get isHeldUp(): boolean {
    return performance.now() - this.#progressAt > PATIENCE_MS;
  }

  readonly #onLost = (error: Error) => {
    this.#lost = error;
  };

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await (this.#client ?? (await this.connected)).query(query);
    } finally {
      this.#progressAt = performance.now();
    }
  }

  /** Gives the connection back. Not while a lookup runs. */
  release(): void {
    this.#client?.off('error', this.#onLost);
    this.#client?.release(this.#lost);
  }
}

/**
 * Runs lookups by key for many requests at once on few connections: each statement is sent without waiting for the results of those
 * before it (pipeline mode of `pg`; docs/decisions/0011-shared-lookups.md says why).
 *
 * A lookup waits for those sent before it. So it must wait for no lock, read few rows and write nothing; each is a transaction of
 * its own. Where it takes longer all the same, as on a cluster that asks all of its servers, later ones are lent connections of their
 * own.
 */
export class Lookups {
  readonly #places: (Shared | undefined)[];

  /**
   * @param pool lends the connections that are shared
   * @param work lends connections for one statement each
   */
  constructor(
    readonly pool: LookupPool,
    private readonly work: pg.Pool,
  ) {
    this.#places = Array.from({ length: pool.options.max });
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const place = this.#leastBusy();
    const found = this.#places[place];
    if (found?.isHeldUp) return this.work.query(query);
    const shared = found?.isUsable ? found : new Shared(this.pool);
    this.#places[place] = shared;
    shared.running++;
    try {
      return await shared.query(query);
    } finally {
      shared.running--;
      if (shared.running === 0) {
        if (this.#places[place] === shared) this.#places[place] = undefined;
        shared.release();
      }
    }
  }

  #leastBusy(): number {
    const running = this.#places.map((shared) => shared?.running ?? 0);
    return running.indexOf(Math.min(...running));
  }
}
