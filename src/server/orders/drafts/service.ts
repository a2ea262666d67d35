import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Encoding } from '../../core/text/encodings';
import { type ImportServices, requireShop } from '../import/service';
import type { CellFix } from './draft-sheet';
import * as sql from './drafts.queries';
import type { draftsOutput } from './schema';
import type { SheetReader, SheetSummary } from './sheet-work';

/** What the import page depends on. */
export interface DraftServices extends ImportServices {
  /** Reads files: large ones and all uploaded workbooks in a worker thread. */
  sheets: SheetReader;
}

/** Columns whose types the schema knows better than the database. */
type NarrowedFields = Pick<z.output<typeof draftsOutput>[number], 'state' | 'step' | 'failure'>;

/** A draft as pages show it, with the fingerprint of its latest preview. */
export type DraftView = Omit<sql.ListDraftsRow, keyof NarrowedFields> & NarrowedFields;

/** A draft with its rows, packed for storage. `version` changes whenever the rows do. */
export interface Draft extends DraftView {
  packedSheet: Uint8Array;
  contentHash: string;
  version: string;
}

const draftNotFound = () => notFound(createReason('import.noDraft'));

/**
 * Stores an uploaded file as one of the user's drafts.
 *
 * @returns its id and the file's encoding (null for a workbook)
 * @throws ServiceError `validation_failed` if the shop is unknown, or if the file is not an order export or has no rows or too
 * many
 */
export async function createDraft(
  services: DraftServices,
  input: { userId: number; shopId: number; fileName: string; bytes: Uint8Array },
  signal?: AbortSignal,
): Promise<{ id: string; encoding: Encoding | null }> {
  const { db } = services;
  await requireShop(db.pool, input.shopId);
  const contentHash = createHash('sha256').update(input.bytes).digest('hex');
  const { packedSheet, rowCount, encoding } = await services.sheets.open(
    { name: input.fileName, bytes: input.bytes },
    signal,
  );
  const id = randomUUID();
  const { shopId, userId, fileName } = input;
  await sql.createDraft.run(db.pool, {
    shopId,
    id,
    userId,
    fileName,
    contentHash,
    sheet: Buffer.from(packedSheet),
    total: rowCount,
  });
  return { id, encoding };
}

/** Returns the user's latest 200 drafts, newest first. */
export async function listDrafts({ db }: DraftServices, userId: number): Promise<DraftView[]> {
  return (await sql.listDrafts.run(db.pool, { userId, id: null })) as DraftView[];
}

/** Returns one of the user's drafts, without its rows. @throws ServiceError `not_found` */
export async function readDraft(
  { db }: Pick<DraftServices, 'db'>,
  userId: number,
  id: string,
): Promise<DraftView> {
  const [draft] = await sql.listDrafts.runPrepared(db.pool, { userId, id });
  if (!draft) throw draftNotFound();
  return draft as DraftView;
}

/** Returns the draft with its rows. @throws ServiceError `not_found` */
export async function loadDraft(services: DraftServices, userId: number, id: string): Promise<Draft> {
  const view = await readDraft(services, userId, id);
  const [row] = await sql.readSheet.run(services.db.pool, { shopId: view.account_id, id });
  if (!row) throw draftNotFound();
  const { sheet: packedSheet, content_hash: contentHash, version } = row;
  return { ...view, packedSheet, contentHash, version };
}

/** Returns a draft and a summary of its sheet. @throws ServiceError `not_found` */
export async function readDraftSummary(
  services: DraftServices,
  userId: number,
  id: string,
  signal?: AbortSignal,
): Promise<{ draft: DraftView; summary: SheetSummary }> {
  const draft = await loadDraft(services, userId, id);
  return { draft, summary: await services.sheets.summarise(draft.packedSheet, signal) };
}

/** @throws ServiceError `conflict` if the draft is being or has been imported */
export function requireOpenDraft({ state }: DraftView): void {
  if (state === 'running') throw new ServiceError('conflict', createReason('import.running'));
  if (state === 'done') throw new ServiceError('conflict', createReason('import.done'));
}

/**
 * Replaces the contents of cells in a draft, which invalidates earlier previews.
 *
 * @throws ServiceError `not_found`; `conflict` if the draft is being or has been imported, or was changed concurrently;
 * `validation_failed` naming each cell outside the sheet
 */
export async function fixDraft(
  services: DraftServices,
  userId: number,
  id: string,
  cells: readonly CellFix[],
  signal?: AbortSignal,
): Promise<void> {
  const draft = await loadDraft(services, userId, id);
  requireOpenDraft(draft);
  const { packedSheet } = await services.sheets.fix(draft.packedSheet, cells, signal);
  const [replacedDraft] = await sql.replaceSheet.run(services.db.pool, {
    shopId: draft.account_id,
    id,
    sheet: Buffer.from(packedSheet),
    version: draft.version,
  });
  if (!replacedDraft) throw new ServiceError('conflict', createReason('import.changed'));
}

/** Deletes a draft. @throws ServiceError `not_found`; `conflict` while it is being imported */
export async function discardDraft(services: DraftServices, userId: number, id: string): Promise<void> {
  const draft = await readDraft(services, userId, id);
  const [discardedDraft] = await sql.discardDraft.run(services.db.pool, { shopId: draft.account_id, id });
  if (discardedDraft) return;
  await readDraft(services, userId, id);
  // The draft was being imported. Refuse even if the import has finished since: users who discard a file expect that it is not
  // imported.
  throw new ServiceError('conflict', createReason('import.running'));
}

/** Returns the name of the workbook of a draft's rejected rows, without an extension. @throws ServiceError `not_found` */
export async function buildRejectedRowsFileName(
  services: DraftServices,
  userId: number,
  id: string,
): Promise<string> {
  const { file_name: fileName } = await readDraft(services, userId, id);
  return `${fileName.replace(/\.(?:csv|xlsx|txt|tsv)$/i, '')}-bad-rows`;
}

/** Writes a workbook of a draft's rejected rows. @throws ServiceError `not_found`; `validation_failed` if no row is rejected */
export async function writeRejectedRows(
  services: DraftServices,
  userId: number,
  id: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const draft = await loadDraft(services, userId, id);
  return services.sheets.writeRejectedRows(storedSheetOf(draft), signal);
}

/** Returns the draft's packed sheet and what is needed to check it. */
export function storedSheetOf(draft: Draft) {
  return { packedSheet: draft.packedSheet, shopId: draft.account_id, contentHash: draft.contentHash };
}

/** Deletes drafts that have not been changed for a week. */
export async function deleteOldDrafts({ db }: Pick<DraftServices, 'db'>): Promise<void> {
  await sql.deleteOldDrafts.run(db.pool);
}
