import type pg from 'pg';
import { isServiceError, ServiceError, validationError } from '../../core/errors/errors';
import { createReason, type Problem, problemAt } from '../../core/errors/reason';
import { sentenceOf } from '../../core/errors/sentence';
import type { Log } from '../../core/log';
import type { Database } from '../../db/client';
import { inRetriedTransaction } from '../../db/transaction';
import { isDatabaseUnavailable } from '../../db/unavailable';
import { shopExists } from '../../shops/service';
import {
  type ImportOrigin,
  type ReceivedContent,
  recordUnsuccessfulImport,
  type UnsuccessfulOutcome,
} from '../history/history-service';
import type { SearchIndexer } from '../indexing/search-service';
import {
  contentHashOf,
  type HashedInput,
  type ImportInput,
  type PreparedImport,
  withBodyHash,
} from './prepare';
import { type ImportHooks, type ImportResult, storeImport } from './store-service';

/** How an import ended. */
export interface FinishedImportEvent {
  source: ImportOrigin['source'];
  outcome: 'succeeded' | 'rejected' | 'failed';
  /** The number of rows, not counting an export's header or held-back rows. */
  rowCount: number;
  durationMs: number;
}

/** What imports depend on. */
export interface ImportServices {
  db: Database;
  log: Log;
  /** Reads and checks an import. A large one is read in a worker thread, which stops when the signal is aborted. */
  readImport(input: HashedInput, signal?: AbortSignal): Promise<PreparedImport>;
  /** Makes imported orders searchable some time after the import. */
  searchIndexer: Pick<SearchIndexer, 'duringImport' | 'schedule' | 'finishIndexing'>;
  /** Called when an import has ended. */
  onImportEnd(event: FinishedImportEvent): void;
}

async function findShopProblem(db: pg.Pool, shopId: number): Promise<Problem | null> {
  if (await shopExists(db, shopId)) return null;
  return problemAt('account_id', createReason('body.account', { id: shopId }));
}

/** @throws ServiceError `validation_failed` if no shop has the id or the shop is being deleted */
export async function requireShop(db: pg.Pool, shopId: number): Promise<void> {
  const problem = await findShopProblem(db, shopId);
  if (problem) throw validationError([problem]);
}

/**
 * Reads and imports orders, all or nothing (docs/orders.md). Records the import in the history like {@link importPreparedOrders},
 * even if it is not read completely.
 *
 * @param hooks called inside the import's transaction
 * @param signal cancels a large import while its rows are still being read; a small one is read at once and stored in any case
 * @returns the import's id, counts and warnings, once everything is stored
 * @throws ServiceError `validation_failed` naming the bad rows, `import_failed`, or one that a hook throws; the signal's reason if
 * it aborts. No orders are stored in any of these cases.
 */
export async function importOrders(
  services: ImportServices,
  origin: ImportOrigin,
  input: ImportInput,
  hooks: ImportHooks = {},
  signal?: AbortSignal,
): Promise<ImportResult> {
  const startMs = performance.now();
  return services.searchIndexer.duringImport(async () => {
    const hashedInput = await withBodyHash(input);
    const preparedImport = await services.readImport(hashedInput, signal).catch(async (cause: unknown) => {
      const unreadContent = { rowCount: 0, contentHash: contentHashOf(hashedInput) };
      if (!signal?.aborted) throw await failImport(services, origin, unreadContent, null, startMs, cause);
      const failure = createReason('import.disconnected');
      const outcome = { outcome: 'rejected', shopId: null, failure } as const;
      const durationMs = millisecondsSince(startMs);
      await reportUnsuccessfulImport(services, origin, unreadContent, { ...outcome, durationMs }, []);
      throw cause;
    });
    return importPreparedOrders(services, origin, preparedImport, hooks, startMs);
  });
}

const millisecondsSince = (startMs: number) => Math.round(performance.now() - startMs);

/**
 * Imports rows that have been read and checked. The API, the command and the import page all end up here. Every call is
 * recorded in the import history, even one that stores nothing, unless the process is killed or the history cannot be written.
 *
 * @param hooks called inside the import's transaction
 * @param startMs when reading began, from performance.now()
 * @throws ServiceError like {@link importOrders}
 */
export async function importPreparedOrders(
  services: ImportServices,
  origin: ImportOrigin,
  preparedImport: PreparedImport,
  hooks: ImportHooks = {},
  startMs = performance.now(),
): Promise<ImportResult> {
  const { db } = services;
  const elapsedMs = () => millisecondsSince(startMs);
  const shopProblem =
    preparedImport.shopId === null ? null : await findShopProblem(db.pool, preparedImport.shopId);
  const problems = shopProblem ? [shopProblem, ...preparedImport.problems] : preparedImport.problems;
  const problemCount = preparedImport.problemCount + (shopProblem ? 1 : 0);
  const shopId = shopProblem ? null : preparedImport.shopId;

  // A missing shop is always a problem, because account_id is required.
  if (problemCount > 0 || shopId === null) {
    const error = validationError(problems, problemCount, {
      isTemporary: preparedImport.wasStopped ?? false,
    });
    const outcome = { outcome: 'rejected', shopId, errorCount: problemCount, failure: error.reason } as const;
    await reportUnsuccessfulImport(
      services,
      origin,
      preparedImport,
      { ...outcome, durationMs: elapsedMs() },
      problems,
    );
    throw error;
  }
  try {
    const result = await services.searchIndexer.duringImport(() =>
      inRetriedTransaction(db.bulkPool, (client) =>
        storeImport(client, origin, preparedImport, shopId, elapsedMs, hooks),
      ),
    );
    services.searchIndexer.schedule();
    services.onImportEnd({
      source: origin.source,
      outcome: 'succeeded',
      rowCount: preparedImport.rowCount,
      durationMs: elapsedMs(),
    });
    return result;
  } catch (cause) {
    // Not a temporary failure of the service, such as an unreachable database when the caller is checked again.
    if (isServiceError(cause) && cause.status < 500) {
      const outcome = { outcome: 'rejected', shopId, failure: cause.reason } as const;
      await reportUnsuccessfulImport(
        services,
        origin,
        preparedImport,
        { ...outcome, durationMs: elapsedMs() },
        [],
      );
      throw cause;
    }
    throw await failImport(services, origin, preparedImport, shopId, startMs, cause);
  }
}

/** Logs and records an import that failed because of the service or its database. Returns the error for the caller. */
async function failImport(
  services: ImportServices,
  origin: ImportOrigin,
  receivedContent: ReceivedContent,
  shopId: number | null,
  startMs: number,
  cause: unknown,
): Promise<ServiceError> {
  services.log.error({ err: cause, requestId: origin.requestId }, 'import failed');
  const failure = createReason(isDatabaseUnavailable(cause) ? 'import.noDatabase' : 'import.logged');
  const outcome = { outcome: 'failed', shopId, failure, durationMs: millisecondsSince(startMs) } as const;
  await reportUnsuccessfulImport(services, origin, receivedContent, outcome, []);
  const members = { error: sentenceOf(failure) };
  return new ServiceError('import_failed', failure, { message: '导入失败', members, cause });
}

/**
 * Reports an import that stored nothing, and records it in the history. A failure to write the history is only logged, because the
 * caller needs the import's own error.
 */
async function reportUnsuccessfulImport(
  { db, log, onImportEnd }: ImportServices,
  origin: ImportOrigin,
  ...entry: [ReceivedContent, UnsuccessfulOutcome, readonly Problem[]]
): Promise<void> {
  const [{ rowCount }, { outcome, durationMs }] = entry;
  onImportEnd({ source: origin.source, outcome, rowCount, durationMs });
  try {
    await recordUnsuccessfulImport(db.pool, origin, ...entry);
  } catch (error) {
    log.error({ err: error, requestId: origin.requestId }, 'import history could not be written');
  }
}
