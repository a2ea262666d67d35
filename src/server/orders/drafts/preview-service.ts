import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { z } from 'zod';
import type { Problem } from '../../core/errors/reason';
import { inRolledBackTransaction } from '../../db/transaction';
import type { ImportOrigin } from '../history/history-service';
import type { PreparedImport } from '../import/prepare';
import { storeImport } from '../import/store-service';
import { locateProblem } from './checked-sheet';
import * as draftSql from './drafts.queries';
import * as sql from './preview.queries';
import type { PreviewCache } from './preview-cache';
import type { PreviewListPage, previewOutput } from './schema';
import {
  type Draft,
  type DraftServices,
  loadDraft,
  readDraft,
  requireOpenDraft,
  storedSheetOf,
} from './service';
import { findMismatches, type ShopMismatch } from './shop-mismatch-service';
import { CHUNK_SIZE, type StoredList, storeList } from './stored-list';

export interface PreviewServices extends DraftServices {
  previews: PreviewCache<Preview>;
}

type PreviewPart = PreviewListPage['part'];

/** What an import of a draft would do. */
export interface Preview {
  /** From {@link computeFingerprint}. */
  fingerprint: string;
  counts: z.output<typeof previewOutput>['counts'];
  /** Signs that the file belongs to another shop. */
  mismatches: ShopMismatch[];
  lists: Record<PreviewPart, StoredList>;
  lines: readonly number[];
}

/**
 * Returns the fingerprint of a preview: a hash of the draft's rows, of the state of all records that the import's result depends
 * on, and of what the preview warns about. The caller must hold the shop's lock. If the fingerprint has not changed, the import
 * does what the preview showed. Also returns the signs that the file belongs to another shop, which are part of the hash.
 */
export async function computeFingerprint(
  client: pg.PoolClient,
  draft: Draft,
  preparedImport: PreparedImport,
  lostZerosWarnings: readonly Problem[],
): Promise<{ fingerprint: string; mismatches: ShopMismatch[] }> {
  const { account_id: shopId, version } = draft;
  const { receiptIds, shipments } = preparedImport;
  const [row] = await sql.readState.runPrepared(client, { shopId, receiptIds, shipments });
  const mismatches = await findMismatches(client, shopId, preparedImport);
  const state = JSON.stringify([version, row!.state_hash, lostZerosWarnings, mismatches]);
  return { fingerprint: createHash('sha256').update(state).digest('hex'), mismatches };
}

/** Collects in temporary tables what the import did. The preview's lists of orders are read from these tables. */
async function gatherChanges(
  client: pg.PoolClient,
  shopId: number,
  importId: string,
  { orders }: PreparedImport,
): Promise<void> {
  await sql.createPreviewOrders.run(client);
  await sql.createPreviewRecords.run(client);
  await sql.createPreviewItems.run(client);
  await sql.createPreviewShipments.run(client);
  for (const batch of orders) await sql.gatherOrders.run(client, { shopId, importId, orders: batch });
  await sql.gatherRecords.run(client, { shopId, importId });
  await sql.analyzeOrders.run(client);
  await sql.gatherItems.run(client, { shopId, importId });
  await sql.gatherShipments.run(client, { shopId, importId });
  await sql.analyzeParts.run(client);
}

const toStoredList = (rows: readonly { chunk: string; count: number }[]): StoredList => ({
  chunks: rows.map(({ chunk }) => chunk),
  total: rows.reduce((sum, { count }) => sum + count, 0),
});

/** Runs the import with the same statements and the same lock order as a real one, then rolls it back. */
async function buildPreview(services: DraftServices, draft: Draft, origin: ImportOrigin): Promise<Preview> {
  const checkedSheet = await services.sheets.check(storedSheetOf(draft));
  const { preparedImport } = checkedSheet;
  return inRolledBackTransaction(services.db.bulkPool, async (client) => {
    let fingerprint = '';
    let mismatches: ShopMismatch[] = [];
    const { account_id: shopId } = draft;
    const result = await storeImport(client, origin, preparedImport, shopId, () => 0, {
      onLocked: async (_, lostZerosWarnings) => {
        ({ fingerprint, mismatches } = await computeFingerprint(
          client,
          draft,
          preparedImport,
          lostZerosWarnings,
        ));
      },
    });
    await gatherChanges(client, shopId, result.importId, preparedImport);
    const chunkSize = CHUNK_SIZE;
    const newOrders = toStoredList(await sql.listNewOrders.run(client, { shopId, chunkSize }));
    const updatedOrders = toStoredList(await sql.listUpdatedOrders.run(client, { shopId, chunkSize }));
    const unchangedOrders = toStoredList(await sql.listUnchangedOrders.run(client, { chunkSize }));
    const warnings = [
      ...checkedSheet.warnings,
      ...result.databaseWarnings.map((warning) => ({
        ...locateProblem(checkedSheet.positions, warning),
        // Warnings from the database contain the whole cell, if they are about one.
        cell: warning.values.value === undefined ? null : String(warning.values.value),
      })),
    ];
    warnings.sort((a, b) => a.row - b.row);
    return {
      fingerprint,
      counts: {
        rows: checkedSheet.rowCount,
        accepted_rows: checkedSheet.acceptedRowCount,
        bad_rows: checkedSheet.badRowCount,
        held_rows: checkedSheet.heldRowCount,
        new_orders: result.newOrders,
        updated_orders: result.updatedOrders,
        changed_orders: updatedOrders.total,
        unchanged_orders: unchangedOrders.total,
        order_items_inserted: result.itemsInserted,
        order_items_changed: result.itemsChanged,
        warnings: warnings.length,
      },
      mismatches,
      lists: {
        new: newOrders,
        updated: updatedOrders,
        unchanged: unchangedOrders,
        rejected: checkedSheet.rejectedRows,
        warnings: storeList(warnings),
      },
      lines: checkedSheet.positions.lines,
    };
  });
}

/**
 * Returns what an import of the draft would do. While it is cached, the preview stays the same until a cell is fixed or an attempt
 * to import finds it out of date.
 *
 * @throws ServiceError `not_found`; `conflict` if the draft is being or has been imported
 */
export async function previewDraft(
  services: PreviewServices,
  origin: ImportOrigin & { userId: number },
  id: string,
): Promise<Preview> {
  const { fingerprint, ...view } = await readDraft(services, origin.userId, id);
  requireOpenDraft({ fingerprint, ...view });
  const { previews, db } = services;
  const keyOf = (version: string) => `${id} ${version}`;
  const key = keyOf(fingerprint ?? view.updated_at.toISOString());
  const preview = await previews.getOrBuild(key, async () => {
    const draft = await loadDraft(services, origin.userId, id);
    const newPreview = await buildPreview(services, draft, origin);
    const { account_id: shopId, version } = draft;
    await draftSql.saveFingerprint.run(db.pool, { shopId, id, version, fingerprint: newPreview.fingerprint });
    return newPreview;
  });
  previews.move(key, keyOf(preview.fingerprint));
  return preview;
}
