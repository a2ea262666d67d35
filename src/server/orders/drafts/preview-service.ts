import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inRolledBackTransaction } from '../../core/postgres';
import type { ImportOrigin } from '../import/history';
import type { PreparedImport } from '../import/prepare';
import { storeImport } from '../import/store-service';
import { pagesOf, placedProblem } from './checked-sheet';
import type { PreviewCache } from './preview-cache';
import {
  GATHER_CHANGES,
  GATHER_ORDERS,
  MAKE_PREVIEW_TABLES,
  NEW_ORDERS,
  STATE_OF_ORDERS,
  UNCHANGED_ORDERS,
  UPDATED_ORDERS,
} from './preview-sql';
import { type Draft, type DraftServices, loadDraft, readDraft, requireOpen, sheetOf } from './service';

export interface PreviewServices extends DraftServices {
  previews: PreviewCache<Preview>;
}

/** The lists of a preview. */
type PreviewPart = 'new' | 'updated' | 'unchanged' | 'rejected' | 'warnings';

interface PreviewCounts {
  rows: number;
  accepted_rows: number;
  bad_rows: number;
  held_rows: number;
  new_orders: number;
  /** Orders that exist and that the file names, changed or not: those that change, and those that do not. */
  updated_orders: number;
  changed_orders: number;
  unchanged_orders: number;
  order_items_inserted: number;
  order_items_changed: number;
  warnings: number;
}

/** What an import of a draft would do, its lists page by page as JSON. */
export interface Preview {
  /** Of the rows and of all that they would meet. */
  fingerprint: string;
  counts: PreviewCounts;
  totals: Record<PreviewPart, number>;
  pages: Record<PreviewPart, string[]>;
  lines: readonly number[];
}

/**
 * What a preview was made from, as one text: the draft's rows and the state of all that they meet. Asked under the shop's
 * lock; equal texts mean that the import does what was shown.
 */
export async function fingerprintOf(
  client: pg.PoolClient,
  draft: Draft,
  prepared: PreparedImport,
): Promise<string> {
  const { rows } = await client.query<{ state: string }>({
    name: 'import-state',
    text: STATE_OF_ORDERS,
    values: [prepared.accountId, prepared.orders, prepared.shipments],
  });
  return createHash('sha256').update(`${draft.version}\n${rows[0]!.state}`).digest('hex');
}

interface Pages {
  pages: string[];
  total: number;
}

/** Brings together what the import did, for the lists to be read from. */
async function gather(
  client: pg.PoolClient,
  importId: string,
  { accountId, orders }: PreparedImport,
): Promise<void> {
  await client.query(MAKE_PREVIEW_TABLES);
  await client.query(GATHER_ORDERS, [importId, accountId, orders]);
  await client.query(GATHER_CHANGES[0]!, [importId]);
  await client.query('ANALYZE preview_order, preview_record');
  for (const statement of GATHER_CHANGES.slice(1)) await client.query(statement, [importId]);
  await client.query('ANALYZE preview_item, preview_parcel');
}

async function readPages(client: pg.PoolClient, statement: string): Promise<Pages> {
  const { rows } = await client.query<{ page: string; count: number }>(statement);
  return { pages: rows.map(({ page }) => page), total: rows.reduce((sum, { count }) => sum + count, 0) };
}

/** Runs the import and takes it back: the same statements, the same order of locks. */
async function makePreview(services: DraftServices, draft: Draft, origin: ImportOrigin): Promise<Preview> {
  const checked = await services.sheets.check(sheetOf(draft));
  const { prepared } = checked;
  return inRolledBackTransaction(services.db.bulkPool, async (client) => {
    let fingerprint = '';
    const result = await storeImport(client, origin, prepared, () => 0, {
      locked: async () => {
        fingerprint = await fingerprintOf(client, draft, prepared);
      },
    });
    await gather(client, result.importId, prepared);
    const fresh = await readPages(client, NEW_ORDERS);
    const updated = await readPages(client, UPDATED_ORDERS);
    const unchanged = await readPages(client, UNCHANGED_ORDERS);
    const doubts = [
      ...checked.warnings,
      ...result.storeWarnings.map((warning) => placedProblem(checked.places, warning)),
    ];
    doubts.sort((a, b) => a.row - b.row);
    return {
      fingerprint,
      counts: {
        rows: checked.rows,
        accepted_rows: checked.acceptedRows,
        bad_rows: checked.badRows,
        held_rows: checked.heldRows,
        new_orders: result.newOrders,
        updated_orders: result.updatedOrders,
        changed_orders: updated.total,
        unchanged_orders: unchanged.total,
        order_items_inserted: result.itemsInserted,
        order_items_changed: result.itemsChanged,
        warnings: doubts.length,
      },
      totals: {
        new: fresh.total,
        updated: updated.total,
        unchanged: unchanged.total,
        rejected: checked.badRows + checked.heldRows,
        warnings: doubts.length,
      },
      pages: {
        new: fresh.pages,
        updated: updated.pages,
        unchanged: unchanged.pages,
        rejected: checked.rejected,
        warnings: pagesOf(doubts),
      },
      lines: checked.places.lines,
    };
  });
}

/**
 * What an import of the draft would do, now or when it was last asked: it stays the same until a cell is mended or the
 * commit finds that it does not hold any longer.
 *
 * @throws ServiceError `not_found`; `conflict` where the draft is being imported or has been
 */
export async function previewDraft(
  services: PreviewServices,
  origin: ImportOrigin & { userId: number },
  id: string,
): Promise<Preview> {
  const { fingerprint, ...view } = await readDraft(services, origin.userId, id);
  requireOpen({ fingerprint, ...view });
  const { previews, db } = services;
  const keyOf = (mark: string) => `${id} ${mark}`;
  const known = keyOf(fingerprint ?? view.updated_at.toISOString());
  const preview = await previews.through(known, async () => {
    const draft = await loadDraft(services, origin.userId, id);
    const made = await makePreview(services, draft, origin);
    await db.pool.query(
      `UPDATE import_drafts SET fingerprint = $3
        WHERE id = $1 AND encode(sha256(sheet), 'hex') = $2 AND state IN ('ready', 'failed')`,
      [id, draft.version, made.fingerprint],
    );
    return made;
  });
  previews.move(known, keyOf(preview.fingerprint));
  return preview;
}
