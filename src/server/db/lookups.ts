import type pg from 'pg';

/** A pool of connections in pipeline mode that says which of them may still be used. */
interface LookupPool extends pg.Pool {
  trusts(client: pg.PoolClient): boolean;
}

/** A connection that lookups share. */
class Shared {
  /** How many lookups wait for their results. */
  running = 0;
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

  readonly #onLost = (error: Error) => {
    this.#lost = error;
  };

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return (this.#client ?? (await this.connected)).query(query);
  }

  /** Gives the connection back. Not while a lookup runs. */
  release(): void {
    this.#client?.off('error', this.#onLost);
    this.#client?.release(this.#lost);
  }
}

/**
 * Runs lookups by key for many requests at once on few connections: each statement is sent without waiting for the results of those
 * before it (pipeline mode of `pg`). A lookup takes PostgreSQL microseconds; most of what it costs otherwise is waking up the other
 * process.
 *
 * A lookup waits for those sent before it. So it must wait for no lock, read few rows and write nothing; each is a transaction of
 * its own.
 */
export class Lookups {
  readonly #places: (Shared | undefined)[];

  constructor(readonly pool: LookupPool) {
    this.#places = Array.from({ length: pool.options.max });
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const place = this.#leastBusy();
    const found = this.#places[place];
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
