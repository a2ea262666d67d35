import type { Log } from '../core/log';
import type { Database } from '../db/client';
import * as sql from './last-use.queries';

const INTERVAL_MS = 60_000;
/** When this many ids are remembered, all of them are forgotten; each may then be written once more than necessary. */
const MAX_REMEMBERED = 10_000;

/** Records when keys, tokens and sessions were last used. Writes at most once a minute for each id, and delays no request. */
export class LastUse<Id extends number | string> {
  readonly #written = new Map<Id, number>();
  readonly #pending = new Set<Promise<void>>();

  /** @param store writes the time of the last use of an id, unless it was written less than a minute ago */
  constructor(
    private readonly store: (id: Id) => Promise<unknown>,
    private readonly log: Log,
    private readonly now: () => number,
  ) {}

  touch(id: Id): void {
    const now = this.now();
    if (now - (this.#written.get(id) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return;
    if (this.#written.size >= MAX_REMEMBERED) this.#written.clear();
    this.#written.set(id, now);
    const pendingWrite = this.store(id)
      .then(() => undefined)
      .catch((error: unknown) => {
        this.#written.delete(id);
        this.log.warn({ err: error, id }, 'last use could not be written');
      })
      .finally(() => this.#pending.delete(pendingWrite));
    this.#pending.add(pendingWrite);
  }

  /** Waits for pending writes. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

/** Records when API keys are used. */
export const apiKeyUse = (db: Database, log: Log, now: () => number) =>
  new LastUse((id: number) => sql.touchKey.run(db.pool, { id }), log, now);

/** Records when sessions are used. */
export const sessionUse = (db: Database, log: Log, now: () => number) =>
  new LastUse((id: string) => sql.touchSession.run(db.pool, { id }), log, now);

/** Records when personal access tokens are used. */
export const personalTokenUse = (db: Database, log: Log, now: () => number) =>
  new LastUse((id: number) => sql.touchPersonalToken.run(db.pool, { id }), log, now);
