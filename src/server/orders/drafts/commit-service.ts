import { type Actor, writeAudits } from '../../audit/audit';
import { isServiceError, ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import type { ImportOrigin } from '../import/history';
import type { HeldBack } from '../import/prepare';
import { importOrders } from '../import/service';
import type { ImportResult } from '../import/store-service';
import { type CheckedSheet, heldBackProblem, type RejectedRow } from './checked-sheet';
import { fingerprintOf, type PreviewServices } from './preview-service';
import { ImportProgress } from './progress-service';
import { DEAD_AFTER_SECONDS, type Draft, loadDraft, requireOpen, sheetOf } from './service';

export interface CommittedImport extends Omit<ImportResult, 'warnings' | 'storeWarnings'> {
  /** Rows that were held back, which the file still has. */
  heldBack: number;
}

const CHANGED = because('import.stale');

/** What of a draft is taken once, whoever asks first. A run that died with its process may be taken over. */
const TAKE = `
UPDATE import_drafts SET state = 'running', done = 0, step = 'reading', failure = NULL, updated_at = now()
 WHERE id = $1 AND user_id = $2 AND (state IN ('ready', 'failed')
       OR (state = 'running' AND updated_at < now() - interval '${DEAD_AFTER_SECONDS} seconds'))`;

/** Part of the import's transaction: either the draft is done and its orders are stored, or neither. */
const COMPLETE = `
UPDATE import_drafts SET state = 'done', done = total, step = NULL, import_id = $2, updated_at = now()
 WHERE id = $1 AND state = 'running'`;

/** After a refusal the preview no longer holds; after a failure it does. */
const RELEASE = `
UPDATE import_drafts SET state = $2, step = NULL, failure = $3, done = 0, updated_at = now(),
       fingerprint = CASE WHEN $2 = 'ready' THEN NULL ELSE fingerprint END
 WHERE id = $1 AND state = 'running'`;

/** How many problems of rows held back the history lists. */
const KEPT_HELD = 1_000;

/** The rows that stay behind, for the import's history. */
function heldBackOf({ rejected, badRows, heldRows }: CheckedSheet): HeldBack {
  const problems = rejected
    .flatMap((page) => JSON.parse(page) as RejectedRow[])
    .flatMap((row) => row.problems)
    .map(heldBackProblem);
  return {
    rows: badRows + heldRows,
    problems: problems.slice(0, KEPT_HELD),
    problemCount: problems.length,
  };
}

/**
 * Imports the accepted rows of a draft, all or nothing, as its preview showed. Run by two at once it runs once; cut off
 * anywhere it has stored nothing, and can be run again.
 *
 * @param fingerprint of the preview that the person has seen
 * @throws ServiceError `not_found`; `conflict` where it runs or has run, or the orders concerned have changed since the
 * preview; `validation_failed` where no row is accepted; `import_failed`
 */
export async function commitDraft(
  services: PreviewServices,
  origin: ImportOrigin & { userId: number },
  actor: Actor,
  input: { id: string; fingerprint: string },
): Promise<CommittedImport> {
  const { db, log } = services;
  const { rowCount } = await db.pool.query(TAKE, [input.id, origin.userId]);
  const draft = await loadDraft(services, origin.userId, input.id);
  if (rowCount === 0) {
    requireOpen(draft);
    throw new ServiceError('conflict', because('import.running'));
  }
  const progress = new ImportProgress(db.pool, log, input.id);
  try {
    return await run(
      services,
      { ...origin, fileName: draft.file_name },
      actor,
      draft,
      input.fingerprint,
      progress,
    );
  } catch (error) {
    await progress.end();
    await release(services, input.id, error);
    throw error;
  } finally {
    await progress.end();
  }
}

async function run(
  services: PreviewServices,
  origin: ImportOrigin & { userId: number },
  actor: Actor,
  draft: Draft,
  fingerprint: string,
  progress: ImportProgress,
): Promise<CommittedImport> {
  const checked = await services.sheets.check(sheetOf(draft));
  const { acceptedRows, rows } = checked;
  if (acceptedRows === 0) throw new ServiceError('validation_failed', because('import.noRow'));
  await services.db.pool.query('UPDATE import_drafts SET total = $2 WHERE id = $1', [
    draft.id,
    stepsOf(checked),
  ]);
  progress.add(rows, 'checking');
  const heldBack = heldBackOf(checked);
  const prepared = { ...checked.prepared, heldBack };
  const {
    warnings: _,
    storeWarnings: __,
    ...result
  } = await importOrders(
    { ...services, readImport: async () => prepared },
    origin,
    { members: null },
    {
      locked: async (client) => {
        progress.add(rows, 'storing');
        if ((await fingerprintOf(client, draft, prepared)) !== fingerprint)
          throw new ServiceError('conflict', CHANGED);
      },
      stored: (count) => progress.add(count, 'storing'),
      ending: async (client, { importId, warnings: _all, storeWarnings: _some, ...counts }) => {
        await progress.end();
        const done = await client.query(COMPLETE, [draft.id, importId]);
        if (done.rowCount === 0) throw new ServiceError('conflict', because('import.done'));
        await writeAudits(client, actor, [
          {
            action: 'import.commit',
            recordType: 'import',
            recordId: importId,
            after: { account_id: draft.account_id, file_name: draft.file_name, ...counts },
          },
        ]);
      },
    },
  );
  return { ...result, heldBack: heldBack.rows };
}

/** What the progress counts: rows read, rows checked, and each order, item and shipment stored. */
function stepsOf({ rows, prepared }: CheckedSheet): number {
  return rows * 2 + prepared.orderCount + prepared.itemCount + prepared.shipmentCount;
}

async function release({ db, log }: PreviewServices, id: string, error: unknown): Promise<void> {
  const refused = isServiceError(error) && error.code !== 'import_failed';
  const reason = isServiceError(error) ? error.reason : because('import.broken');
  await db.pool
    .query(RELEASE, [id, refused ? 'ready' : 'failed', reason])
    // Then the draft is free again when its last sign of life is old enough.
    .catch((cause: unknown) => log.warn({ err: cause }, 'import draft could not be released'));
}
