import type { Log } from '../core/log';
import type { Database } from '../db/client';

const INTERVAL_MS = 60_000;
/** The most ids used within a minute; far more than any deployment has at once. */
const MOST_REMEMBERED = 10_000;

/**
 * Records when keys, tokens and sessions were last used: at most one write per minute for each, after the request, so that it
 * never waits.
 */
export class LastUse<Id extends number | string> {
  readonly #written = new Map<Id, number>();
  readonly #running = new Set<Promise<void>>();

  /** `statement` sets the time for the id `$1`, unless it was set less than a minute ago. */
  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly now: () => number,
    private readonly statement: string,
  ) {}

  touch(id: Id): void {
    const now = this.now();
    if (now - (this.#written.get(id) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return;
    if (this.#written.size >= MOST_REMEMBERED) this.#written.clear();
    this.#written.set(id, now);
    const write = this.db.pool
      .query(this.statement, [id])
      .then(() => undefined)
      .catch((error: unknown) => {
        this.#written.delete(id);
        this.log.warn({ err: error, id }, 'last use could not be written');
      })
      .finally(() => this.#running.delete(write));
    this.#running.add(write);
  }

  /** Waits for pending writes. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/** When API keys were last used. */
export const apiKeyUse = (db: Database, log: Log, now: () => number) =>
  new LastUse<number>(
    db,
    log,
    now,
    `UPDATE api_keys SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
  );

/** When users were last seen in their sessions. */
export const sessionUse = (db: Database, log: Log, now: () => number) =>
  new LastUse<string>(
    db,
    log,
    now,
    `UPDATE user_sessions SET last_seen_at = now()
      WHERE id = $1 AND ended_at IS NULL AND last_seen_at < now() - interval '1 minute'`,
  );

/** When personal access tokens were last used. */
export const personalTokenUse = (db: Database, log: Log, now: () => number) =>
  new LastUse<number>(
    db,
    log,
    now,
    `UPDATE personal_tokens SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
  );
