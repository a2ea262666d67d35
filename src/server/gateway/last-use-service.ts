import type { Log } from '../core/log';
import type { Database } from '../db/client';
import * as sql from './last-use.queries';

const WRITE_INTERVAL_MS = 60_000;
/** When this many ids are remembered, all of them are forgotten; each may then cause one unnecessary statement. */
const MAX_REMEMBERED_IDS = 10_000;

/** A monotonic clock, in milliseconds: after the system's clock is set back, uses are still written. */
const elapsedMs = () => performance.now();

/** Records when keys, tokens and sessions were last used. Writes at most once a minute for each id, and delays no request. */
export class LastUseRecorder<Id extends number | string> {
  readonly #lastWriteTimes = new Map<Id, number>();
  readonly #pendingWrites = new Set<Promise<void>>();

  /**
   * @param writeLastUse writes the time of the last use of an id, unless it was written less than a minute ago
   * @param now a clock that never goes back, in milliseconds
   */
  constructor(
    private readonly writeLastUse: (id: Id) => Promise<unknown>,
    private readonly log: Log,
    private readonly now: () => number,
  ) {}

  /** Records that the id is being used now. Returns immediately and never throws. */
  touch(id: Id): void {
    const now = this.now();
    if (now - (this.#lastWriteTimes.get(id) ?? Number.NEGATIVE_INFINITY) < WRITE_INTERVAL_MS) return;
    if (this.#lastWriteTimes.size >= MAX_REMEMBERED_IDS) this.#lastWriteTimes.clear();
    this.#lastWriteTimes.set(id, now);
    const pendingWrite = this.writeLastUse(id)
      .then(() => undefined)
      .catch((error: unknown) => {
        this.#lastWriteTimes.delete(id);
        this.log.warn({ err: error, id }, 'last use could not be written');
      })
      .finally(() => this.#pendingWrites.delete(pendingWrite));
    this.#pendingWrites.add(pendingWrite);
  }

  /** Waits for pending writes. */
  async waitForWrites(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }
}

/** Creates the {@link LastUseRecorder} of API keys. */
export const createApiKeyUseRecorder = (db: Database, log: Log, now = elapsedMs) =>
  new LastUseRecorder((id: number) => sql.touchKey.run(db.pool, { id }), log, now);

/** Creates the {@link LastUseRecorder} of sessions. */
export const createSessionUseRecorder = (db: Database, log: Log, now = elapsedMs) =>
  new LastUseRecorder((id: string) => sql.touchSession.run(db.pool, { id }), log, now);

/** Creates the {@link LastUseRecorder} of personal access tokens. */
export const createPersonalTokenUseRecorder = (db: Database, log: Log, now = elapsedMs) =>
  new LastUseRecorder((id: number) => sql.touchPersonalToken.run(db.pool, { id }), log, now);
