import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../../core/log';
import * as sql from './drafts.queries';
import type { ImportStep } from './schema';
import { type DraftServices, type DraftView, readDraft } from './service';

/** Heartbeat interval of a running import. */
const HEARTBEAT_MS = 5_000;
/** How often a watcher polls the database. Polling works even if another server runs the import. */
const POLL_MS = 250;

/**
 * Writes an import's progress to its draft in the background, one write at a time. Updates that arrive during a write are
 * combined into the next one. A failed write does not hold up the import.
 */
export class ImportProgress {
  #doneCount = 0;
  #step: ImportStep = 'reading';
  #currentWrite: Promise<void> | undefined;
  #mustWriteAgain = false;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Log,
    private readonly draftKey: { shopId: number; id: string },
  ) {
    this.#heartbeat = setInterval(() => this.#write(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  add(count: number, step: ImportStep): void {
    this.#doneCount += count;
    this.#step = step;
    this.#write();
  }

  #write(): void {
    if (this.#currentWrite) {
      this.#mustWriteAgain = true;
      return;
    }
    this.#currentWrite = sql.writeProgress
      .runPrepared(this.pool, { ...this.draftKey, done: this.#doneCount, step: this.#step })
      .catch((error: unknown) => this.log.warn({ err: error }, 'import progress could not be written'))
      .then(() => {
        this.#currentWrite = undefined;
        if (!this.#mustWriteAgain) return;
        this.#mustWriteAgain = false;
        this.#write();
      });
  }

  /** Stops writing and waits for the write in progress. */
  async end(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#mustWriteAgain = false;
    await this.#currentWrite;
  }
}

/**
 * Yields the draft at once and whenever its state or progress changes, until its import has succeeded or failed. A refused import
 * does not end the stream. Can be stopped and started again, on any server.
 *
 * @throws ServiceError `not_found`
 */
export async function* watchDraft(
  services: Pick<DraftServices, 'db'>,
  userId: number,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<DraftView> {
  let lastProgressJson = '';
  while (!signal?.aborted) {
    const draft = await readDraft(services, userId, id);
    const { state, done, total, step, failure } = draft;
    const progressJson = JSON.stringify([state, done, total, step, failure]);
    if (progressJson !== lastProgressJson) yield draft;
    lastProgressJson = progressJson;
    if (state === 'done' || state === 'failed') return;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
