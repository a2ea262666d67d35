import { type Actor, writeAuditEntries } from '../../audit/service';
import { isServiceError, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { HeldBackRows, ImportOrigin } from '../history/history-service';
import { importPreparedOrders } from '../import/service';
import type { ImportResult } from '../import/store-service';
import { type CheckedSheet, type RejectedRow, toHeldBackProblem } from './checked-sheet';
import * as sql from './drafts.queries';
import { computeFingerprint, type PreviewServices } from './preview-service';
import { ImportProgress } from './progress-service';
import { type Draft, loadDraft, readDraft, requireOpenDraft, storedSheetOf } from './service';
import { readStoredList } from './stored-list';

export interface CommittedImport extends Omit<ImportResult, 'warnings' | 'databaseWarnings'> {
  /** How many rows were held back and remain in the draft. */
  heldBackRowCount: number;
}

const STALE_PREVIEW_REASON = createReason('import.stale');

/** The maximum number of problems with held-back rows that the history stores. */
const MAX_HELD_BACK_PROBLEMS = 1_000;

/** Summarises the held-back rows for the import history. */
function summariseHeldBackRows({ rejectedRows, badRowCount, heldRowCount }: CheckedSheet): HeldBackRows {
  const problems = readStoredList<RejectedRow>(rejectedRows)
    .flatMap((row) => row.problems)
    .map(toHeldBackProblem);
  return {
    rowCount: badRowCount + heldRowCount,
    problems: problems.slice(0, MAX_HELD_BACK_PROBLEMS),
    problemCount: problems.length,
  };
}

/**
 * Imports the accepted rows of a draft, all or nothing, exactly as its preview showed. If two calls run concurrently, only one
 * imports. If the import is interrupted, nothing is stored and it can run again.
 *
 * @param input.fingerprint the fingerprint of the preview that the user has seen
 * @param requireCaller throws if the user may no longer import; called before anything is stored
 * @throws ServiceError `not_found`; `conflict` if the import is running or has run, or if the preview is out of date;
 * `validation_failed` if no row is accepted; `import_failed`
 */
export async function commitDraft(
  services: PreviewServices,
  origin: ImportOrigin & { userId: number },
  actor: Actor,
  input: { id: string; fingerprint: string },
  requireCaller: () => Promise<void>,
): Promise<CommittedImport> {
  const { db, log } = services;
  const { account_id: shopId } = await readDraft(services, origin.userId, input.id);
  const key = { shopId, id: input.id };
  const [claimedDraft] = await sql.claimDraft.run(db.pool, key);
  if (!claimedDraft) {
    requireOpenDraft(await readDraft(services, origin.userId, input.id));
    throw new ServiceError('conflict', createReason('import.running'));
  }
  const progress = new ImportProgress(db.pool, log, key);
  const loadAndImport = async () => {
    const draft = await loadDraft(services, origin.userId, input.id);
    return importDraft(
      services,
      { ...origin, fileName: draft.file_name },
      actor,
      draft,
      input.fingerprint,
      progress,
      requireCaller,
    );
  };
  try {
    // The progress ends before the release, after which another run may claim the draft.
    return await loadAndImport().finally(() => progress.end());
  } catch (error) {
    await releaseDraft(services, key, error);
    throw error;
  }
}

async function importDraft(
  services: PreviewServices,
  origin: ImportOrigin & { userId: number },
  actor: Actor,
  draft: Draft,
  fingerprint: string,
  progress: ImportProgress,
  requireCaller: () => Promise<void>,
): Promise<CommittedImport> {
  const checkedSheet = await services.sheets.check(storedSheetOf(draft));
  const { acceptedRowCount, rowCount } = checkedSheet;
  if (acceptedRowCount === 0) throw new ServiceError('validation_failed', createReason('import.noRow'));
  const key = { shopId: draft.account_id, id: draft.id };
  await sql.setTotal.run(services.db.pool, { ...key, total: countSteps(checkedSheet) });
  progress.add(rowCount, 'checking');
  const heldBackRows = summariseHeldBackRows(checkedSheet);
  const preparedImport = { ...checkedSheet.preparedImport, heldBackRows };
  const {
    warnings: _warnings,
    databaseWarnings: _databaseWarnings,
    ...result
  } = await importPreparedOrders(services, origin, preparedImport, {
    onLocked: async (client, lostZerosWarnings) => {
      await requireCaller();
      progress.add(rowCount, 'storing');
      const current = await computeFingerprint(client, draft, preparedImport, lostZerosWarnings);
      if (current.fingerprint !== fingerprint) throw new ServiceError('conflict', STALE_PREVIEW_REASON);
    },
    onStored: (count) => progress.add(count, 'storing'),
    beforeCommit: async (client, { importId, ...counts }) => {
      const [completedDraft] = await sql.completeDraft.run(client, { ...key, importId });
      if (!completedDraft) throw new ServiceError('conflict', createReason('import.done'));
      await writeAuditEntries(client, actor, [
        {
          action: 'import.commit',
          recordType: 'import',
          recordId: importId,
          after: {
            account_id: draft.account_id,
            file_name: draft.file_name,
            new_orders: counts.newOrders,
            updated_orders: counts.updatedOrders,
            changed_orders: counts.changedOrders,
            items_inserted: counts.itemsInserted,
            items_changed: counts.itemsChanged,
            warnings: counts.warningCount,
          },
        },
      ]);
    },
  });
  return { ...result, heldBackRowCount: heldBackRows.rowCount };
}

/** Returns the total number of progress steps: each row read, each row checked, and each order, item and shipment stored. */
function countSteps({ rowCount, preparedImport }: CheckedSheet): number {
  return rowCount * 2 + preparedImport.orderCount + preparedImport.itemCount + preparedImport.shipmentCount;
}

async function releaseDraft(
  { db, log }: PreviewServices,
  key: { shopId: number; id: string },
  error: unknown,
): Promise<void> {
  const isRefusal = isServiceError(error) && error.code !== 'import_failed';
  const { reason, values } = isServiceError(error) ? error.reason : createReason('import.broken');
  await sql.releaseDraft
    .run(db.pool, {
      ...key,
      state: isRefusal ? 'ready' : 'failed',
      failure: JSON.stringify({ reason, values }),
    })
    // If this fails, the draft can be claimed again once its last heartbeat is old enough.
    .catch((cause: unknown) => log.warn({ err: cause }, 'import draft could not be released'));
}
