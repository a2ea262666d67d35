import type { Log } from '../../core/log';
import type { Database } from '../../db/client';
import { isDatabaseUnavailable } from '../../db/unavailable';
import type { MaskedError } from '../../gateway/masked-error';
import * as sql from './calls.queries';

/** One API call with a key, as stored in the request log. */
export interface KeyCall {
  apiKeyId: number;
  /** When its HTTP request began, in milliseconds since the Unix epoch. */
  at: number;
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  error: MaskedError | null;
  address: string;
}

/** How many calls are kept per key. Older ones are deleted, some only by the next cleanup. */
export const MAX_CALLS_PER_KEY = 1_000;

const FLUSH_DELAY_MS = 1_000;
/**
 * Once this many calls are waiting, they are written without waiting for the timer, unless the last write failed. The limit is
 * far above a thousand because only the last thousand of each key's waiting calls are written: a busy key then causes fewer
 * writes.
 */
const FLUSH_COUNT = 5_000;
/** The maximum number of calls that wait in memory, for example while the database is unreachable. */
const MAX_WAITING_CALLS = 10_000;
const DROP_BATCH_SIZE = 500;
const ROWS_PER_STATEMENT = 500;
/** The maximum number of expired calls that one statement deletes, so that no lock lasts long. */
const DELETE_BATCH_SIZE = 5_000;

/**
 * Deletes calls that are older than `days` days or not among their key's last thousand. If aborted, the next run deletes the rest.
 *
 * @throws the signal's reason if it aborts before all old calls are deleted
 */
export async function deleteOldCalls(
  db: Pick<Database, 'pool'>,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  let count = DELETE_BATCH_SIZE;
  while (count === DELETE_BATCH_SIZE) {
    signal?.throwIfAborted();
    [{ count }] = (await sql.deleteOldCalls.run(db.pool, { days, limit: DELETE_BATCH_SIZE })) as [
      { count: number },
    ];
  }
  const keyIds = (await sql.listKeyIds.run(db.pool)).map(({ id }) => id);
  await sql.trimCalls.run(db.pool, { maxCalls: MAX_CALLS_PER_KEY, keyIds });
}

/** Returns the last thousand calls of each key, in the given order. Older ones would be deleted right away. */
function lastCallsPerKey(calls: readonly KeyCall[]): KeyCall[] {
  if (calls.length <= MAX_CALLS_PER_KEY) return [...calls];
  const countByKeyId = new Map<number, number>();
  const recentCalls: KeyCall[] = [];
  for (const call of calls.toReversed()) {
    const count = (countByKeyId.get(call.apiKeyId) ?? 0) + 1;
    countByKeyId.set(call.apiKeyId, count);
    if (count <= MAX_CALLS_PER_KEY) recentCalls.push(call);
  }
  return recentCalls.reverse();
}

const rowOf = (call: KeyCall, index: number) => ({
  index,
  api_key_id: call.apiKeyId,
  at: call.at,
  request_id: call.requestId,
  method: call.method,
  route: call.route,
  status: call.status,
  duration_ms: Math.round(call.durationMs),
  ...(call.error ? { error: call.error } : {}),
  ...(call.address ? { address: call.address } : {}),
});

/**
 * The request log of API keys: the last thousand calls of each key, stored for `days` days. Calls are written in batches after
 * the requests, so a slow or unreachable database delays no request. If too many are waiting, the oldest are dropped and the
 * service's own log says so.
 */
export class KeyCallLog {
  #waitingCalls: KeyCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #currentFlush: Promise<void> | null = null;
  #lastWriteFailed = false;
  #droppedCount = 0;
  /** The number of rows written for each key since its old rows were last deleted. */
  readonly #writtenCounts = new Map<number, number>();

  constructor(
    private readonly db: Pick<Database, 'pool'>,
    private readonly log: Log,
    /** For how many days calls are stored. */ readonly days: number,
  ) {}

  /** The number of calls waiting to be written. */
  get waitingCount(): number {
    return this.#waitingCalls.length;
  }

  /** Adds a call. Returns immediately and never throws. */
  add(call: KeyCall): void {
    if (this.#waitingCalls.length >= MAX_WAITING_CALLS) this.#dropOldest(DROP_BATCH_SIZE);
    this.#waitingCalls.push(call);
    // After a failure only the timer retries; otherwise every request would.
    if (this.#waitingCalls.length >= FLUSH_COUNT && !this.#lastWriteFailed) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_DELAY_MS).unref();
  }

  /** Writes the waiting calls. Resolves even if they could not be written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#currentFlush ??= this.#writeWaitingCalls().finally(() => {
      this.#currentFlush = null;
      if (this.#waitingCalls.length > 0)
        this.#timer ??= setTimeout(() => void this.flush(), FLUSH_DELAY_MS).unref();
    });
    return this.#currentFlush;
  }

  /** Writes the waiting calls at shutdown. Calls that cannot be written are lost. */
  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #dropOldest(count: number): void {
    this.#waitingCalls.splice(0, count);
    this.#droppedCount += count;
  }

  async #writeWaitingCalls(): Promise<void> {
    this.#lastWriteFailed = false;
    while (this.#waitingCalls.length > 0 && !this.#lastWriteFailed) {
      const calls = lastCallsPerKey(this.#waitingCalls.splice(0).sort((a, b) => a.at - b.at));
      for (let from = 0; from < calls.length && !this.#lastWriteFailed; from += ROWS_PER_STATEMENT) {
        this.#lastWriteFailed = !(await this.#write(calls.slice(from, from + ROWS_PER_STATEMENT)));
        if (this.#lastWriteFailed) this.#waitingCalls = [...calls.slice(from), ...this.#waitingCalls];
      }
    }
    const excessCount = this.#waitingCalls.length - MAX_WAITING_CALLS;
    if (excessCount > 0) this.#dropOldest(excessCount);
    if (this.#droppedCount > 0)
      this.log.warn({ dropped: this.#droppedCount }, 'calls are missing from the request log of API keys');
    this.#droppedCount = 0;
  }

  /** @returns false if the database is unreachable and the calls should be retried */
  async #write(calls: readonly KeyCall[]): Promise<boolean> {
    try {
      await sql.addCalls.run(this.db.pool, { calls: JSON.stringify(calls.map(rowOf)) });
    } catch (error) {
      this.log.warn({ err: error }, 'the request log of API keys could not be written');
      if (isDatabaseUnavailable(error)) return false;
      // Any other error would recur on every retry and block later calls, so this batch is dropped.
      this.#droppedCount += calls.length;
      return true;
    }
    await this.#trimBusyKeys(calls).catch((error: unknown) =>
      this.log.warn({ err: error }, 'the request log of API keys could not be trimmed'),
    );
    return true;
  }

  /**
   * Deletes the old calls of each key for which another thousand have been written. A busy key can make thousands of calls a
   * minute, too many to leave to the hourly cleanup.
   */
  async #trimBusyKeys(calls: readonly KeyCall[]): Promise<void> {
    for (const { apiKeyId } of calls)
      this.#writtenCounts.set(apiKeyId, (this.#writtenCounts.get(apiKeyId) ?? 0) + 1);
    const busyKeyIds = [...this.#writtenCounts].flatMap(([keyId, count]) =>
      count >= MAX_CALLS_PER_KEY ? [keyId] : [],
    );
    if (busyKeyIds.length === 0) return;
    for (const keyId of busyKeyIds) this.#writtenCounts.delete(keyId);
    await sql.trimCalls.run(this.db.pool, { maxCalls: MAX_CALLS_PER_KEY, keyIds: busyKeyIds });
  }
}
