import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../../core/log';
import * as sql from './drafts.queries';
import type { ImportStep } from './schema';
import { type DraftServices, type DraftView, readDraft } from './service';

/** How often a running import tells that it is alive. */
const BEAT_MS = 5_000;
/** How often a watcher asks the database: whichever server it asks of, and whichever runs the import. */
const ASK_MS = 250;

/**
 * Writes how far an import is into its draft, in the background and one write after the other: what is told meanwhile is told
 * by the next. That a write fails holds up nothing.
 */
export class ImportProgress {
  #done = 0;
  #step: ImportStep = 'reading';
  #writing: Promise<void> | undefined;
  #again = false;
  readonly #beat: NodeJS.Timeout;

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Log,
    private readonly draft: { shopId: number; id: string },
  ) {
    this.#beat = setInterval(() => this.#write(), BEAT_MS);
    this.#beat.unref();
  }

  add(count: number, step: ImportStep): void {
    this.#done += count;
    this.#step = step;
    this.#write();
  }

  #write(): void {
    if (this.#writing) {
      this.#again = true;
      return;
    }
    this.#writing = sql.writeProgress
      .runPrepared(this.pool, { ...this.draft, done: this.#done, step: this.#step })
      .catch((error: unknown) => this.log.warn({ err: error }, 'import progress could not be written'))
      .then(() => {
        this.#writing = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.#write();
      });
  }

  /** Tells nothing more; what is being written is waited for. */
  async end(): Promise<void> {
    clearInterval(this.#beat);
    this.#again = false;
    await this.#writing;
  }
}

/**
 * The draft, again whenever it changes, until its import is over. It can be left and watched anew, through any server.
 *
 * @throws ServiceError `not_found`
 */
export async function* watchDraft(
  services: Pick<DraftServices, 'db'>,
  userId: number,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<DraftView> {
  let shown = '';
  while (!signal?.aborted) {
    const draft = await readDraft(services, userId, id);
    const { state, done, total, step, failure } = draft;
    const now = JSON.stringify([state, done, total, step, failure]);
    if (now !== shown) yield draft;
    shown = now;
    if (state === 'done' || state === 'failed') return;
    await sleep(ASK_MS, undefined, { signal }).catch(() => undefined);
  }
}
